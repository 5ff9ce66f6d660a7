/** What a server was found to refuse, per base URL and model. Kept in a file that its user can read and delete. */
import * as z from 'zod/mini';

export const Quirks = z.object({
  /** `false`: streams came out damaged or are refused, so replies are asked for in one piece. */
  streams: z.optional(z.literal(false)),
  /** `false`: `stream_options` is refused. */
  usage: z.optional(z.literal(false)),
  capField: z.optional(z.enum(['max_tokens', 'max_completion_tokens', 'none'])),
  /** The largest cap that is accepted, in tokens. */
  capTokens: z.optional(z.number()),
  /** Request fields that are refused, by their names on the wire. */
  omits: z.optional(z.array(z.string())),
  /** `simple`: only what every vendor knows of JSON Schema; `flat`: without nested objects as well. */
  schemas: z.optional(z.enum(['simple', 'flat'])),
  /** Tools whose schemas no form could save. */
  omitsTools: z.optional(z.array(z.string())),
  /** `text`: tools are told in the prompt and called in the text. */
  tools: z.optional(z.literal('text')),
  images: z.optional(z.literal('none')),
  /** `all`: every earlier reply must carry a reasoning field. */
  reasoning: z.optional(z.literal('all')),
  /** `user`: there is no system role. */
  system: z.optional(z.literal('user')),
  /** `nine`: ids of calls are nine letters and digits. */
  ids: z.optional(z.literal('nine')),
  /** `alternating`: two messages of one role in a row are refused. */
  roles: z.optional(z.literal('alternating')),
});
export type Quirks = z.infer<typeof Quirks>;
