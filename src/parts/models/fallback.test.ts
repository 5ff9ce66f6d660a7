import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../base/result.ts';
import { fakeClock, says } from '../../loop/fakes.ts';
import { type Fault, type FaultKind, fault } from '../../protocol/fault.ts';
import { type Candidate, chain } from './fallback.ts';
import type { Rest, RestStore } from './rests.ts';
import { asking, ear } from './testing/asking.ts';

/** Candidates that fail as their list says, and then answer with their name. */
function cast(parts: Readonly<Record<string, readonly Fault[]>>, rests?: RestStore) {
  const log: string[] = [];
  const candidates = Object.entries(parts).map(([name, faults]): Candidate => {
    const left = [...faults];
    const [model = '', key] = name.split('#');
    return {
      model,
      provider: model.split('/')[0] ?? '',
      restName: () => name,
      ...(key === undefined ? {} : { keyNumber: Number(key) }),
      ask: async (request, _, patience) => {
        log.push(`${name} ${patience}`);
        expect(request.model).toBe(model);
        const next = left.shift();
        return next ? fail(next) : ok(says(name));
      },
    };
  });
  const clock = fakeClock();
  const model = chain(candidates as [Candidate, ...Candidate[]], { clock, ...(rests ? { rests } : {}) }); // every test has one
  const listener = ear();
  const ask = async () => {
    const answer = await model(asking(), listener.io);
    return answer.ok ? answer.value.text : answer.fault;
  };
  const switches = () => listener.of('model.switched').map(({ from, to }) => `${from} -> ${to}`);
  return { ask, log, clock, listener, switches };
}

const limit = (kind: FaultKind, more: Partial<Fault> = {}) => fault(kind, `${kind}!`, more);

describe('a chain of models', () => {
  it.each([
    'rate',
    'quota',
    'unauthorised',
    'overloaded',
    'unreachable',
    'stalled',
    'cut',
    'not found',
  ] satisfies FaultKind[])('goes on to the next on %s, says so once in one line, and records it', async (kind) => {
    const { ask, switches, listener } = cast({ 'a/x': [limit(kind)], 'b/y': [] });
    expect([await ask(), await ask()]).toEqual(['b/y', 'b/y']);
    expect(switches()).toEqual(['a/x -> b/y']);
    const data = { from: 'a/x', to: 'b/y', reason: `${kind}!` };
    expect(listener.of('noted')).toEqual([{ type: 'noted', by: 'fallback', kind: 'switched', data }]);
  });

  it.each(['usage', 'refused', 'overflow', 'aborted', 'budget', 'internal', 'storage'] satisfies FaultKind[])(
    'stays on %s, which nobody else would cure',
    async (kind) => {
      const { ask, switches } = cast({ 'a/x': [limit(kind)], 'b/y': [] });
      expect(await ask()).toMatchObject({ kind });
      expect(switches()).toEqual([]);
    },
  );

  it('goes back to the first when its pause ends, which is what the provider named', async () => {
    const { ask, clock, switches } = cast({ 'a/x': [limit('rate', { retryAfterMs: 5000 })], 'b/y': [] });
    await ask();
    clock.pass(4999);
    expect(await ask()).toBe('b/y');
    clock.pass(1);
    expect(await ask()).toBe('a/x');
    expect(switches()).toEqual(['a/x -> b/y', 'b/y -> a/x']);
  });

  it('rests longer with each failure in a row', async () => {
    const { ask, clock, log } = cast({ 'a/x': [limit('overloaded'), limit('overloaded')], 'b/y': [] });
    await ask();
    clock.pass(60_000);
    await ask();
    clock.pass(119_999);
    await ask();
    expect(log.at(-1)).toBe('b/y patiently');
    clock.pass(1);
    expect(await ask()).toBe('a/x');
  });

  it('is impatient while others stand by, and patient with the last', async () => {
    const { ask, log } = cast({ 'a/x': [limit('rate')], 'b/y': [limit('rate')], 'c/z': [limit('rate')] });
    expect(await ask()).toMatchObject({ kind: 'rate', message: 'rate! (a/x, b/y failed as well.)' });
    expect(log).toEqual(['a/x briefly', 'b/y briefly', 'c/z patiently']);
  });

  it('asks whoever is ready first where all rest', async () => {
    const { ask, log } = cast({
      'a/x': [limit('rate', { retryAfterMs: 9000 })],
      'b/y': [limit('rate', { retryAfterMs: 3000 })],
    });
    await ask();
    expect(await ask()).toBe('b/y');
    expect(log).toEqual(['a/x briefly', 'b/y patiently', 'b/y patiently']);
  });

  it('drops what the one who failed had begun to say', async () => {
    const clock = fakeClock();
    const one: Candidate = {
      model: 'a/x',
      provider: 'a',
      ask: async (_, io) => {
        io.emit({ type: 'text.grew', delta: 'half' });
        return fail(limit('cut'));
      },
    };
    const other: Candidate = { model: 'b/y', provider: 'b', ask: async () => ok(says('whole')) };
    const listener = ear();
    await chain([one, other], { clock })(asking(), listener.io);
    expect(listener.heard.map(({ type }) => type)).toEqual(['text.grew', 'reply.dropped', 'model.switched', 'noted']);
  });
});

describe('several keys of one provider', () => {
  it('take turns when one is used up, before another model is asked', async () => {
    const { ask, switches } = cast({ 'a/x#1': [limit('rate')], 'a/x#2': [], 'b/y': [] });
    expect(await ask()).toBe('a/x#2');
    expect(switches()).toEqual(['a/x (key 1) -> a/x (key 2)']);
  });

  it('are not tried one by one where the provider itself is down', async () => {
    const { ask, log } = cast({ 'a/x#1': [limit('overloaded')], 'a/x#2': [], 'b/y': [] });
    expect(await ask()).toBe('b/y');
    expect(log).toEqual(['a/x#1 briefly', 'b/y patiently']);
  });

  it('and models of a host that cannot be reached are all passed over', async () => {
    const { ask } = cast({ 'a/x': [limit('unreachable')], 'a/z': [], 'b/y': [] });
    expect(await ask()).toBe('b/y');
  });
});

describe('rests that are kept', () => {
  function keptRests(): RestStore & { readonly kept: Map<string, Rest> } {
    const kept = new Map<string, Rest>();
    return {
      kept,
      of: (name) => kept.get(name()),
      keep: (name, rest) => void (rest ? kept.set(name, rest) : kept.delete(name)),
    };
  }

  it.each(['rate', 'quota', 'overloaded'] satisfies FaultKind[])(
    'let the next run pass over who had %s',
    async (kind) => {
      const rests = keptRests();
      await cast({ 'a/x#1': [limit(kind)], 'b/y': [] }, rests).ask();
      const next = cast({ 'a/x#1': [], 'b/y': [] }, rests);
      expect(await next.ask()).toBe('b/y');
      expect(next.log).toEqual(['b/y patiently']);
      expect(next.listener.of('model.switched')).toMatchObject([
        { reason: expect.stringMatching(/rests until \d\d:/) },
      ]);
      next.clock.pass(3_600_000);
      expect(await next.ask()).toBe('a/x#1');
      expect(rests.kept.size).toBe(0);
    },
  );

  it.each(['unauthorised', 'not found', 'unreachable', 'cut'] satisfies FaultKind[])(
    'are none for %s, which a person may have cured',
    async (kind) => {
      const rests = keptRests();
      await cast({ 'a/x': [limit(kind)], 'b/y': [] }, rests).ask();
      expect(await cast({ 'a/x': [], 'b/y': [] }, rests).ask()).toBe('a/x');
    },
  );
});
