/**
 * Everything that can happen in a session. The journal is the list of these, and the journal is the truth: resume, fork,
 * replay, audit, cost and metrics are folds over it. Names are in the past tense; a stored event is never changed.
 */
import * as z from 'zod/mini';
import { Fault } from './fault.ts';
import { Image, Message, Reply, ToolResult } from './message.ts';
import { Fragment, RawReply, ToolSpec } from './model.ts';

export const StopReason = z.enum([
  'interrupted',
  'terminated',
  'crashed',
  'step limit',
  'nudge limit',
  'time limit',
  'budget limit',
  'fault',
  'policy',
]);
export type StopReason = z.infer<typeof StopReason>;

/** What the session is, and the rendered prompt: written at the start, and again when model, prompt or tools change. */
export const Opened = z.object({
  type: z.literal('opened'),
  sessionId: z.string(),
  version: z.string(),
  /** Working directory, an absolute real path. */
  cwd: z.string(),
  /** `provider/model`. */
  model: z.string(),
  system: z.array(Fragment),
  tools: z.array(ToolSpec),
  /** Of each turn from here on. */
  limits: z.optional(z.object({ steps: z.number(), nudges: z.number() })),
  /** Where this session was forked from. */
  forkOf: z.optional(z.object({ sessionId: z.string(), seq: z.number() })),
});
export type Opened = z.infer<typeof Opened>;

export const Prompted = z.object({
  type: z.literal('prompted'),
  text: z.string(),
  images: z.optional(z.array(Image)),
});
export type Prompted = z.infer<typeof Prompted>;

/** A raw reply, whole or cut, used or not. */
export const Heard = z.object({
  type: z.literal('heard'),
  model: z.string(),
  raw: RawReply,
  requestBytes: z.number(),
  firstOutputMs: z.optional(z.number()),
  totalMs: z.number(),
});
export type Heard = z.infer<typeof Heard>;

export const Replied = z.object({ type: z.literal('replied'), reply: Reply });
export type Replied = z.infer<typeof Replied>;

export const Decided = z.object({
  type: z.literal('decided'),
  callId: z.string(),
  decision: z.enum(['allow', 'deny']),
  /** `mode:NAME`, `rule:TEXT`, `user`, `policy:ID`, `nobody` (an ask that no one could answer). */
  by: z.string(),
  reason: z.optional(z.string()),
});
export type Decided = z.infer<typeof Decided>;

/** The intent to run a call. On disk before the tool starts, so that a crash never leads to a second run. */
export const Started = z.object({ type: z.literal('started'), callId: z.string() });
export type Started = z.infer<typeof Started>;

export const Answered = z.object({ type: z.literal('answered'), result: ToolResult });
export type Answered = z.infer<typeof Answered>;

/** A policy sent the model on. `reply` is the refused reply, where the model should see it again. */
export const Nudged = z.object({
  type: z.literal('nudged'),
  by: z.string(),
  text: z.string(),
  reply: z.optional(Reply),
});
export type Nudged = z.infer<typeof Nudged>;

/** The first `cut` messages were replaced by `messages`. */
export const Compacted = z.object({
  type: z.literal('compacted'),
  by: z.string(),
  cut: z.number(),
  messages: z.array(Message),
});
export type Compacted = z.infer<typeof Compacted>;

/** A fact beside the conversation (a repair, a retry, a name, a resume). `advance` ignores it. */
export const Noted = z.object({
  type: z.literal('noted'),
  by: z.string(),
  kind: z.string(),
  data: z.optional(z.record(z.string(), z.unknown())),
});
export type Noted = z.infer<typeof Noted>;

/** The gates let the turn end: it is finished. */
export const Released = z.object({ type: z.literal('released') });
export type Released = z.infer<typeof Released>;

/** The turn ended in any other way. */
export const Stopped = z.object({
  type: z.literal('stopped'),
  reason: StopReason,
  /** Who stopped it (a policy's id, a signal's name). */
  by: z.optional(z.string()),
  fault: z.optional(Fault),
  /** Text that had been streamed when the user interrupted. */
  partial: z.optional(z.string()),
});
export type Stopped = z.infer<typeof Stopped>;

export const Event = z.discriminatedUnion('type', [
  Opened,
  Prompted,
  Heard,
  Replied,
  Decided,
  Started,
  Answered,
  Nudged,
  Compacted,
  Noted,
  Released,
  Stopped,
]);
export type Event = z.infer<typeof Event>;

/** An event as it stands in the journal. */
export interface Recorded {
  /** Position in the session's journal, counted from 1. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Who acted: `main`, or a sub-agent's id. */
  readonly agent: string;
  /** The tool call under which a sub-agent acts. */
  readonly parentCall?: string;
  readonly event: Event;
}
