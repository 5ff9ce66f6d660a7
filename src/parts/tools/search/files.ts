/** Lists the files below a directory: ripgrep where there is one, else our own walk. */
import { relative } from 'node:path';
import { type FindRipgrep, type RipgrepEnd, runRipgrep } from './ripgrep.ts';
import { createUnread, type Unread } from './unread.ts';
import { walk } from './walk.ts';

export interface ListOptions {
  readonly findRipgrep: FindRipgrep;
  /** Absolute. */
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** A path relative to the directory. Returning false ends the listing. */
  onFile(path: string): boolean;
}

export interface Listing {
  readonly end: RipgrepEnd['end'];
  /** Files that were listed. */
  readonly files: number;
  readonly unread: Unread;
  /** Nothing was there but ignored files, so they were listed. */
  readonly isOfIgnored: boolean;
}

/** Hidden files count, `.git` and ignored files do not, unless there is nothing else. */
export async function listFiles(options: ListOptions): Promise<Listing> {
  const listing = await listOnce(options, 'yes');
  if (listing.files > 0 || listing.end === 'aborted' || listing.end === 'timeout')
    return { ...listing, isOfIgnored: false };
  const all = await listOnce(options, 'no');
  return { ...all, isOfIgnored: all.files > 0 };
}

async function listOnce(options: ListOptions, obeysIgnore: 'yes' | 'no'): Promise<Omit<Listing, 'isOfIgnored'>> {
  const program = options.findRipgrep();
  if (program === undefined) return walkOnce(options, obeysIgnore);
  let files = 0;
  const { end, unread } = await runRipgrep({
    program,
    args: ['--files', '--null', ...scopeFlags(obeysIgnore)],
    cwd: options.directory,
    signal: options.signal,
    timeoutMs: options.timeoutMs,
    separator: 0,
    onRecord: (record) => {
      files++;
      return options.onFile(record.toString('utf8'));
    },
  });
  // It also fails when a single directory could not be read; without a word of any it may not run on this machine at all.
  if (end !== 'failed') return { end, files, unread };
  return files > 0 || unread.count > 0 ? { end: 'done', files, unread } : walkOnce(options, obeysIgnore);
}

/** What is searched at all, the same for listing and for grep. */
export const scopeFlags = (obeysIgnore: 'yes' | 'no'): string[] => [
  '--hidden',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-messages',
  '--glob=!.git',
  ...(obeysIgnore === 'yes' ? [] : ['--no-ignore']),
];

async function walkOnce(options: ListOptions, obeysIgnore: 'yes' | 'no'): Promise<Omit<Listing, 'isOfIgnored'>> {
  const { directory, signal } = options;
  const until = performance.now() + options.timeoutMs;
  let files = 0;
  const unread = createUnread();
  const listing = (end: Listing['end']) => ({ end, files, unread: unread.seen() });
  for await (const path of walk({ directory, obeysIgnore, signal, onUnread: unread.add })) {
    files++;
    if (!options.onFile(relative(directory, path))) return listing('enough');
    if (performance.now() > until) return listing('timeout');
  }
  return listing(signal.aborted ? 'aborted' : 'done');
}
