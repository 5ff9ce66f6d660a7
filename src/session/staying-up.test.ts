import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock, heard as fakeHeard, says } from '../loop/fakes.ts';
import type { Recorded } from '../protocol/event.ts';
import { httpOf } from './model-chain.ts';
import { modelDesk } from './model-desk.ts';
import { openEndpoint, openModel } from './models.ts';
import { settle } from './settings.ts';
import { steadyModel } from './staying-up.ts';
import type { World } from './world.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const box = `provider: {box: {baseUrl: "https://model.test/v1", apiKey: k1234567}}
models: {box/m: {price: {input: 1, output: 2}}, box/dear: {price: {input: 10, output: 20}}}
`;

const heard = (model: string): Recorded => {
  const event = fakeHeard(says('words'));
  const raw = { ...event.raw, usage: { inputTokens: 1_000_000, outputTokens: 0 } };
  return { seq: 1, at: 0, agent: 'main', event: { ...event, model, raw } };
};

async function deskWith(config: string) {
  const home = mkdtempSync(join(tmpdir(), 'smew-staying-up-'));
  dirs.push(home);
  mkdirSync(join(home, 'smew'));
  writeFileSync(join(home, 'smew', 'config.yaml'), box + config);
  const env = { SMEW_HOME: join(home, 'smew') };
  const clock = fakeClock();
  const world: World = { env, home, cwd: home, platform: 'linux', version: '1', clock, random: () => 0 };
  const settled = await settle(world, {});
  if (!settled.ok) throw new Error(settled.fault.message);
  return modelDesk(world, settled.value, httpOf(world, settled.value.config.network));
}

/** What a session that has spoken to the models of `past` goes on with, under a config. */
async function goOn(config: string, past: readonly string[] = []) {
  const desk = await deskWith(config);
  const endpoint = await openEndpoint('box/m', desk);
  if (!endpoint.ok) throw new Error(endpoint.fault.message);
  const steady = await steadyModel(endpoint.value, { sessionId: 's', past: past.map(heard) }, desk);
  if (!steady.ok) throw new Error(steady.fault.message);
  return { notices: steady.value.notices, secrets: steady.value.secrets, session: steady.value.meter.ledger().session };
}

describe('the sum of a session that changed its model', () => {
  it('holds each reply at the price of its own model, of the config or the catalogue', async () => {
    const { session } = await goOn('', ['box/dear', 'box/m', 'anthropic/claude-opus-4-5']);
    expect(session).toMatchObject({ usd: 16, unpricedReplies: 0 });
  });

  it('holds nothing for what a server of this machine said', async () => {
    expect((await goOn('', ['ollama/qwen'])).session).toMatchObject({ usd: 0, unpricedReplies: 0 });
  });

  it('says under a cap what it cannot count', async () => {
    const { notices } = await goOn('limits: {sessionCost: 5}\n', ['box/nameless']);
    expect(notices).toEqual([expect.stringContaining("the price of 1 of this session's earlier replies is not known")]);
    expect((await goOn('', ['box/nameless'])).notices).toEqual([]);
  });
});

describe('a model that stands by', () => {
  it('is left out under a cap on cost where its price is not known, and that is told', async () => {
    const { notices } = await goOn('limits: {cost: 1}\nfallback: [box/nop, box/dear]\n');
    expect(notices).toEqual([expect.stringMatching(/^fallback: box\/nop is left out.*price of box\/nop is not known/)]);
    expect((await goOn('limits: {tokens: 1000}\nfallback: [box/nop]\n')).notices).toEqual([]);
  });

  it('is told once, however often it is named', async () => {
    const { notices, secrets } = await goOn('fallback: [nosuch/x, box/dear, nosuch/x, box/dear, box/m]\n');
    expect(notices).toHaveLength(1);
    // One key of each model that is open.
    expect(secrets).toHaveLength(2);
  });
});

describe('an effort', () => {
  const told = async (effort: string, facts = '') => {
    const ready = await openModel(
      'box/m',
      await deskWith(`effort: ${effort}\nwindow: {unknownTokens: 40000}\n${facts}`),
    );
    return ready.ok ? ready.value.notices : ready.fault.message;
  };

  it('that no known model has is doubted, in one line', async () => {
    expect(await told('high')).toEqual([]);
    expect(await told('bogus')).toEqual([expect.stringContaining('"bogus" is no effort of any known model')]);
  });
});
