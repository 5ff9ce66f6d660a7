/** Walks a tree in-process as ripgrep would: no links followed, ignore files obeyed, `.git` left out. */
import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { attempt, codeOf } from '../../../base/attempt.ts';
import type { UnreadList } from './unread.ts';

export interface WalkOptions {
  /** Absolute. */
  readonly directory: string;
  readonly obeysIgnore: 'yes' | 'no';
  readonly signal: AbortSignal;
  /** A directory that could not be listed, absolute. */
  readonly onUnread: UnreadList['add'];
}

type Matcher = { test(path: string): { readonly ignored: boolean; readonly unignored: boolean } };

/** The rules of one directory's ignore files; the nearest to an entry that says anything about it wins. */
interface Rules {
  readonly directory: string;
  readonly matcher: Matcher;
  readonly parent: Rules | undefined;
}

const ignoreFiles = ['.gitignore', '.ignore'] as const;

/** Absolute paths of regular files, directory by directory. */
export async function* walk({ directory, obeysIgnore, signal, onUnread }: WalkOptions): AsyncGenerator<string> {
  const rulesAt =
    obeysIgnore === 'yes' ? await ruleReader() : async (_path: string, parent: Rules | undefined) => parent;
  let rules: Rules | undefined;
  for (const above of await directoriesAbove(directory)) rules = await rulesAt(above, rules);
  const open: { readonly path: string; readonly rules: Rules | undefined }[] = [{ path: directory, rules }];
  for (let next = open.pop(); next !== undefined && !signal.aborted; next = open.pop()) {
    const { path } = next;
    const entries = await entriesOf(path, onUnread);
    const here = await rulesAt(path, next.rules, entries);
    const wanted = entries.filter((entry) => isWanted(join(path, entry.name), entry, here));
    for (const entry of wanted) if (entry.isFile()) yield join(path, entry.name);
    const below = wanted.filter((entry) => entry.isDirectory()).reverse();
    open.push(...below.map((entry) => ({ path: join(path, entry.name), rules: here })));
  }
}

/** Reads the ignore files of a directory on top of the rules from above. */
async function ruleReader() {
  const { default: ignore } = await import('ignore');
  return async (path: string, parent: Rules | undefined, entries?: readonly Dirent[]): Promise<Rules | undefined> => {
    const texts = await Promise.all(ignoreFiles.map((name) => readIfThere(path, name, entries)));
    const text = texts.join('\n').trim();
    return text === '' ? parent : { directory: path, matcher: ignore().add(text), parent };
  };
}

function isWanted(path: string, entry: Dirent, rules: Rules | undefined): boolean {
  if (entry.name === '.git') return false;
  if (entry.isDirectory()) return !isIgnored(path, '/', rules);
  return entry.isFile() && !isIgnored(path, '', rules);
}

async function entriesOf(directory: string, onUnread?: WalkOptions['onUnread']): Promise<Dirent[]> {
  const entries = await attempt(() => readdir(directory, { withFileTypes: true }), codeOf);
  if (!entries.ok) onUnread?.(directory, entries.fault);
  return entries.ok ? entries.value.sort((left, right) => (left.name < right.name ? -1 : 1)) : [];
}

async function readIfThere(directory: string, name: string, entries?: readonly Dirent[]): Promise<string> {
  // A FIFO of that name would hold the read for ever.
  if (entries && !entries.some((entry) => entry.name === name && entry.isFile())) return '';
  const text = await attempt(() => readFile(join(directory, name), 'utf8'), codeOf);
  return text.ok ? text.value : '';
}

/** From the top of the repository down to the directory's parent; none outside a repository. */
async function directoriesAbove(directory: string): Promise<string[]> {
  const above: string[] = [];
  for (let current = directory; ; current = dirname(current)) {
    if (current !== directory) above.unshift(current);
    if ((await entriesOf(current)).some(({ name }) => name === '.git')) return above;
    if (current === dirname(current)) return [];
  }
}

function isIgnored(path: string, suffix: '/' | '', rules: Rules | undefined): boolean {
  for (let current = rules; current; current = current.parent) {
    const verdict = current.matcher.test(path.slice(current.directory.length).replace(/^\//, '') + suffix);
    if (verdict.ignored || verdict.unignored) return verdict.ignored;
  }
  return false;
}
