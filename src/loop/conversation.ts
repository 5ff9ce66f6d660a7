/**
 * The conversation as a pure fold over its events. No I/O, no clock, no policy. It alone guarantees what must always
 * hold: one result per tool call, legal roles, bounded steps and nudges, no user's word between a call and its result.
 * An event that does not fit the phase changes nothing, so a journal with damaged lines still folds to a legal state.
 */
import { List, NameSet } from '../base/list.ts';
import type { Compacted, Event, Nudged, Prompted, Recorded, Replied, Stopped } from '../protocol/event.ts';
import type { Message, Reply, ToolCall, ToolResult, UserMessage } from '../protocol/message.ts';
import { historyFaults } from './history.ts';

export type Phase =
  | { readonly name: 'idle' }
  | { readonly name: 'thinking' }
  | {
      readonly name: 'acting';
      readonly calls: readonly ToolCall[];
      readonly results: ReadonlyMap<string, ToolResult>;
      readonly started: ReadonlySet<string>;
    }
  | { readonly name: 'closing' }
  | { readonly name: 'done'; readonly ending: 'released' | Stopped };

export interface Limits {
  /** Replies of the model in one turn. */
  readonly steps: number;
  /** Nudges of all policies together in one turn. */
  readonly nudges: number;
}

/** From a user's word to the end; its counters start anew with each. */
export interface Turn {
  /** Counted from 1; 0 before the first. */
  readonly number: number;
  readonly steps: number;
  readonly nudges: number;
  /** Length of the message list when the turn began. */
  readonly firstMessage: number;
}

export interface Conversation {
  readonly messages: List<Message>;
  readonly phase: Phase;
  readonly turn: Turn;
  readonly limits: Limits;
  /** Words said while the model thought or tools ran, in order. */
  readonly waiting: readonly UserMessage[];
  /** Every call id so far. */
  readonly callIds: NameSet;
}

export const newConversation = (limits: Limits): Conversation => ({
  messages: List.of(),
  phase: { name: 'idle' },
  turn: { number: 0, steps: 0, nudges: 0, firstMessage: 0 },
  limits,
  waiting: [],
  callIds: NameSet.empty(),
});

export function advance(before: Conversation, event: Event): Conversation {
  switch (event.type) {
    case 'prompted':
      return prompted(before, event);
    case 'replied':
      return before.phase.name === 'thinking' ? replied(before, event) : before;
    case 'started':
      return started(before, event.callId);
    case 'answered':
      return answered(before, event.result);
    case 'nudged':
      return nudged(before, event);
    case 'compacted':
      return compacted(before, event);
    case 'released':
      return before.phase.name === 'closing' ? { ...before, phase: { name: 'done', ending: 'released' } } : before;
    case 'stopped':
      return stopped(before, event);
    case 'opened':
    case 'heard':
    case 'decided':
    case 'noted':
      return before;
    default:
      return event satisfies never;
  }
}

/**
 * The conversation that one agent's recorded events lead to. Limits bind what comes, not what has been: a session that
 * was recorded under larger limits keeps every reply.
 */
export function conversationOf(past: Iterable<Recorded>, limits: Limits, agent = 'main'): Conversation {
  let conversation = newConversation({ steps: Number.POSITIVE_INFINITY, nudges: Number.POSITIVE_INFINITY });
  for (const recorded of past) {
    if (recorded.agent === agent) conversation = advance(conversation, recorded.event);
  }
  return { ...conversation, limits };
}

/** True while there is work for the driver. */
export const isRunning = ({ phase }: Conversation): boolean => phase.name !== 'idle' && phase.name !== 'done';

/** Calls of the current step that have no result yet, in order. */
export const openCalls = ({ phase }: Conversation): readonly ToolCall[] =>
  phase.name === 'acting' ? phase.calls.filter(({ id }) => !phase.results.has(id)) : [];

function prompted(before: Conversation, { text, images }: Prompted): Conversation {
  const message: UserMessage = images ? { from: 'user', text, images } : { from: 'user', text };
  switch (before.phase.name) {
    case 'idle':
    case 'done':
      return say(think(newTurn(before)), message);
    case 'closing':
      return say(think(before), message);
    case 'thinking':
    case 'acting':
      return { ...before, waiting: [...before.waiting, message] };
    default:
      return before.phase satisfies never;
  }
}

function replied(before: Conversation, event: Replied): Conversation {
  const { reply, callIds } = withFreshIds(event.reply, before.callIds);
  const counted = { ...before, callIds, turn: { ...before.turn, steps: before.turn.steps + 1 } };
  if (counted.turn.steps > counted.limits.steps) return before;
  const heard = say(counted, reply);
  if (reply.calls.length > 0) {
    return { ...heard, phase: { name: 'acting', calls: reply.calls, results: new Map(), started: new Set() } };
  }
  return heard.waiting.length > 0 ? hearWaiting(think(heard)) : { ...heard, phase: { name: 'closing' } };
}

function started(before: Conversation, callId: string): Conversation {
  const { phase } = before;
  if (phase.name !== 'acting' || !phase.calls.some(({ id }) => id === callId)) return before;
  return { ...before, phase: { ...phase, started: new Set(phase.started).add(callId) } };
}

function answered(before: Conversation, result: ToolResult): Conversation {
  const { phase } = before;
  if (phase.name !== 'acting' || phase.results.has(result.callId)) return before;
  if (!phase.calls.some(({ id }) => id === result.callId)) return before;
  const results = new Map(phase.results).set(result.callId, result);
  if (results.size < phase.calls.length) return { ...before, phase: { ...phase, results } };
  return hearWaiting(think(say(before, inOrder(phase.calls, results))));
}

function nudged(before: Conversation, { by, text, reply }: Nudged): Conversation {
  const mayNudge = before.phase.name === 'thinking' || before.phase.name === 'closing';
  if (!mayNudge || before.turn.nudges >= before.limits.nudges) return before;
  const counted = { ...before, turn: { ...before.turn, nudges: before.turn.nudges + 1 } };
  const isShown = reply && reply.calls.length === 0 && reply.text !== '' && before.phase.name === 'thinking';
  const shown = isShown ? say(counted, reply) : counted;
  return hearWaiting(think(say(shown, { from: 'user', text, by })));
}

function compacted(before: Conversation, { cut, messages }: Compacted): Conversation {
  if (before.phase.name === 'acting' || !Number.isInteger(cut) || cut < 0 || cut > before.messages.length)
    return before;
  const shorter = [...messages, ...before.messages.slice(cut)];
  if (historyFaults(shorter).length > 0 || !canFollow(before.phase, shorter.at(-1))) return before;
  const firstMessage = Math.max(0, before.turn.firstMessage - cut + messages.length);
  const callIds = messages.flatMap(callsOf).reduce((ids, { id }) => ids.add(id), before.callIds);
  return { ...before, messages: List.from(shorter), callIds, turn: { ...before.turn, firstMessage } };
}

/** While the model thinks, the last word must be one that it can answer. */
const canFollow = ({ name }: Phase, last: Message | undefined): boolean =>
  name !== 'thinking' || (last !== undefined && last.from !== 'model');

const callsOf = (message: Message): readonly ToolCall[] => (message.from === 'model' ? message.calls : []);

function stopped(before: Conversation, event: Stopped): Conversation {
  if (!isRunning(before)) return before;
  const answers = before.phase.name === 'acting' ? say(before, closeOpenCalls(before.phase, event)) : before;
  const partial =
    before.phase.name === 'thinking' && event.partial
      ? say(answers, { from: 'model', text: event.partial, calls: [] })
      : answers;
  return { ...hearWaiting(partial), phase: { name: 'done', ending: event } };
}

/** A call without a result would make the next request invalid, so an ending answers every open call. */
function closeOpenCalls(phase: Extract<Phase, { name: 'acting' }>, { reason }: Stopped): Message {
  const results = new Map(phase.results);
  for (const { id } of phase.calls) {
    if (results.has(id)) continue;
    const text = phase.started.has(id)
      ? `Outcome unknown: this call was running when the turn ended (${reason}). Check what it did before you repeat it.`
      : `Not run: the turn ended first (${reason}).`;
    results.set(id, { callId: id, ok: false, text, data: { outcome: phase.started.has(id) ? 'unknown' : 'not run' } });
  }
  return inOrder(phase.calls, results);
}

const inOrder = (calls: readonly ToolCall[], results: ReadonlyMap<string, ToolResult>): Message => ({
  from: 'tools',
  results: calls.flatMap(({ id }) => results.get(id) ?? []),
});

const say = (conversation: Conversation, message: Message): Conversation => ({
  ...conversation,
  messages: conversation.messages.append(message),
});

const think = (conversation: Conversation): Conversation => ({ ...conversation, phase: { name: 'thinking' } });

const newTurn = (before: Conversation): Conversation => ({
  ...before,
  turn: { number: before.turn.number + 1, steps: 0, nudges: 0, firstMessage: before.messages.length },
});

const hearWaiting = (conversation: Conversation): Conversation => ({
  ...conversation.waiting.reduce(say, conversation),
  waiting: [],
});

/**
 * Servers that number calls anew in each reply, or send no id, must not make two calls look like one. The driver records
 * the reply with its fresh ids, so that every fold finds the same; for such a reply this changes nothing.
 */
export function withFreshIds(reply: Reply, known: NameSet): { reply: Reply; callIds: NameSet } {
  let callIds = known;
  const calls = reply.calls.map((call) => {
    let id = call.id || `call_${callIds.size + 1}`;
    // Counted from the size, so that the thousandth `call_1` is not tried under a thousand names.
    for (let copy = callIds.size + 1; callIds.has(id); copy++) id = `${call.id || 'call'}_${copy}`;
    callIds = callIds.add(id);
    return id === call.id ? call : { ...call, id };
  });
  return { reply: calls.every((call, index) => call === reply.calls[index]) ? reply : { ...reply, calls }, callIds };
}
