/** What the user, the model and the tools say to each other. The list of these is the loop's only state. */
import * as z from 'zod/mini';

/** An image as the model gets it: base64 without a data-URL prefix. */
export const Image = z.object({ mediaType: z.string(), base64: z.string() });
export type Image = z.infer<typeof Image>;

/** One request of the model to use a tool. `id` is unique in the session. */
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  /** A JSON value; an object wherever the model's text could be read as one. Absent is undefined, which JSON drops. */
  input: z.optional(z.unknown()),
  /** Set when the arguments could not be read: says why. `input` then holds the raw text. */
  unreadable: z.optional(z.string()),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** The one shape in which every tool answers. `text` is for the model, `data` for surfaces and metrics. */
export const ToolResult = z.object({
  callId: z.string(),
  ok: z.boolean(),
  text: z.string(),
  data: z.optional(z.record(z.string(), z.unknown())),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** What a vendor demands back word for word: reasoning fields, thinking blocks, signatures, output items. */
export const Native = z.object({
  /** The wire that understands `content`; another wire leaves it out. */
  wire: z.string(),
  /** `provider/model` that said it. */
  model: z.string(),
  content: z.optional(z.unknown()),
});
export type Native = z.infer<typeof Native>;

/** A model's reply as the loop accepted it. */
export const Reply = z.object({
  from: z.literal('model'),
  text: z.string(),
  /** Thinking, for people to read. What must go back to the vendor is in `native`. */
  reasoning: z.optional(z.string()),
  calls: z.array(ToolCall),
  native: z.optional(Native),
});
export type Reply = z.infer<typeof Reply>;

export const UserMessage = z.object({
  from: z.literal('user'),
  text: z.string(),
  images: z.optional(z.array(Image)),
  /** Who speaks in the user's place (a policy's id); absent for the user's own words. */
  by: z.optional(z.string()),
});
export type UserMessage = z.infer<typeof UserMessage>;

export const ToolsMessage = z.object({ from: z.literal('tools'), results: z.array(ToolResult) });
export type ToolsMessage = z.infer<typeof ToolsMessage>;

export const Message = z.discriminatedUnion('from', [UserMessage, Reply, ToolsMessage]);
export type Message = z.infer<typeof Message>;
