/** Our own search in contents, for machines without ripgrep: slower, but with the same answers. */
import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { attempt, attemptSync, codeOf, messageOf } from '../../../base/attempt.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { sniff } from '../sniff.ts';
import { compileGlob, filterGlobs, type PathTest } from './patterns.ts';
import { type Query, type SearchDeps, type SearchEnd, spansLines } from './query.ts';
import { createUnread, type UnreadList } from './unread.ts';
import { walk } from './walk.ts';

const fileBytesAtMost = 10 << 20;
/** For one file: a pattern that backtracks without end must not hold the whole program. */
const matchTimeoutMs = 1000;

const nothing = { unread: createUnread().seen(), binary: 0, ignored: [] };

export async function scan(query: Query, deps: SearchDeps): Promise<SearchEnd> {
  const regex = compile(query);
  if (!regex.ok) return { end: 'failed', searched: 0, ...nothing, badPattern: regex.fault };
  const matchLines = lineMatcher(regex.value);
  const passes = await fileFilter(query);
  const until = performance.now() + deps.timeoutMs;
  let searched = 0;
  const unread = createUnread();
  let binary = 0;
  const ended = (end: SearchEnd['end'], count?: number): SearchEnd => ({
    ...nothing,
    end,
    searched: count,
    unread: unread.seen(),
    binary,
  });
  for await (const path of filesOf(query, deps.signal, unread.add)) {
    if (deps.signal.aborted) return ended('aborted');
    if (performance.now() > until) return ended('timeout');
    if (path !== query.target && !passes(relative(query.cwd, path))) continue;
    const read = await readLines(path);
    if (!read.ok) {
      unread.add(path, read.fault);
      continue;
    }
    searched++;
    const { lines, isBinary } = read.value;
    const matched = matchLines(lines);
    if (matched.length === 0) continue;
    if (isBinary) binary++;
    else if (!report(path, { lines, matched, context: query.context }, deps)) return ended('enough');
  }
  return ended(deps.signal.aborted ? 'aborted' : 'done', searched);
}

function compile(query: Query): Result<RegExp, string> {
  if (spansLines(query)) return fail('a pattern over several lines needs ripgrep, which is not installed');
  const inline = /^\(\?i\)/.exec(query.pattern)?.[0] ?? '';
  const source =
    query.syntax === 'plain'
      ? query.pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      : query.pattern.slice(inline.length);
  const flags = query.ignoresCase || inline ? 'i' : '';
  const unicode = attemptSync(() => new RegExp(source, `${flags}u`), messageOf);
  if (unicode.ok) return ok(unicode.value);
  // Without the flag more escapes are allowed, as in ripgrep.
  return attemptSync(() => new RegExp(source, flags), messageOf);
}

interface LineMatch {
  readonly index: number;
  readonly start: number;
}

/** Matches all lines of a file inside a context that can be interrupted. */
function lineMatcher(regex: RegExp): (lines: readonly string[]) => LineMatch[] {
  const vm = process.getBuiltinModule('node:vm');
  const box: { regex: RegExp; lines: readonly string[]; found: LineMatch[] } = { regex, lines: [], found: [] };
  const context = vm.createContext(box);
  const script = new vm.Script(`
    for (let index = 0; index < lines.length; index++) {
      const match = regex.exec(lines[index]);
      if (match) found.push({ index, start: match.index });
    }`);
  return (lines) => {
    box.lines = lines;
    box.found = [];
    attemptSync(() => script.runInContext(context, { timeout: matchTimeoutMs }), messageOf); // what was found until then counts
    return box.found;
  };
}

async function fileFilter({ filter, cwd }: Query): Promise<PathTest> {
  if (filter === undefined) return () => true;
  const globs = filterGlobs(filter, cwd);
  const compiled = await Promise.all(
    globs.map(async (glob) => ({
      isNegated: glob.startsWith('!'),
      test: await compileGlob(glob.replace(/^!/, ''), { isNegated: false, ignoresCase: false }),
    })),
  );
  const wanted = compiled.filter(({ isNegated }) => !isNegated);
  const unwanted = compiled.filter(({ isNegated }) => isNegated);
  return (path) =>
    (wanted.length === 0 || wanted.some(({ test }) => test(path))) && !unwanted.some(({ test }) => test(path));
}

async function* filesOf(
  { target, obeysIgnore }: Query,
  signal: AbortSignal,
  onUnread: UnreadList['add'],
): AsyncGenerator<string> {
  const stats = attemptSync(() => lstatSync(target), codeOf);
  if (stats.ok && stats.value.isFile()) yield target;
  else yield* walk({ directory: target, obeysIgnore, signal, onUnread });
}

interface Content {
  readonly lines: readonly string[];
  readonly isBinary: boolean;
}

/** No lines for what is too large for a scan; fails with the system's code. */
async function readLines(path: string): Promise<Result<Content, string | undefined>> {
  const stats = attemptSync(() => lstatSync(path), codeOf);
  if (!stats.ok) return stats;
  if (stats.value.size > fileBytesAtMost) return ok({ lines: [], isBinary: false });
  const bytes = await attempt(() => readFile(path), codeOf);
  if (!bytes.ok) return bytes;
  const content = sniff(bytes.value.subarray(0, 8192));
  if (content.kind !== 'text') return ok({ lines: bytes.value.toString('latin1').split(/[\n\0]/), isBinary: true });
  const lines = new TextDecoder(content.encoding).decode(bytes.value).split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return ok({ lines, isBinary: false });
}

interface Matched {
  readonly lines: readonly string[];
  readonly matched: readonly LineMatch[];
  readonly context: number;
}

/** False when enough has been found. */
function report(path: string, { lines, matched, context }: Matched, { hits }: SearchDeps): boolean {
  const starts = new Map(matched.map(({ index, start }) => [index, start]));
  let next = 0;
  for (const { index } of matched) {
    const end = Math.min(lines.length - 1, index + context);
    for (let line = Math.max(next, index - context); line <= end; line++) {
      const start = starts.get(line);
      const row = {
        path,
        line: line + 1,
        text: lines[line] ?? '',
        isMatch: start !== undefined,
        start: start ?? 0,
        offset: 0,
      };
      if (!hits.add(row)) return false;
    }
    next = Math.max(next, end + 1);
  }
  return true;
}
