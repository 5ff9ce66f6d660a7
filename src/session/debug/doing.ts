/** The words for what a session does with a reply. */
import type { ToolCall } from '../../protocol/message.ts';

export type Doing =
  /** As it came. */
  | 'accept'
  /** Some calls run, others are refused. */
  | 'execute'
  /** With mended calls or cleaned text. */
  | 'repair'
  /** With calls that were found in the text or the thinking. */
  | 'salvage'
  /** Runs, with a warning. */
  | 'warn'
  /** Nothing of it runs; the model, or the user, is told why. */
  | 'reject'
  /** The same turn again. */
  | 'resample'
  /** The same turn again, in one piece. */
  | 'retry_nonstream'
  /** Sent back with a reason. */
  | 'nudge'
  /** The same request again, repaired where it was refused. */
  | 'retry'
  /** The same work with less of what the server knows. */
  | 'degrade'
  /** The history is shortened first. */
  | 'compact';

export const callOf = ({ id, name, input }: ToolCall) => ({ ...(id ? { id } : {}), name, args: input });
