/** What is sent to a model and what comes back, whatever the wire. */
import * as z from 'zod/mini';

/** A named piece of the system prompt: who says it and why is known to `smew context`. */
export const Fragment = z.object({ name: z.string(), text: z.string() });
export type Fragment = z.infer<typeof Fragment>;

/** A tool as the model is told of it. `parameters` is a JSON Schema object. */
export const ToolSpec = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});
export type ToolSpec = z.infer<typeof ToolSpec>;

/** Tokens as the provider counted them. `inputTokens` includes the cached ones. */
export const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.optional(z.number()),
  cacheWriteTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
});
export type Usage = z.infer<typeof Usage>;

/** Why the model ended: the wire's own word is in `RawReply.finishWord`. */
export const FinishReason = z.enum(['stop', 'calls', 'length', 'filtered', 'unknown']);
export type FinishReason = z.infer<typeof FinishReason>;

/** A reply as the wire assembled it, before anything is mended: argument texts are as they came. */
export const RawReply = z.object({
  text: z.string(),
  reasoning: z.optional(z.string()),
  calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  finish: FinishReason,
  finishWord: z.optional(z.string()),
  /** The reply ended without saying so, or at the token cap: never to be taken for whole. */
  isCut: z.boolean(),
  /** It came in pieces, so that asking for it in one may cure a defect of the stream. */
  isStreamed: z.optional(z.boolean()),
  /** A piece of it came so that it could not be read: what is here has a hole. */
  hasGap: z.optional(z.boolean()),
  usage: z.optional(Usage),
  /** The model that the server says answered. */
  servedBy: z.optional(z.string()),
  /** See `Native.content`. */
  native: z.optional(z.unknown()),
});
export type RawReply = z.infer<typeof RawReply>;
