/** The words of the permission engine. */
import * as z from 'zod/mini';

/** What a tool does to the world. Readers may overlap; everything else runs in order. */
export const Effect = z.enum(['reads', 'writes', 'executes']);
export type Effect = z.infer<typeof Effect>;

export const Mode = z.enum(['default', 'accept-edits', 'plan', 'auto', 'bypass']);
export type Mode = z.infer<typeof Mode>;

/** A verdict about one call, before a person was asked. */
export interface Verdict {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** `mode:NAME` or `rule:TEXT`. */
  readonly by: string;
  readonly reason: string;
}

/** What a person answers. */
export type Answer =
  | { readonly answer: 'once' }
  | { readonly answer: 'session' }
  | { readonly answer: 'no'; readonly reason?: string };

/** What happens in the end. */
export interface Decision {
  readonly decision: 'allow' | 'deny';
  readonly by: string;
  readonly reason?: string;
}
