/** What a command's own exit status was, as far as it can be proven. */
import type { Simple } from '../shell-line/tree.ts';

/** What keeps a status from being known. `by` names the command whose status was seen instead. */
export interface Mask {
  readonly kind:
    | 'pipe'
    | 'after'
    | 'or'
    | 'and'
    | 'background'
    | 'condition'
    | 'loop'
    | 'branch'
    | 'function'
    | 'substitution'
    | 'cut off'
    | 'not ended'
    | 'unclear';
  readonly by?: string;
  /** What hides that command's status again. */
  readonly within?: Mask;
}

/** `failed`: not 0, the number itself is not known. */
export type Status =
  | { readonly is: 'exit'; readonly code: number }
  | { readonly is: 'failed' }
  | { readonly is: 'not run' }
  | { readonly is: 'unknown'; readonly mask: Mask };

/** What was seen when the line had ended. */
export interface Seen {
  /** Of the shell itself; undefined where a signal or a time-out ended it, or it goes on. */
  readonly exitCode: number | undefined;
  /** The statuses of the pipeline that ran last in the shell itself, where they were told. */
  readonly pipeStatus?: readonly number[] | undefined;
  /** What it printed. */
  readonly output?: string | undefined;
  /** Of the output something before its end is missing. */
  readonly isCut?: boolean;
}

export interface CommandStatus {
  readonly command: Simple;
  readonly status: Status;
}
