/** glob: files by the pattern of their path, newest first. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod/mini';
import { attemptSync, codeOf } from '../../base/attempt.ts';
import type { ToolAnswer, ToolIo } from '../../loop/ports.ts';
import { type Listing, listFiles } from './search/files.ts';
import { compileGlob, type SplitGlob, splitGlob } from './search/patterns.ts';
import type { FindRipgrep } from './search/ripgrep.ts';
import { unreadNote } from './search/unread.ts';
import { defineTool, type Tool } from './tool.ts';
import { visible } from './visible.ts';
import { unreadable, type Workspace } from './workspace.ts';

export interface GlobDeps {
  readonly workspace: Workspace;
  readonly findRipgrep: FindRipgrep;
}

const Input = z.strictObject({ pattern: z.string(), path: z.optional(z.string()) });
type Input = z.infer<typeof Input>;

const shownAtMost = 100;
/** Their times are looked up, so they are bounded. */
const matchesAtMost = 20_000;
const timeoutMs = 15_000;

export function globTool(deps: GlobDeps): Tool {
  return defineTool({
    name: 'glob',
    description:
      'Find files by name pattern (src/**/*.{ts,tsx}, *.md at any depth), newest first, ignored files left out. To search in contents use grep.',
    effect: 'reads',
    input: Input,
    subject: ({ pattern, path }) => (path ? `${pattern} in ${deps.workspace.subject(path)}` : pattern),
    run: (input, io) => find(deps, input, io),
  });
}

/** Where a search starts and what it looks for, in the model's words and in ours. */
interface Hunt {
  readonly directory: string;
  readonly shown: string;
  readonly pattern: string;
  readonly glob: SplitGlob;
}

async function find(deps: GlobDeps, { pattern, path = '.' }: Input, io: ToolIo): Promise<ToolAnswer> {
  const { workspace } = deps;
  if (pattern.trim() === '')
    return refuse('The pattern is empty. Give one such as **/*.ts; to see a directory use list.');
  const from = await workspace.resolveForRead(path || '.');
  if (!from.ok) return refuse(from.fault);
  const glob = splitGlob(pattern, (base) => existsSync(resolve(from.value.absolute, base)));
  const start =
    glob.base === '' ? from : await workspace.resolveForRead(workspace.show(resolve(from.value.absolute, glob.base)));
  if (!start.ok) return refuse(`Nothing can match "${pattern}". ${start.fault}`);
  const { absolute, shown } = start.value;
  if (!statSync(absolute).isDirectory())
    return refuse(`${shown} is a file, not a directory. Give a directory as path.`);
  const closed = unreadable(start.value);
  if (closed !== undefined) return refuse(closed);
  return search(deps, { directory: absolute, shown, pattern, glob }, io);
}

async function search(deps: GlobDeps, hunt: Hunt, io: ToolIo): Promise<ToolAnswer> {
  const { directory, glob } = hunt;
  const exact = await compileGlob(glob.rest, { isNegated: glob.isNegated, ignoresCase: false });
  const loose = await compileGlob(glob.rest, { isNegated: glob.isNegated, ignoresCase: true });
  const matches: string[] = [];
  const otherCase: string[] = [];
  const listing = await listFiles({
    findRipgrep: deps.findRipgrep,
    directory,
    signal: io.signal,
    timeoutMs,
    onFile: (file) => {
      if (exact(file)) matches.push(file);
      else if (otherCase.length < 3 && loose(file)) otherCase.push(file);
      return matches.length < matchesAtMost;
    },
  });
  if (listing.end === 'aborted') return refuse('The search was called off.');
  const show = (file: string) => visible(deps.workspace.show(join(directory, file)));
  const note = unreadNote(listing.unread, (path) => visible(deps.workspace.show(path)));
  const unread = note === undefined ? [] : [`(${note})`];
  if (matches.length === 0) {
    const isBlind = listing.files === 0 && unread.length > 0;
    const text = isBlind
      ? `No file below ${hunt.shown} could be looked at.`
      : noMatch(hunt, listing, otherCase.map(show));
    return { ok: !isBlind, text: [text, ...unread].join(' '), data: { hits: 0 } };
  }
  const newest = await byTime(directory, matches);
  const shown = newest.slice(0, shownAtMost).map(show);
  return {
    ok: true,
    text: [...shown, ...footer(matches.length, listing), ...unread].join('\n'),
    data: { hits: matches.length },
  };
}

function noMatch({ shown, pattern }: Hunt, listing: Listing, otherCase: readonly string[]): string {
  if (listing.files === 0) return `There are no files below ${shown}.`;
  const where = `No file matches "${pattern}" (${listing.files} files looked at below ${shown}; ignored ones left out).`;
  const cut = listing.end === 'timeout' ? ' The search was cut off by time: give a narrower path.' : '';
  return `${where}${cut}${otherCase.length > 0 ? ` With other letter case: ${otherCase.join(', ')}.` : ''}`;
}

function footer(count: number, { end, isOfIgnored }: Listing): string[] {
  return [
    ...(end === 'timeout' ? ['(cut off by time: there may be more; give a narrower path)'] : []),
    ...(isOfIgnored ? ['(all of these are ignored by .gitignore)'] : []),
    ...(count > shownAtMost
      ? [`(the ${shownAtMost} newest of ${count}${end === 'enough' ? ' or more' : ''}; narrow the pattern or the path)`]
      : []),
  ];
}

/** Newest first; equal times by name. Lets other work run between portions. */
async function byTime(directory: string, files: readonly string[]): Promise<string[]> {
  const timed: { readonly file: string; readonly mtimeMs: number }[] = [];
  for (const [index, file] of files.entries()) {
    if (index % 1000 === 999) await setImmediate();
    timed.push({ file, mtimeMs: timeOf(join(directory, file)) });
  }
  return timed
    .sort((left, right) => right.mtimeMs - left.mtimeMs || (left.file < right.file ? -1 : 1))
    .map(({ file }) => file);
}

function timeOf(path: string): number {
  const stats = attemptSync(() => statSync(path), codeOf);
  return stats.ok ? stats.value.mtimeMs : 0;
}

const refuse = (text: string): ToolAnswer => ({ ok: false, text });
