/** The lines of `--output-format stream-json`. */
import * as z from 'zod/mini';
import { Event } from '../../protocol/event.ts';
import { Usage } from '../../protocol/model.ts';
import { HeadlessResult } from './result.ts';

/** The first line. */
export const InitLine = z.object({
  type: z.literal('init'),
  schema: z.literal(1),
  sessionId: z.string(),
  model: z.string(),
  cwd: z.string(),
  notices: z.array(z.string()),
});
export type InitLine = z.infer<typeof InitLine>;

/** A recorded event, as it stands in the journal. */
export const EventLine = z.object({
  type: z.literal('event'),
  seq: z.number(),
  /** Milliseconds since 1970. */
  at: z.number(),
  agent: z.string(),
  parentCall: z.optional(z.string()),
  event: Event,
});
export type EventLine = z.infer<typeof EventLine>;

/** What is shown while work is under way and stored nowhere. */
export const LiveLine = z.object({
  type: z.literal('live'),
  live: z.discriminatedUnion('type', [
    z.object({ type: z.literal('text.grew'), delta: z.string() }),
    z.object({ type: z.literal('reply.dropped'), reason: z.string() }),
    z.object({ type: z.literal('usage.known'), usage: Usage }),
    z.object({
      type: z.literal('retry.waited'),
      attempt: z.number(),
      delayMs: z.number(),
      reason: z.string(),
    }),
    z.object({ type: z.literal('model.switched'), from: z.string(), to: z.string(), reason: z.string() }),
  ]),
});
export type LiveLine = z.infer<typeof LiveLine>;

export const StreamLine = z.discriminatedUnion('type', [InitLine, EventLine, LiveLine, HeadlessResult]);
export type StreamLine = z.infer<typeof StreamLine>;
