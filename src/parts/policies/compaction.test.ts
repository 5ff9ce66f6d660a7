import { describe, expect, it } from 'vitest';
import { List } from '../../base/list.ts';
import { fail, ok } from '../../base/result.ts';
import { newConversation } from '../../loop/conversation.ts';
import { calls, fakeTools, heard, says, scriptedModel, stage } from '../../loop/fakes.ts';
import { historyFaults } from '../../loop/history.ts';
import type { Model, ModelRequest } from '../../loop/ports.ts';
import type { Event, Recorded } from '../../protocol/event.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { Message, Reply } from '../../protocol/message.ts';
import { maskOldest, trimNewest } from '../context/mask.ts';
import { createMeasure } from '../context/measure.ts';
import { type CompactionState, compaction } from './compaction.ts';

const measure = createMeasure();
const policyFor = (window: number | undefined) =>
  compaction({ windowOf: () => window, measure, mask: maskOldest, trim: trimNewest });

/** A server with a window: it counts a token for every four characters, and refuses in a vendor's words. */
function server(window: number, steps: number, refuse: (tokens: number) => Fault) {
  const sizes: number[] = [];
  const requests: ModelRequest[] = [];
  let answered = 0;
  const model: Model = async (request, { emit }) => {
    const tokens = Math.ceil(JSON.stringify([request.system, [...request.messages]]).length / 4);
    sizes.push(tokens);
    requests.push(request);
    if (tokens > window) return fail(refuse(tokens));
    answered++;
    const reply = answered > steps ? says('All read.') : calls(`c${answered}:read`);
    const event = heard(reply);
    emit({
      ...event,
      requestBytes: tokens * 4,
      raw: { ...event.raw, usage: { inputTokens: tokens, outputTokens: 10 } },
    });
    return ok(reply);
  };
  return { model, sizes, requests };
}

const text = (length: number) => 'some words of a file\n'.repeat(Math.ceil(length / 21)).slice(0, length);
const overflow = (figures: Partial<Fault> = {}) => fault('overflow', 'too long', figures);

async function play({
  window,
  known,
  steps,
  size,
  figures,
}: {
  window: number;
  known?: number;
  steps: number;
  size: number;
  figures?: boolean;
}) {
  const scene = server(window, steps, (tokens) =>
    overflow(figures ? { windowTokens: window, promptTokens: tokens } : {}),
  );
  const tools = fakeTools({ read: { run: () => text(size) } });
  const { events, outcome } = await stage({ model: scene.model, tools, policies: [policyFor(known)] }).play({
    prompt: 'Read everything, and do not forget the word Perlhuhn.',
  });
  const compacted = events.filter((event) => event.type === 'compacted');
  return { ...scene, events, compacted, last: events.at(-1), messages: [...outcome.conversation.messages] };
}

describe('a long task in a small window', () => {
  it('finishes without one request that is too long, where the window is known', async () => {
    const { sizes, last, compacted, messages, requests } = await play({
      window: 8192,
      known: 8192,
      steps: 30,
      size: 4000,
    });
    expect(last).toEqual({ type: 'released' });
    expect(Math.max(...sizes)).toBeLessThanOrEqual(8192);
    expect(compacted.length).toBeGreaterThan(1);
    expect(compacted.length).toBeLessThan(15);
    expect(historyFaults(messages)).toEqual([]);
    for (const request of requests)
      expect(request.messages.at(0)).toMatchObject({ text: expect.stringContaining('Perlhuhn') });
  });

  it.each([true, false])(
    'recovers from each refusal where the window is not known (figures told: %s)',
    async (figures) => {
      const { last, sizes, compacted } = await play({ window: 8192, steps: 25, size: 4000, figures });
      expect(last).toEqual({ type: 'released' });
      expect(compacted.length).toBeGreaterThan(0);
      // What the first refusal told is not asked for again.
      const refusals = sizes.filter((tokens) => tokens > 8192).length;
      expect(refusals).toBeLessThanOrEqual(figures ? 25 : 25);
    },
  );

  it('finishes where the catalogue believes in a larger window than there is', async () => {
    const { last } = await play({ window: 8192, known: 32_768, steps: 25, size: 4000, figures: true });
    expect(last).toEqual({ type: 'released' });
  });

  it('trims a single result that is longer than the window', async () => {
    const { last, messages } = await play({ window: 8192, known: 8192, steps: 1, size: 60_000 });
    expect(last).toEqual({ type: 'released' });
    expect(
      messages.some((message) => message.from === 'tools' && message.results[0]?.text.includes('left out here')),
    ).toBe(true);
  });

  it('stops and says so where nothing can be left out', async () => {
    const scene = server(500, 3, () => overflow());
    const { events } = await stage({ model: scene.model, policies: [policyFor(500)] }).play({ prompt: text(9000) });
    expect(events.at(-1)).toMatchObject({
      type: 'stopped',
      by: 'compaction',
      fault: { kind: 'usage', message: expect.stringContaining('larger window') },
    });
    expect(scene.sizes).toEqual([]);
    const unknown = server(500, 3, () => overflow());
    const other = await stage({ model: unknown.model, policies: [policyFor(undefined)] }).play({ prompt: text(9000) });
    expect(other.events.at(-1)).toMatchObject({ type: 'stopped', reason: 'fault', fault: { kind: 'overflow' } });
    expect(unknown.sizes).toHaveLength(1);
  });

  it('never compacts more than twice in a row', async () => {
    let asked = 0;
    const model = scriptedModel(
      calls('a:read', 'b:read', 'c:read'),
      calls('d:read'),
      calls('e:read'),
      calls('f:read'),
      ...Array.from({ length: 9 }, () => () => {
        asked++;
        return fail(overflow());
      }),
    ).model;
    const tools = fakeTools({ read: { run: () => text(4000) } });
    const { events } = await stage({ model, tools, policies: [policyFor(undefined)] }).play();
    expect(events.at(-1)).toMatchObject({ type: 'stopped', reason: 'fault', fault: { kind: 'overflow' } });
    expect(asked).toBeLessThanOrEqual(3);
  });
});

describe('a long history in a large window', () => {
  it('is not weighed anew at each step', async () => {
    let weighed = 0;
    const counting = { ...measure, message: (message: Message) => measure.message(message) + 0 * weighed++ };
    const policy = compaction({ windowOf: () => 1_000_000, measure: counting, mask: maskOldest, trim: trimNewest });
    const scene = server(1_000_000, 100, () => overflow());
    const tools = fakeTools({ read: { run: () => text(400) } });
    const limits = { steps: 200, nudges: 5 };
    await stage({ model: scene.model, tools, policies: [policy] }).play({ start: newConversation(limits) });
    expect(scene.sizes).toHaveLength(101);
    expect(weighed).toBeLessThan(100 * 3);
  });

  it('is weighed where the server counts only what it had not cached', async () => {
    const uncached = server(8192, 30, () => overflow());
    const model: Model = (request, io) =>
      uncached.model(request, {
        ...io,
        emit: (event) =>
          io.emit(
            event.type === 'heard'
              ? { ...event, raw: { ...event.raw, usage: { inputTokens: 40, outputTokens: 1 } } }
              : event,
          ),
      });
    const tools = fakeTools({ read: { run: () => text(4000) } });
    const { events } = await stage({ model, tools, policies: [policyFor(8192)] }).play();
    expect(events.at(-1)).toEqual({ type: 'released' });
    expect(Math.max(...uncached.sizes)).toBeLessThanOrEqual(8192);
  });
});

describe('other failures', () => {
  it.each(['rate', 'refused', 'unauthorised'] as const)('such as %s compact nothing', async (kind) => {
    const model = scriptedModel(calls('a:read'), fault(kind, 'no')).model;
    const tools = fakeTools({ read: { run: () => text(20_000) } });
    const { events } = await stage({ model, tools, policies: [policyFor(8192)] }).play();
    expect(events.filter(({ type }) => type === 'compacted')).toEqual([]);
  });

  it('of a local server that dies of a nearly full window are cured by a shorter prompt', async () => {
    const tools = fakeTools({ read: { run: () => text(6000) } });
    const steps = ['a', 'b', 'c', 'd'].map((id) => calls(`${id}:read`));
    const model = scriptedModel(...steps, fault('unreachable', 'gone'), says('done')).model;
    const { events } = await stage({ model, tools, policies: [policyFor(8000)] }).play();
    expect(events.at(-1)).toEqual({ type: 'released' });
    expect(events.filter(({ type }) => type === 'compacted')).toHaveLength(1);
  });
});

describe('a task that alone is longer than the window', () => {
  const endOf = async (prompt: string, ...replies: Reply[]) => {
    const { model, requests } = scriptedModel(...replies);
    const tools = fakeTools({ read: { run: () => text(100) } });
    const { events } = await stage({ model, tools, policies: [policyFor(8192)] }).play({ prompt });
    return { end: events.at(-1), sent: requests.length };
  };
  it("is the user's to shorten: nothing is sent", async () => {
    const message = expect.stringContaining('Your message alone');
    const end = { type: 'stopped', reason: 'policy', fault: { kind: 'usage', message } };
    expect(await endOf('7'.repeat(1_000_000), says('done'))).toMatchObject({ end, sent: 0 });
  });

  it('is another thing than a history that has grown too long', async () => {
    const long = says('word '.repeat(12_000), { id: 'a', name: 'read', input: {} });
    const { end, sent } = await endOf('do it', long, says('done'));
    expect([end, sent]).toMatchObject([{ type: 'stopped', fault: { kind: 'overflow' } }, 1]);
  });
});

describe('a reserve for the reply', () => {
  it('that alone is too large is lowered, and nothing is left out', async () => {
    const { model, requests } = scriptedModel(says('done'));
    const request = { model: 'fake/model', system: [], tools: [], maxOutputTokens: 7000 };
    const { events } = await stage({ model, request, policies: [policyFor(8192)] }).play({ prompt: text(16_000) });
    expect(events.at(-1)).toEqual({ type: 'released' });
    expect(requests[0]?.maxOutputTokens).toBeGreaterThan(1000);
    expect(requests[0]?.maxOutputTokens).toBeLessThan(4500);
  });
});

describe('a change of model', () => {
  const window = (model: string) => (model === 'box/small' ? 4096 : 64_000);
  const policy = compaction({ windowOf: window, measure, mask: maskOldest, trim: trimNewest });
  const turn = (id: string, bytes: number): Message[] => [
    { from: 'user', text: `Task ${id}.` },
    { from: 'model', text: '', calls: [{ id, name: 'read', input: { path: id } }] },
    { from: 'tools', results: [{ callId: id, ok: true, text: text(bytes) }] },
    { from: 'model', text: 'Done.', calls: [] },
  ];
  const history = [...turn('a', 12_000), ...turn('b', 24_000), { from: 'user', text: 'second' } as const];
  const recorded = (event: Event): Recorded => ({ seq: 1, at: 0, agent: 'main', event });
  const states = (events: readonly Event[]) =>
    events.reduce<CompactionState | undefined>(
      (state, event) => state && policy.fold?.step(state, recorded(event)),
      policy.fold?.initial,
    );
  const heardFrom = (model: string, inputTokens: number): Event => {
    const event = heard(says('Done.'));
    return {
      ...event,
      model,
      requestBytes: inputTokens * 4,
      raw: { ...event.raw, usage: { inputTokens, outputTokens: 1 } },
    };
  };
  const opened: Event = {
    type: 'opened',
    sessionId: 's',
    version: '0',
    cwd: '/',
    model: 'box/small',
    system: [],
    tools: [],
    limits: { steps: 5, nudges: 1 },
  };
  const move = (events: readonly Event[], messages: readonly Message[] = history) => {
    const state = states(events);
    if (!state) throw new Error('the policy has a fold');
    const conversation = newConversation({ steps: 5, nudges: 1 });
    const request: ModelRequest = { model: 'box/small', system: [], tools: [], messages: List.from(messages) };
    return policy.beforeModel?.(request, { conversation, state });
  };

  it('keeps the first request within the window of the model that is asked, with the last finished turn masked too', () => {
    const masked = move([heardFrom('box/big', 6000), opened]);
    if (!masked || !('compact' in masked)) throw new Error('nothing was compacted');
    const { cut, messages } = masked.compact;
    expect(JSON.stringify([...messages, ...history.slice(cut)]).length / 3).toBeLessThan(4096);
  });

  it('names the model whose window is too small', () => {
    const spoken: Message[] = [
      { from: 'user', text: 'Tell me all.' },
      { from: 'model', text: text(40_000), calls: [] },
      { from: 'user', text: 'And now?' },
    ];
    expect(move([heardFrom('box/big', 6000), opened], spoken)).toMatchObject({
      kind: 'overflow',
      stop: expect.stringContaining('window of box/small (4096 tokens)'),
    });
  });

  it('a window at which a count stood still is believed, and that count is not', () => {
    const cut: Event = {
      type: 'noted',
      by: 'models',
      kind: 'prompt cut',
      data: { model: 'box/big', windowTokens: 2048 },
    };
    expect(states([cut, heardFrom('box/big', 2048)])).toMatchObject({ heard: undefined, windows: { 'box/big': 2048 } });
    expect(states([cut, heardFrom('box/big', 1500)])).toMatchObject({ heard: { inputTokens: 1500 } });
  });
});
