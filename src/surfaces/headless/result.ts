/** The result object of `--output-format json` and the last line of `stream-json`. */
import * as z from 'zod/mini';
import { Fault } from '../../protocol/fault.ts';

export const Status = z.enum([
  'finished',
  'failed',
  'usage',
  'limit',
  'denied',
  'provider',
  'interrupted',
  'terminated',
]);
export type Status = z.infer<typeof Status>;

const count = z.int().check(z.nonnegative());

export const HeadlessResult = z.object({
  type: z.literal('result'),
  /** Raised when a field changes its meaning or goes. New fields may come at any time. */
  schema: z.literal(1),
  status: Status,
  exitCode: z.int(),
  /** The answer; null unless the model finished. */
  result: z.nullable(z.string()),
  /** What the model had said when the run was stopped; null where it finished or had said nothing. */
  partial: z.nullable(z.string()),
  sessionId: z.nullable(z.string()),
  model: z.nullable(z.string()),
  cwd: z.nullable(z.string()),
  /** Replies of the model that were accepted. */
  steps: count,
  durationMs: count,
  usage: z.object({
    /** Cached ones included. */
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count,
    reasoningTokens: count,
    replies: count,
    /** Replies of which the provider told no usage. */
    unmeteredReplies: count,
  }),
  /** How well the replies were formed. */
  replies: z.object({
    accepted: count,
    /** Used as they came. */
    wellFormed: count,
    /** Used after a mend, or a call found in the text, without asking again. */
    mended: count,
    /** Used after asking again. */
    retried: count,
    /** Held a call that was refused for its form. */
    refused: count,
  }),
  /** Of this turn; null where the session keeps no account. */
  cost: z.nullable(
    z.object({
      /** US dollars, as far as prices are known. */
      usd: z.number(),
      /** Replies of which the server told no usage: their tokens are estimated. */
      estimatedReplies: count,
      /** Replies of models whose price is not known: they count as nothing. */
      unpricedReplies: count,
      /** Of the whole session. */
      sessionUsd: z.number(),
    }),
  ),
  /** Every tool call, in the order of the answers. */
  actions: z.array(
    z.object({
      agent: z.string(),
      step: count,
      tool: z.string(),
      subject: z.string(),
      outcome: z.enum(['ok', 'failed', 'denied', 'unknown', 'not run']),
      durationMs: z.nullable(count),
    }),
  ),
  changedFiles: z.array(z.object({ path: z.string(), added: count, removed: count })),
  /** Tests, builds and linters that ran after the last change. */
  verifiedBy: z.array(
    z.object({
      command: z.string(),
      outcome: z.enum(['passed', 'failed', 'empty', 'unknown']),
      exitCode: z.nullable(z.int()),
      durationMs: z.nullable(count),
    }),
  ),
  denials: z.array(z.object({ tool: z.string(), subject: z.string(), by: z.string(), reason: z.string() })),
  /** Why the run ended early; null where the model finished. */
  stop: z.nullable(z.object({ reason: z.string(), by: z.nullable(z.string()) })),
  fault: z.nullable(Fault),
  notices: z.array(z.string()),
});
export type HeadlessResult = z.infer<typeof HeadlessResult>;
