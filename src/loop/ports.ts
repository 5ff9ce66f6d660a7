/** What the loop needs from outside. Parts implement these; session/assemble.ts plugs them in. */
import type { List } from '../base/list.ts';
import type { Result } from '../base/result.ts';
import type { Event, Heard, Noted, Recorded } from '../protocol/event.ts';
import type { Fault, FaultKind } from '../protocol/fault.ts';
import type { LiveEvent } from '../protocol/live.ts';
import type { Message, Reply, ToolCall, ToolResult } from '../protocol/message.ts';
import type { Fragment, RawReply, ToolSpec } from '../protocol/model.ts';
import type { Decision, Effect } from '../protocol/permission.ts';
import type { Conversation } from './conversation.ts';

/** Shows something, or leaves a fact for the journal. Only `run` numbers and writes. */
export type Emit = (happening: LiveEvent | Noted | Heard) => void;

export interface WorkIo {
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

/** One request to a model, in no vendor's words. */
export interface ModelRequest {
  /** `provider/model`. */
  readonly model: string;
  readonly system: readonly Fragment[];
  readonly tools: readonly ToolSpec[];
  readonly messages: List<Message>;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** A level that the model knows: `low`, `medium`, `high`, ... */
  readonly effort?: string;
  /** False asks for this reply in one piece, where its stream came out damaged. */
  readonly isStreamed?: boolean;
}

/** A wire: sends, streams deltas through `emit`, returns what came. A refused or broken request is a fault, never a throw. */
export type Wire = (request: ModelRequest, io: WorkIo) => Promise<Result<RawReply, Fault>>;

/** A model as the loop knows it: retried, metered, its replies read. Every raw reply was emitted as `heard`. */
export type Model = (request: ModelRequest, io: WorkIo) => Promise<Result<Reply, Fault>>;

/** What a tool answers; the loop adds the call's id. */
export type ToolAnswer = Omit<ToolResult, 'callId'>;

export interface ToolIo extends WorkIo {
  readonly callId: string;
}

/** A call whose input was read against its tool's schema and may run. */
export interface PreparedCall {
  readonly effect: Effect;
  /** What a person is asked about: a command line, a path. */
  readonly subject: string;
  /** Its own time limit in milliseconds, where the tool states one. */
  readonly timeoutMs?: number;
  /** Never throws; stops soon after `io.signal` aborts and then answers with what it has. */
  run(io: ToolIo): Promise<ToolAnswer>;
}

export interface ToolBox {
  readonly specs: readonly ToolSpec[];
  /** Fails with the answer that the model gets: unknown tool, wrong input. */
  prepare(call: ToolCall): Result<PreparedCall, ToolAnswer>;
}

export interface PermitIo extends WorkIo {
  /** Does `work` with the turn's clock stopped: a person's thinking time counts for no limit. */
  waiting<T>(work: () => Promise<T>): Promise<T>;
}

/** Decides, and asks a person where it must. */
export type Permit = (call: ToolCall, prepared: PreparedCall, io: PermitIo) => Promise<Decision>;

export interface Journal {
  /** Writes one event; it is in the hands of the operating system when this returns. */
  append(event: Event, agent: string): Result<Recorded, Fault>;
  /** Returns when everything appended is on the disk. */
  sync(): Promise<Result<void, Fault>>;
}

/** Time from outside, so that a recorded session replays to the same events. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** What a policy sees beside the value at its joint. */
export interface View<State = unknown> {
  readonly conversation: Conversation;
  /** Its own fold, up to date; undefined without one. */
  readonly state: State;
  /** At beforeModel, after a request of this step failed: why. Only a compaction changes what happens then. */
  readonly refused?: Fault;
}

type Soon<T> = T | Promise<T>;
export type Nudge = { readonly nudge: string };
export type Deny = { readonly deny: string };
/** `kind` where the reason is more than the policy's own will. */
export type Stop = { readonly stop: string; readonly kind?: FaultKind };
export type Compact = { readonly compact: { readonly cut: number; readonly messages: readonly Message[] } };

/** One concern of the agent, plugged in at any of five joints. Keeps no state: it reads the conversation, or declares a fold. */
export interface Policy<State = unknown> {
  readonly id: string;
  readonly fold?: { readonly initial: State; step(state: State, recorded: Recorded): State };
  beforeModel?(request: ModelRequest, view: View<State>): Soon<ModelRequest | Compact | Nudge | Stop>;
  afterModel?(reply: Reply, view: View<State>): Soon<Reply | Nudge | Stop>;
  beforeTool?(call: ToolCall, view: View<State>): Soon<ToolCall | Deny>;
  afterTool?(result: ToolResult, view: View<State>): Soon<ToolResult>;
  beforeFinish?(view: View<State>): Soon<Nudge | undefined>;
}
