/** What a run did, as a pure fold over its events: answer, actions, usage, ending. Needs no printer and no session. */
import { List } from '../../base/list.ts';
import type { Heard, Noted, Recorded, Stopped } from '../../protocol/event.ts';
import type { ToolResult } from '../../protocol/message.ts';
import { emptyTally, type ReplyTally, tally } from '../../session/reply-quality.ts';
import { type Denial, type OpenCall, openCall, placeOf, subjectOf } from './calls.ts';

export type ActionOutcome = 'ok' | 'failed' | 'denied' | 'unknown' | 'not run';

/** One tool call and what became of it. */
export interface Action {
  readonly agent: string;
  /** The reply of that agent which asked for it, counted from 1. */
  readonly step: number;
  readonly tool: string;
  /** Command line, path or pattern; may be empty, may hold line feeds. */
  readonly subject: string;
  readonly outcome: ActionOutcome;
  /** Milliseconds from its start to its answer; absent where it never started. */
  readonly durationMs?: number;
  /** What the tool answered; empty where it did not. */
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly denial?: Denial;
}

export interface UsageTotal {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** Replies that came, cut and refused ones included. */
  readonly replies: number;
  /** Replies of which the provider told no usage: the totals are too low by theirs. */
  readonly unmeteredReplies: number;
}

export interface Report {
  readonly startedAt?: number;
  readonly lastAt?: number;
  /** Replies of the main agent that were accepted. */
  readonly steps: number;
  readonly stepsByAgent: ReadonlyMap<string, number>;
  /** Text of the main agent's latest reply. */
  readonly text: string;
  readonly open: readonly OpenCall[];
  /** In the order of their answers. */
  readonly actions: List<Action>;
  readonly usage: UsageTotal;
  /** How well the replies were formed; see `quality`. */
  readonly tally: ReplyTally;
  readonly ending?: 'released' | Stopped;
}

export const emptyReport = (): Report => ({
  steps: 0,
  stepsByAgent: new Map(),
  text: '',
  open: [],
  actions: List.of(),
  tally: emptyTally(),
  usage: {
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    reasoningTokens: 0,
    replies: 0,
    unmeteredReplies: 0,
  },
});

/** Folds one event in. Give it the events of one turn, sub-agents' ones included, in their order. */
export function report(before: Report, recorded: Recorded): Report {
  const { at, agent, event } = recorded;
  const timed: Report = {
    ...before,
    startedAt: before.startedAt ?? at,
    lastAt: at,
    tally: tally(before.tally, event),
  };
  switch (event.type) {
    case 'heard':
      return { ...timed, usage: addUsage(timed.usage, event) };
    case 'replied': {
      const step = (timed.stepsByAgent.get(agent) ?? 0) + 1;
      const stepsByAgent = new Map(timed.stepsByAgent).set(agent, step);
      const open = [...timed.open, ...event.reply.calls.map((call) => openCall(agent, call))];
      return agent === 'main'
        ? { ...timed, stepsByAgent, open, steps: step, text: event.reply.text }
        : { ...timed, stepsByAgent, open };
    }
    case 'decided': {
      const denial = event.decision === 'deny' ? { denial: { by: event.by, reason: event.reason ?? '' } } : {};
      return learn(timed, recorded, { id: event.callId, ...denial });
    }
    case 'started':
      return learn(timed, recorded, { id: event.callId, startedAt: at });
    case 'answered':
      return answered(timed, recorded, event.result);
    case 'released':
      return agent === 'main' ? { ...timed, ending: 'released' } : timed;
    case 'stopped':
      return stopped(timed, agent, event);
    case 'noted':
      return event.kind === 'call rewritten' ? rewritten(timed, recorded, event) : timed;
    case 'opened':
    case 'prompted':
    case 'nudged':
    case 'compacted':
      return timed;
    default:
      return event satisfies never;
  }
}

function addUsage(total: UsageTotal, { raw: { usage } }: Heard): UsageTotal {
  const counted = { ...total, replies: total.replies + 1 };
  if (!usage) return { ...counted, unmeteredReplies: total.unmeteredReplies + 1 };
  return {
    ...counted,
    inputTokens: total.inputTokens + usage.inputTokens,
    outputTokens: total.outputTokens + usage.outputTokens,
    cachedTokens: total.cachedTokens + (usage.cachedTokens ?? 0),
    reasoningTokens: total.reasoningTokens + (usage.reasoningTokens ?? 0),
  };
}

/** Notes a fact about an open call. */
function learn(before: Report, { agent }: Recorded, fact: Partial<OpenCall> & { readonly id: string }): Report {
  const place = placeOf(before.open, agent, fact.id);
  return { ...before, open: before.open.map((call, index) => (index === place ? { ...call, ...fact } : call)) };
}

/** A policy gave a call another name or input. */
function rewritten(before: Report, recorded: Recorded, { data = {} }: Noted): Report {
  const { callId, name, input } = data;
  if (typeof callId !== 'string' || typeof name !== 'string') return before;
  return learn(before, recorded, { id: callId, name, subject: subjectOf(input) });
}

function answered(before: Report, { agent, at }: Recorded, result: ToolResult): Report {
  const place = placeOf(before.open, agent, result.callId);
  const call = before.open[place];
  if (!call) return before;
  const outcome = call.denial ? 'denied' : result.ok ? 'ok' : 'failed';
  const action = { ...actionOf(before, call, outcome), text: result.text, data: result.data ?? {} };
  const timed = call.startedAt === undefined ? action : { ...action, durationMs: at - call.startedAt };
  return { ...before, open: before.open.toSpliced(place, 1), actions: before.actions.append(timed) };
}

/** An ending leaves no call open: what had started has an unknown outcome, the rest never ran. */
function stopped(before: Report, agent: string, event: Stopped): Report {
  const own = before.open.filter((call) => call.agent === agent);
  const left = own.map((call) => actionOf(before, call, call.startedAt === undefined ? 'not run' : 'unknown'));
  const actions = left.reduce((all, action) => all.append(action), before.actions);
  const closed = { ...before, actions, open: before.open.filter((call) => call.agent !== agent) };
  return agent === 'main' ? { ...closed, ending: event } : closed;
}

const actionOf = (before: Report, call: OpenCall, outcome: ActionOutcome): Action => ({
  agent: call.agent,
  step: before.stepsByAgent.get(call.agent) ?? 0,
  tool: call.name,
  subject: call.subject,
  outcome,
  text: '',
  data: {},
  ...(call.denial ? { denial: call.denial } : {}),
});
