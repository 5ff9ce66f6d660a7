import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { NameSet } from '../base/list.ts';
import type { Event } from '../protocol/event.ts';
import type { Message, Reply } from '../protocol/message.ts';
import { advance, type Conversation, conversationOf, isRunning, newConversation, openCalls } from './conversation.ts';
import { call, calls, says } from './fakes.ts';
import { historyFaults } from './history.ts';

const limits = { steps: 4, nudges: 2 };
const runs = process.env['SMEW_TEST_LONG'] ? 20_000 : 1_500;

const ids = fc.constantFrom('', 'a', 'b', 'a_2', 'call_1', 'call_2', 'lost');
const callsOfAReply = fc.array(
  ids.map((id) => call(id, 'tool')),
  { maxLength: 3 },
);
const reply: fc.Arbitrary<Reply> = fc.record({
  from: fc.constant('model' as const),
  text: fc.constantFrom('', 'yes'),
  calls: callsOfAReply,
});
const result = ids.map((callId) => ({ callId, ok: true, text: `result of ${callId}` }));
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.constant<Message>({ from: 'user', text: 'summary', by: 'compactor' }),
  reply,
  fc.array(result, { maxLength: 2 }).map((results): Message => ({ from: 'tools', results })),
);

/** Any event at any time; `answer open` and `start open` stand for a result that fits, so that runs get somewhere. */
type Move = Event | { readonly type: 'answer open' | 'start open'; readonly which: number };
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Move>({ type: 'prompted', text: '' }) },
  { weight: 4, arbitrary: reply.map((value): Move => ({ type: 'replied', reply: value })) },
  { weight: 5, arbitrary: fc.nat(3).map((which): Move => ({ type: 'answer open', which })) },
  fc.nat(3).map((which): Move => ({ type: 'start open', which })),
  ids.map((callId): Move => ({ type: 'started', callId })),
  result.map((value): Move => ({ type: 'answered', result: value })),
  {
    weight: 3,
    arbitrary: fc
      .option(reply, { nil: undefined })
      .map((value): Move => ({ type: 'nudged', by: 'policy', text: 'go on', ...(value ? { reply: value } : {}) })),
  },
  fc
    .tuple(fc.constantFrom(-1, 0, 1, 2, 3, 5, 8, 0.5, Number.NaN), fc.array(message, { maxLength: 3 }))
    .map(([cut, messages]): Move => ({ type: 'compacted', by: 'policy', cut, messages })),
  fc.constant<Move>({ type: 'released' }),
  fc
    .constantFrom('interrupted' as const, 'fault' as const, 'step limit' as const)
    .chain((reason) =>
      fc.constantFrom<Move>({ type: 'stopped', reason }, { type: 'stopped', reason, partial: 'half' }),
    ),
  fc.constant<Move>({ type: 'noted', by: 'x', kind: 'y' }),
);

/** Moves become events: words are numbered, and an answer that fits finds its call. */
function eventOf(some: Move, now: Conversation, index: number): Event {
  switch (some.type) {
    case 'start open':
      return { type: 'started', callId: openId(now, some.which) };
    case 'answer open':
      return { type: 'answered', result: { callId: openId(now, some.which), ok: true, text: 'fits' } };
    case 'prompted':
      return { type: 'prompted', text: `word ${index}` };
    default:
      return some;
  }
}

function openId(now: Conversation, which: number): string {
  const open = openCalls(now);
  return open[which % Math.max(1, open.length)]?.id ?? 'none';
}

function* walk(moves: readonly Move[]): Generator<{ event: Event; before: Conversation; after: Conversation }> {
  let before = newConversation(limits);
  for (const [index, some] of moves.entries()) {
    const event = eventOf(some, before, index);
    const after = advance(before, event);
    yield { event, before, after };
    before = after;
  }
}

const property = (check: (moves: readonly Move[]) => void, size = 40) =>
  fc.assert(fc.property(fc.array(move, { maxLength: size }), check), { numRuns: runs, seed: 7 });

const stop: Event = { type: 'stopped', reason: 'interrupted' };
const plain = (conversation: Conversation) => ({
  ...conversation,
  messages: [...conversation.messages],
  callIds: conversation.callIds.size,
});

describe('whatever events come, in whatever order', () => {
  it('stopping after any prefix leaves a legal history with one result per call, in order', () => {
    property((moves) => {
      for (const { after } of walk(moves)) {
        const closed = advance(after, stop);
        expect(historyFaults(closed.messages)).toEqual([]);
        expect(isRunning(closed)).toBe(false);
        expect(openCalls(closed)).toEqual([]);
        expect(closed.waiting).toEqual([]);
      }
    });
  });

  it('what is sent to the model is legal and ends with a word that it can answer', () => {
    property((moves) => {
      for (const { after } of walk(moves)) {
        if (after.phase.name !== 'thinking') continue;
        expect(historyFaults(after.messages)).toEqual([]);
        expect(['user', 'tools']).toContain(after.messages.at(-1)?.from);
      }
    });
  });

  it('steps and nudges stay within their limits and start anew only with a turn', () => {
    property((moves) => {
      for (const { before, after } of walk(moves)) {
        expect(after.turn.steps).toBeLessThanOrEqual(limits.steps);
        expect(after.turn.nudges).toBeLessThanOrEqual(limits.nudges);
        if (after.turn.number === before.turn.number) {
          expect(after.turn.steps).toBeGreaterThanOrEqual(before.turn.steps);
          expect(after.turn.nudges).toBeGreaterThanOrEqual(before.turn.nudges);
        } else expect(isRunning(before)).toBe(false);
        expect(after.turn.firstMessage).toBeLessThanOrEqual(after.messages.length);
      }
    });
  });

  it('every word of the user stands exactly once in the messages or among the waiting, compaction aside', () => {
    property((moves) => {
      const said: string[] = [];
      for (const { event, after } of walk(moves.filter(({ type }) => type !== 'compacted'))) {
        if (event.type === 'prompted') said.push(event.text);
        const kept = [...after.messages, ...after.waiting].flatMap((one) =>
          one.from === 'user' && one.by === undefined ? one.text : [],
        );
        expect(kept).toEqual(said);
      }
    });
  });

  it('a compaction takes only messages before its cut, and never a waiting word', () => {
    property((moves) => {
      for (const { event, before, after } of walk(moves)) {
        if (event.type !== 'compacted' || after === before) continue;
        expect([...after.messages]).toEqual([...event.messages, ...before.messages.slice(event.cut)]);
        expect(after.waiting).toEqual(before.waiting);
      }
    });
  });

  it('older versions stay as they were when two branches grow from one', () => {
    const branches = fc.tuple(
      fc.array(move, { maxLength: 25 }),
      fc.array(move, { maxLength: 8 }),
      fc.array(move, { maxLength: 8 }),
    );
    const grow = (from: Conversation, moves: readonly Move[]) => {
      let now = from;
      for (const [index, some] of moves.entries()) now = advance(now, eventOf(some, now, index + 100));
      return now;
    };
    fc.assert(
      fc.property(branches, ([trunk, left, right]) => {
        const versions = [...walk(trunk)].map(({ after }) => ({ after, copy: plain(after) }));
        const root = versions.at(-1)?.after ?? newConversation(limits);
        const first = grow(root, left);
        const copy = plain(first);
        const second = grow(root, right);
        expect(plain(first)).toEqual(copy);
        expect(plain(grow(root, left))).toEqual(copy);
        expect(plain(grow(root, right))).toEqual(plain(second));
        for (const version of versions) expect(plain(version.after)).toEqual(version.copy);
      }),
      { numRuns: runs, seed: 11 },
    );
  });

  it('the same events lead to an equal conversation, also through a journal line', () => {
    property((moves) => {
      const steps = [...walk(moves.filter((some) => some.type !== 'compacted' || Number.isFinite(some.cut)))];
      let again = newConversation(limits);
      for (const { event } of steps) again = advance(again, JSON.parse(JSON.stringify(event)));
      expect(plain(again)).toEqual(plain(steps.at(-1)?.after ?? newConversation(limits)));
    });
  });

  it('lost events never make it illegal', () => {
    fc.assert(
      fc.property(
        fc.array(move, { maxLength: 40 }),
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        (moves, kept) => {
          const events = [...walk(moves)].map(({ event }) => event).filter((_, index) => kept[index]);
          const folded = events.reduce(advance, newConversation(limits));
          expect(historyFaults(advance(folded, stop).messages)).toEqual([]);
        },
      ),
      { numRuns: runs, seed: 13 },
    );
  });

  it('the phase tells the truth about calls and work', () => {
    property((moves) => {
      for (const { after } of walk(moves)) {
        const { phase } = after;
        if (phase.name === 'acting') expect(openCalls(after).length).toBeGreaterThan(0);
        else expect(openCalls(after)).toEqual([]);
        expect(isRunning(after)).toBe(['thinking', 'acting', 'closing'].includes(phase.name));
        if (after.waiting.length > 0) expect(['thinking', 'acting']).toContain(phase.name);
      }
    });
  });
});

const tell = (...events: readonly Event[]): Conversation => events.reduce(advance, newConversation(limits));
const prompted: Event = { type: 'prompted', text: 'go' };
const replied = (value: Reply): Event => ({ type: 'replied', reply: value });
const answered = (callId: string): Event => ({ type: 'answered', result: { callId, ok: true, text: callId } });

describe('a conversation', () => {
  it('gives results in the order of the calls, however they come', () => {
    const after = tell(prompted, replied(calls('a:x', 'b:x')), answered('b'), answered('a'));
    expect(after.messages.at(-1)).toMatchObject({ from: 'tools', results: [{ callId: 'a' }, { callId: 'b' }] });
  });

  it('keeps the first of two answers to one call', () => {
    const again: Event = { type: 'answered', result: { callId: 'a', ok: false, text: 'second' } };
    const after = tell(prompted, replied(calls('a:x', 'b:x')), answered('a'), again, answered('b'));
    expect(after.messages.at(-1)).toMatchObject({ results: [{ text: 'a' }, { text: 'b' }] });
  });

  it('says of a call that had started that its outcome is unknown, and of another that it was not run', () => {
    const after = tell(
      prompted,
      replied(calls('a:x', 'b:x', 'c:x')),
      answered('a'),
      { type: 'started', callId: 'b' },
      stop,
    );
    expect(after.messages.at(-1)).toMatchObject({
      results: [{ text: 'a' }, { data: { outcome: 'unknown' } }, { data: { outcome: 'not run' } }],
    });
  });

  it('hears a word said among the calls after their results', () => {
    const after = tell(prompted, replied(calls('a:x')), { type: 'prompted', text: 'wait' }, answered('a'));
    expect([...after.messages].map(({ from }) => from)).toEqual(['user', 'model', 'tools', 'user']);
  });

  it('goes on thinking where a word waited behind a reply without calls', () => {
    const after = tell(prompted, { type: 'prompted', text: 'and this' }, replied(says('done')));
    expect(after.phase.name).toBe('thinking');
    expect(after.messages.at(-1)).toEqual({ from: 'user', text: 'and this' });
  });

  it('gives empty and repeated call ids names of their own, in few trials however often they come', () => {
    let now: Conversation = { ...tell(prompted), limits: { steps: 3_000, nudges: 0 } };
    const looks = vi.spyOn(NameSet.prototype, 'has');
    for (let step = 0; step < 2_000; step++) {
      now = advance(now, replied(calls('call_1:x', ':x')));
      for (const open of openCalls(now)) now = advance(now, answered(open.id));
    }
    const trials = looks.mock.calls.length;
    looks.mockRestore();
    expect(historyFaults(now.messages)).toEqual([]);
    expect(trials).toBeLessThan(2_000 * 10);
  });

  it('takes the call ids of a compaction for used', () => {
    const messages: Message[] = [
      { from: 'user', text: 'summary' },
      calls('k:x'),
      { from: 'tools', results: [{ callId: 'k', ok: true, text: '' }] },
    ];
    const after = tell(prompted, { type: 'compacted', by: 'p', cut: 1, messages }, replied(calls('k:x')), stop);
    expect(historyFaults(after.messages)).toEqual([]);
    expect(after.messages.length).toBe(5);
  });

  it('refuses a compaction that leaves the model nothing to answer', () => {
    const before = tell(prompted);
    for (const messages of [[], [says('mine')]] satisfies Message[][]) {
      expect(advance(before, { type: 'compacted', by: 'p', cut: 1, messages })).toBe(before);
    }
  });

  it('keeps every reply of a session that was recorded under larger limits, and binds what comes', () => {
    const events = [
      prompted,
      ...Array.from({ length: 9 }, (_, n) => [replied(calls(`${n}:x`)), answered(`${n}`)]).flat(),
    ];
    const past = events.map((event, index) => ({ seq: index + 1, at: 0, agent: 'main', event }));
    const folded = conversationOf([...past, { seq: 99, at: 0, agent: 'sub', event: prompted }], limits);
    expect(folded.messages.length).toBe(19);
    expect(folded.waiting).toEqual([]);
    expect(advance(folded, replied(says('one more')))).toBe(folded);
  });

  it('grows without copying: 50,000 events share one buffer', () => {
    let now: Conversation = { ...tell(prompted), limits: { steps: 100_000, nudges: 0 } };
    const first = now;
    const copies = countSlices(() => {
      for (let step = 0; step < 16_666; step++) {
        now = advance(now, replied(calls(`c${step}:x`)));
        now = advance(now, { type: 'started', callId: `c${step}` });
        now = advance(now, answered(`c${step}`));
      }
    });
    expect(now.messages.length).toBe(33_333);
    expect(copies).toBe(0);
    expect(first.messages.length).toBe(1);
  });
});

/** How many arrays longer than 100 were copied while `work` ran. */
function countSlices(work: () => void): number {
  const original = Array.prototype.slice;
  let count = 0;
  Array.prototype.slice = function (this: unknown[], ...args: [number?, number?]) {
    if (this.length > 100) count++;
    return original.apply(this, args);
  };
  work();
  Array.prototype.slice = original;
  return count;
}
