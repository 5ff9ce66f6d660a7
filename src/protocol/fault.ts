/** An expected failure. Its message says what failed, with which value, and what to do. */
import * as z from 'zod/mini';

export const FaultKind = z.enum([
  /** The user, a limit or a signal called the work off. */
  'aborted',
  /** Wrong flags, config or input of the user's own. */
  'usage',
  /** A file, directory or disk of this machine. */
  'storage',
  /** Nobody answers at the provider's address. */
  'unreachable',
  /** The key is missing or refused. */
  'unauthorised',
  /** Out of credit or quota. */
  'quota',
  /** Too many requests just now. */
  'rate',
  /** The provider is overloaded or failed inside (5xx). */
  'overloaded',
  /** The provider does not know the model or address. */
  'not found',
  /** The request does not fit the model's window. */
  'overflow',
  /** The provider refused the request for another reason (4xx). */
  'refused',
  /** The stream fell silent. */
  'stalled',
  /** The reply broke off before its end. */
  'cut',
  /** The answer is not what the wire format allows. */
  'garbled',
  /** A cap on cost or tokens that the user set is reached. */
  'budget',
  /** A bug of ours. */
  'internal',
]);
export type FaultKind = z.infer<typeof FaultKind>;

export const Fault = z.object({
  kind: FaultKind,
  message: z.string(),
  /** HTTP status, where there was one. */
  status: z.optional(z.number()),
  /** What the provider asked us to wait, in milliseconds. */
  retryAfterMs: z.optional(z.number()),
  /** Asking again changes nothing before somebody mends it: a certificate, a proxy's refusal. */
  isLasting: z.optional(z.boolean()),
  /** Of an overflow: the window that the provider named, in tokens. */
  windowTokens: z.optional(z.number()),
  /** Of an overflow: how large the provider found the request without its reply, in tokens. */
  promptTokens: z.optional(z.number()),
  /** What the model said and its server could not read; empty where the server keeps it. The server itself is well. */
  unread: z.optional(z.string()),
});
export type Fault = z.infer<typeof Fault>;

export const fault = (kind: FaultKind, message: string, more: Partial<Fault> = {}): Fault => ({
  kind,
  message,
  ...more,
});

/** Faults of the provider's side: exit code 5, and worth another provider. */
export const isProviderFault = ({ kind }: Fault): boolean =>
  kind !== 'aborted' && kind !== 'usage' && kind !== 'storage' && kind !== 'budget' && kind !== 'internal';
