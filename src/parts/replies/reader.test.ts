import { describe, expect, it } from 'vitest';
import { List } from '../../base/list.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Emit, ModelRequest, Wire } from '../../loop/ports.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { RawReply } from '../../protocol/model.ts';
import { replyReader } from './reader.ts';

const read = {
  name: 'read',
  description: '',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false },
};
const request: ModelRequest = { model: 'p/m', system: [], tools: [read], messages: List.of() };
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
    [' {"path":"x"} \n', { path: 'x' }],
    ['', {}],
    ["{'path': 'x'}", { path: 'x' }],
    ['{"path":"x",}', { path: 'x' }],
  ])('%j are read', async (text, input) => {
    expect(await argumentsOf(text)).toEqual({ id: 'a', name: 'read', input });
  });

  it('that hold two calls are two calls, the second under an id that is still to be given', async () => {
    const { answer } = reading([
      ok(raw({ calls: [{ id: 'a', name: 'read', arguments: '{"path":"x"}{"path":"y"}' }] })),
    ]);
    expect(await answer()).toMatchObject({
      value: {
        calls: [
          { id: 'a', input: { path: 'x' } },
          { id: '', input: { path: 'y' } },
        ],
      },
    });
  });

  it('that were mended are noted, those that fit are not', async () => {
    const { answer, heard } = reading([ok(raw({ calls: [{ id: 'a', name: 'Read', arguments: '{"path":"x",}' }] }))]);
    await answer();
    expect(heard.filter(({ type }) => type === 'noted')).toMatchObject([
      { by: 'replies', kind: 'mended', data: { step: 'name.case', tool: 'read' } },
      { by: 'replies', kind: 'mended', data: { step: 'json.commas', tool: 'read' } },
    ]);
    const plain = reading([ok(raw({ calls: [{ id: 'a', name: 'read', arguments: '{"path":"x"}' }] }))]);
    await plain.answer();
    expect(plain.heard.some(({ type }) => type === 'noted')).toBe(false);
  });

  it('that the output limit left open or empty are refused, to be sent in smaller pieces', async () => {
    for (const text of ['', '{"path": "x']) {
      expect((await argumentsOf(text, { finish: 'length', isCut: true }))?.unreadable).toContain('output limit');
    }
  });

  it('that end inside are sampled again twice and then refused', async () => {
    const open = ok(raw({ calls: [{ id: 'a', name: 'read', arguments: '{"path": "x' }] }));
    const { answer, count } = reading([open, open, open, open]);
    expect(await answer()).toMatchObject({ ok: true, value: { calls: [{ input: '{"path": "x' }] } });
    expect(count()).toBe(3);
  });
});

describe('a damaged stream', () => {
  const bare = { id: 'a', name: 'edit', arguments: '' };
  const edit = { name: 'edit', description: '', parameters: { ...read.parameters, required: ['path'] } };
  const damaged = ok(raw({ calls: [bare], isStreamed: true }));
  it('is asked for again in one piece, and the quirk is learned', async () => {
    const asked: (boolean | undefined)[] = [];
    const learned: string[] = [];
    const wire: Wire = async ({ isStreamed }) => {
      asked.push(isStreamed);
      return isStreamed === false ? ok(raw({ calls: [{ ...bare, arguments: '{"path":"x"}' }] })) : damaged;
    };
    const model = replyReader(wire, { clock: { now: () => 0 }, learnWhole: (name) => learned.push(name) });
    const io = { signal: new AbortController().signal, emit: () => {} };
    expect(await model({ ...request, tools: [edit] }, io)).toMatchObject({
      value: { calls: [{ input: { path: 'x' } }] },
    });
    expect([asked, learned]).toEqual([[undefined, false], ['p/m']]);
  });
});

describe('a reply with a hole', () => {
  const holed = ok(raw({ text: 'The answer is safe.', isStreamed: true, hasGap: true }));
  it('is asked for in one piece, which is no habit of the server', async () => {
    const learned: string[] = [];
    const wire: Wire = async ({ isStreamed }) =>
      isStreamed === false ? ok(raw({ text: 'The answer is NOT safe.' })) : holed;
    const model = replyReader(wire, { clock: { now: () => 0 }, learnWhole: (name) => learned.push(name) });
    const io = { signal: new AbortController().signal, emit: () => {} };
    expect(await model(request, io)).toMatchObject({ value: { text: 'The answer is NOT safe.' } });
    expect(learned).toEqual([]);
  });

  it('is never used', async () => {
    const { answer, count } = reading([holed, holed, holed, holed]);
    expect([await answer(), count()]).toMatchObject([{ ok: false, fault: { kind: 'cut' } }, 3]);
  });
});

describe('a refusal that quotes what the model said', () => {
  const refusal = (unread: string) => fail(fault('garbled', 'could not read', { status: 500, unread }));
  it('is the call that it quotes, where only one tool that looks takes it', async () => {
    const { answer, heard, count } = reading([refusal("{'path':'a'}]")]);
    const reply = await answer();
    expect([reply, count()]).toMatchObject([
      { ok: true, value: { calls: [{ name: 'read', input: { path: 'a' } }] } },
      1,
    ]);
    expect(heard.some(({ type }) => type === 'heard')).toBe(true);
  });

  it('is sampled again otherwise, at once', async () => {
    const { answer, count } = reading([refusal(''), refusal('{"x":'), ok(raw({ text: 'hi' }))]);
    expect([await answer(), count()]).toMatchObject([{ value: { text: 'hi' } }, 3]);
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

  it('asks again for an empty reply that cost nothing, and lets it through in the end', async () => {
    const { answer, count } = reading([ok(raw({})), ok(raw({})), ok(raw({}))]);
    expect([await answer(), count()]).toEqual([ok({ from: 'model', text: '', calls: [] }), 3]);
    const paid = reading([ok(raw({ usage: { inputTokens: 9, outputTokens: 42 } }))]);
    expect([await paid.answer(), paid.count()]).toEqual([ok({ from: 'model', text: '', calls: [] }), 1]);
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

describe('streamed text', () => {
  const played = async (spoken: readonly string[]) => {
    const shown: string[] = [];
    const wire: Wire = async (_, io) => {
      for (const delta of spoken) io.emit({ type: 'text.grew', delta });
      return ok(raw({ text: spoken.join('') }));
    };
    const model = replyReader(wire, { clock: { now: () => 0 } });
    const emit: Emit = (one) => {
      if (one.type === 'text.grew') shown.push(one.delta);
      if (one.type === 'reply.dropped') shown.push('(dropped)');
    };
    const reply = await model(request, { signal: new AbortController().signal, emit });
    return { shown, reply: reply.ok ? reply.value : reply.fault };
  };

  it('never shows markup that is a call', async () => {
    const { shown, reply } = await played([
      'I look.\n<fun',
      'ction=read>\n<parameter=path>a</para',
      'meter>\n</function>',
    ]);
    expect(shown.join('').trim()).toBe('I look.');
    expect(reply).toMatchObject({ text: 'I look.', calls: [{ name: 'read', input: { path: 'a' } }] });
  });

  it('shows what was held back once it is known to be text', async () => {
    const text = 'A call looks like this:\n<function=read> and so on, says the manual.';
    const { shown, reply } = await played([text.slice(0, 30), text.slice(30, 42), text.slice(42)]);
    expect([shown.join(''), reply]).toMatchObject([text, { text, calls: [] }]);
    expect(shown.join('').indexOf('<')).toBe(text.indexOf('<'));
    expect(shown.at(-1)).toMatch(/^<function=read> and/);
  });

  it('keeps thinking out of the answer, and takes back what turned out to be thinking', async () => {
    expect((await played(['<think>hm', 'm</think>', '\nDone.'])).shown.join('').trim()).toBe('Done.');
    expect((await played(['plan\n', '</think>', '\nDone.'])).shown.join('').trim()).toMatch(/\(dropped\)\s*Done\.$/);
  });

  it('that is ordinary arrives as it came', async () => {
    expect((await played(['One ', 'two,', ' three.'])).shown).toEqual(['One ', 'two,', ' three.']);
  });
});
