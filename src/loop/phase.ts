/** What the work of a phase may use. */
import type { Event, Stopped, StopReason } from '../protocol/event.ts';
import type { Fault } from '../protocol/fault.ts';
import type { Conversation } from './conversation.ts';
import type { LineUp } from './lineup.ts';
import type { Clock, Emit, Journal, Model, ModelRequest, Permit, Policy, ToolBox } from './ports.ts';

export interface Deps {
  readonly model: Model;
  readonly tools: ToolBox;
  readonly permit: Permit;
  readonly policies: readonly Policy[];
  readonly journal: Journal;
  readonly clock: Clock;
  /** What every request of the session has in common. */
  readonly request: Omit<ModelRequest, 'messages'>;
  readonly limits: RunLimits;
}

export interface RunLimits {
  /** Milliseconds of work in one turn, waiting for a person left out; 0 for none. */
  readonly turnMs: number;
  /** Milliseconds for one tool call that states no limit of its own; 0 for none. */
  readonly toolMs: number;
  /** Milliseconds that an aborted model or tool gets to come back before it is left behind. */
  readonly graceMs: number;
}

export interface PhaseIo {
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Resolves once the event is written and folded in; with a fault where the journal failed. */
  readonly record: (event: Event, isSynced: boolean) => Promise<Fault | undefined>;
  readonly conversation: () => Conversation;
  readonly lineUp: LineUp;
  readonly waiting: <T>(work: () => Promise<T>) => Promise<T>;
}

const abortReasons: readonly string[] = [
  'interrupted',
  'terminated',
  'crashed',
  'step limit',
  'nudge limit',
  'time limit',
  'fault',
  'policy',
] satisfies StopReason[];

/** The ending that an abort asks for: its reason is a StopReason, or a signal's name. */
export function stoppedBy({ reason }: AbortSignal): Stopped {
  if (typeof reason !== 'string') return { type: 'stopped', reason: 'interrupted' };
  if (abortReasons.includes(reason)) return { type: 'stopped', reason: reason as StopReason }; // a member of the list above
  return { type: 'stopped', reason: 'terminated', by: reason };
}
