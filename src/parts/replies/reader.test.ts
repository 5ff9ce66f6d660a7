import { describe, expect, it } from 'vitest';
import { List } from '../../base/list.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Emit, ModelRequest, Wire } from '../../loop/ports.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { RawReply } from '../../protocol/model.ts';
import { replyReader } from './reader.ts';

const request: ModelRequest = { model: 'p/m', system: [], tools: [], messages: List.of() };
const raw = (more: Partial<RawReply>): RawReply => ({ text: '', calls: [], finish: 'stop', isCut: false, ...more });

/** Plays raw replies and faults in order; `spoken` streams a text before each. */
function reading(answers: readonly Result<RawReply, Fault>[], spoken = '') {
  const heard: Parameters<Emit>[0][] = [];
  let count = 0;
  let now = 1000;
  const wire: Wire = async (_, io) => {
    io.emit({ type: 'request.sent', model: 'p/m', bytes: 77 });
    now += 5;
    if (spoken) io.emit({ type: 'text.grew', delta: spoken });
    now += 10;
    return answers[count++] ?? fail(fault('internal', 'the test has no more answers'));
  };
  const model = replyReader(wire, { clock: { now: () => now }, wireName: 'chat' });
  const io = { signal: new AbortController().signal, emit: (one: Parameters<Emit>[0]) => void heard.push(one) };
  return { answer: () => model(request, io), heard, count: () => count };
}

const argumentsOf = async (text: string, more: Partial<RawReply> = {}) => {
  const answer = await reading([ok(raw({ calls: [{ id: 'a', name: 'read', arguments: text }], ...more }))]).answer();
  if (!answer.ok) throw new Error(answer.fault.message);
  return answer.value.calls[0];
};

describe('arguments', () => {
  it.each([
    ['{"path":"x"}', { path: 'x' }],
    [' {"a":[1]} \n', { a: [1] }],
    ['', {}],
    ['  ', {}],
    ['[1]', [1]],
    ['null', null],
  ])('%j are read as JSON', async (text, input) => {
    expect(await argumentsOf(text)).toEqual({ id: 'a', name: 'read', input });
  });

  it.each(['{"path": "x', "{'path': 'x'}", '{"a":1}{"b":2}', '{"a":1,}'])('%j are not guessed', async (text) => {
    const call = await argumentsOf(text);
    expect(call?.input).toBe(text);
    expect(call?.unreadable).toMatch(/JSON/);
  });

  it('that the output limit left empty are not taken for none', async () => {
    expect((await argumentsOf('', { finish: 'length', isCut: true }))?.unreadable).toContain('output limit');
  });
});

describe('hearing', () => {
  it('journals the raw reply with its size and times', async () => {
    const { answer, heard } = reading([ok(raw({ text: 'hi', native: { reasoning: 'r' } }))], 'hi');
    expect(await answer()).toMatchObject({
      ok: true,
      value: { from: 'model', text: 'hi', native: { wire: 'chat', model: 'p/m', content: { reasoning: 'r' } } },
    });
    expect(heard.at(-1)).toMatchObject({
      type: 'heard',
      model: 'p/m',
      requestBytes: 77,
      firstOutputMs: 5,
      totalMs: 15,
    });
  });

  it('lets an empty reply through', async () => {
    expect(await reading([ok(raw({}))]).answer()).toEqual(ok({ from: 'model', text: '', calls: [] }));
  });
});

describe('a reply that broke off', () => {
  const cut = ok(raw({ text: 'Hal', finish: 'unknown', isCut: true }));
  it('is dropped and asked for again, the whole one is kept', async () => {
    const { answer, heard } = reading([cut, cut, ok(raw({ text: 'Half' }))], 'Hal');
    expect(await answer()).toMatchObject({ ok: true, value: { text: 'Half' } });
    expect(heard.filter(({ type }) => type === 'reply.dropped')).toHaveLength(2);
    expect(heard.filter(({ type }) => type === 'heard')).toHaveLength(3);
  });

  it('is a fault after the third time', async () => {
    const { answer, count } = reading([cut, cut, cut, cut]);
    expect(await answer()).toMatchObject({ ok: false, fault: { kind: 'cut' } });
    expect(count()).toBe(3);
  });

  it.each(['stalled', 'cut', 'overloaded'] as const)(
    'by a fault (%s) after output is asked for again',
    async (kind) => {
      const { answer, count } = reading([fail(fault(kind, 'x')), ok(raw({ text: 'b' }))], 'a');
      expect(await answer()).toMatchObject({ ok: true });
      expect(count()).toBe(2);
    },
  );

  it('by a fault before any output is the retries matter, not asked for again', async () => {
    const { answer, count } = reading([fail(fault('stalled', 'x')), ok(raw({ text: 'b' }))]);
    expect(await answer()).toMatchObject({ ok: false, fault: { kind: 'stalled' } });
    expect(count()).toBe(1);
  });

  it('by a content filter is a refusal', async () => {
    const { answer } = reading([ok(raw({ text: 'I', finish: 'filtered', finishWord: 'content_filter' }))]);
    expect(await answer()).toMatchObject({ ok: false, fault: { kind: 'refused' } });
  });
});
