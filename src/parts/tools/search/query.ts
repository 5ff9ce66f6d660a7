/** What is asked of a search in contents, and how it ended. */
import type { Hits } from './hits.ts';
import type { FindRipgrep, RipgrepEnd } from './ripgrep.ts';
import type { Unread } from './unread.ts';

export interface Query {
  readonly pattern: string;
  readonly syntax: 'regex' | 'plain';
  readonly ignoresCase: boolean;
  /** Lines around each match. */
  readonly context: number;
  /** A file or directory, absolute and real. */
  readonly target: string;
  /** Only in files of this name; relative to `cwd`, to the target or to nothing. */
  readonly filter?: string;
  readonly cwd: string;
  readonly obeysIgnore: 'yes' | 'no';
}

export interface SearchDeps {
  readonly findRipgrep: FindRipgrep;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly hits: Hits;
}

export interface SearchEnd {
  readonly end: RipgrepEnd['end'];
  /** Files looked into; undefined when the search ended early. */
  readonly searched: number | undefined;
  readonly unread: Unread;
  /** Binary files with a match; their lines are not shown. */
  readonly binary: number;
  /** Absolute paths of ignored files with a match that fit the filter; left out. */
  readonly ignored: readonly string[];
  /** Why the pattern is no regular expression. */
  readonly badPattern?: string;
}

/** True when a match may reach over a line's end. */
export const spansLines = ({ pattern, syntax }: Pick<Query, 'pattern' | 'syntax'>): boolean =>
  pattern.includes('\n') || (syntax === 'regex' && /\\n|\(\?[a-z]*s/.test(pattern));
