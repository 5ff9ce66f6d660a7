/** A session as every surface sees it: intents in, events out. Made by assemble.ts. */
import type { Result } from '../base/result.ts';
import type { Conversation } from '../loop/conversation.ts';
import type { Recorded, StopReason } from '../protocol/event.ts';
import type { Fault } from '../protocol/fault.ts';
import type { LiveEvent, Question } from '../protocol/live.ts';
import type { Image } from '../protocol/message.ts';
import type { Answer } from '../protocol/permission.ts';
import type { Ledger } from './ledger.ts';

export interface Session {
  readonly id: string;
  /** `provider/model`. */
  readonly model: string;
  readonly cwd: string;
  readonly conversation: () => Conversation;
  /** Everything recorded so far, this run's events included. */
  readonly past: () => readonly Recorded[];
  /** What the user should know before the first word: damage set aside, instructions ignored, unknown config keys. */
  readonly notices: readonly string[];
  /**
   * Says something. When idle it starts a turn and yields its events, stored and live, until it is done; the value
   * returned is the journal's fault, if it broke. While a turn runs use `say`.
   */
  prompt(text: string, images?: readonly Image[]): AsyncGenerator<Recorded | LiveEvent, Fault | undefined>;
  /** Adds words to the running turn; resolves once they are on disk. Fails when no turn runs. */
  say(text: string): Promise<Result<void, Fault>>;
  /** Writes what opens the session, without a word said; a prompt does so by itself. */
  begin(): Result<void, Fault>;
  /** What the replies cost so far, in this turn and in the session. */
  readonly spent: () => Ledger;
  /** Leaves out old tool results; how many tokens that frees, by estimate. Fails while a turn runs. */
  compact(): Result<number, Fault>;
  /** What became of background shells, a line each, told once; `all`: and of those that end with the session. */
  readonly shellEnds: (which: 'all' | 'ended') => readonly string[];
  /** Ends the running turn. What does not come back within the grace time is left behind. */
  stop(reason: StopReason | NodeJS.Signals): void;
  /** Syncs and unlocks the journal. */
  close(): Promise<void>;
}

/** How a surface answers what only a person can decide. Without one, an ask is a denial. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;
