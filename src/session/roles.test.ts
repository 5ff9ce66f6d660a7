import { describe, expect, it, test } from 'vitest';
import type { LayerName, Origin } from '../parts/config/layer.ts';
import { Config } from '../parts/config/settings.ts';
import type { Recorded } from '../protocol/event.ts';
import { mainModel, modelForRole } from './roles.ts';

const tiers = { fast: 'openai/small', strong: 'openai/large' };

/** Settings with only what is asked here; `from` says which layer set which path. */
function settings(value: object, from: Record<string, LayerName> = {}) {
  const origins = new Map<string, Origin>(Object.entries(from).map(([path, layer]) => [path, { layer, place: layer }]));
  return { config: Config.parse({ tiers, ...value }), origins };
}
const opened = (model: string): Recorded => ({
  seq: 1,
  at: 0,
  agent: 'main',
  event: { type: 'opened', sessionId: 's', version: '1', cwd: '/p', model, system: [], tools: [] },
});

describe('the main model', () => {
  it.each<[string, ReturnType<typeof settings>, readonly Recorded[], string | undefined]>([
    ['nobody names', settings({}), [], undefined],
    ['the config names', settings({ model: 'a/b' }, { model: 'user' }), [], 'a/b'],
    ['the config names by its tier', settings({ tier: 'fast' }, { tier: 'user' }), [], 'openai/small'],
    ['is set as well as a tier', settings({ model: 'a/b', tier: 'fast' }, { model: 'user', tier: 'user' }), [], 'a/b'],
    [
      'a tier of a flag names',
      settings({ model: 'a/b', tier: 'fast' }, { model: 'user', tier: 'flag' }),
      [],
      'openai/small',
    ],
    ['a flag names', settings({ model: 'a/b', tier: 'fast' }, { model: 'flag', tier: 'env' }), [], 'a/b'],
    ['a flag names by a tier', settings({ model: 'strong' }, { model: 'flag' }), [], 'openai/large'],
    ['a role names', settings({ roles: { main: 'fast' } }), [], 'openai/small'],
    ['the session had', settings({ model: 'a/b' }, { model: 'user' }), [opened('c/d')], 'c/d'],
    ['a flag gives to the session', settings({ tier: 'strong' }, { tier: 'flag' }), [opened('c/d')], 'openai/large'],
  ])('that %s', (_says, settled, past, model) => {
    expect(mainModel(settled, past)).toEqual({ ok: true, value: model });
  });

  test('is found through a tier that names another, and never in a circle', () => {
    const named = (tiers: object) => mainModel(settings({ tier: 'a', tiers }, { tier: 'flag' }), []);
    expect(named({ a: 'b', b: 'c', c: 'openai/large' })).toEqual({ ok: true, value: 'openai/large' });
    expect(named({ a: 'b', b: 'a' })).toMatchObject({ fault: { message: expect.stringContaining('a -> b -> a') } });
    expect(named({ a: 'a' })).toMatchObject({ ok: false, fault: { kind: 'usage' } });
  });

  test('of a tier that does not exist is a fault that names those that do', () => {
    const answer = mainModel(settings({ tier: 'fats' }, { tier: 'flag' }), []);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'usage' } });
    expect(!answer.ok && answer.fault.message).toMatch(/no tier "fats".*fast, strong.*tiers: \{fats:/);
  });
});

describe('a role', () => {
  const config = Config.parse({ tiers, roles: { judge: 'fast', critic: 'x/y', small: 'nowhere' } });

  it.each([
    ['judge', 'openai/small'],
    ['critic', 'x/y'],
    ['planner', 'main/one'],
    ['subagent', 'main/one'],
    ['main', 'main/one'],
  ] as const)('%s is played by %s', (role, model) => {
    expect(modelForRole(config, role, 'main/one')).toEqual({ ok: true, value: model });
  });

  test('that names neither a model nor a tier is refused where it is opened, with the models it may be', () => {
    expect(modelForRole(config, 'small', 'main/one')).toEqual({ ok: true, value: 'nowhere' });
  });
});
