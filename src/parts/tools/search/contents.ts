/** Searches in the contents of files: ripgrep where there is one, else our own scan. */
import * as z from 'zod/mini';
import { attemptSync, messageOf } from '../../../base/attempt.ts';
import { scopeFlags } from './files.ts';
import type { Hits } from './hits.ts';
import { forgetIgnored } from './ignored.ts';
import { filterGlobs } from './patterns.ts';
import { type Query, type SearchDeps, type SearchEnd, spansLines } from './query.ts';
import { runRipgrep } from './ripgrep.ts';
import { scan } from './scan.ts';

/** As many as the other tools look at. */
const sniffedBytes = 8192;

export async function searchContents(query: Query, deps: SearchDeps): Promise<SearchEnd> {
  const program = deps.findRipgrep();
  if (program === undefined) return scan(query, deps);
  let searched: number | undefined;
  let binary = 0;
  const { end, stderr, unread } = await runRipgrep({
    program,
    args: ripgrepArgs(query),
    cwd: query.cwd,
    signal: deps.signal,
    timeoutMs: deps.timeoutMs,
    separator: 10,
    onRecord: (record, isCut) => {
      const said = isCut ? overlong(record) : readRecord(record);
      if (said?.kind === 'binary' && deps.hits.forget(said.path, said.offset)) binary++;
      if (said?.kind === 'summary') searched = said.searched;
      return said?.kind === 'rows' ? said.rows.map((row) => deps.hits.add(row)).every(Boolean) : true;
    },
  });
  const badPattern = end === 'failed' ? badPatternIn(stderr) : undefined;
  const rest = { unread, binary, ignored: [] };
  if (badPattern !== undefined) return { end, searched: 0, ...rest, badPattern };
  // A summary means that it ran: an unreadable file is no failure. Without, it does not run on this machine.
  if (end === 'failed' && searched === undefined) return scan(query, deps);
  const { isAllIgnored, ignored } = await forgetIgnored(query, deps, program);
  return { end: end === 'failed' ? 'done' : end, ...rest, searched: isAllIgnored ? 0 : searched, ignored };
}

function ripgrepArgs(query: Query): string[] {
  return [
    '--json',
    '--crlf',
    '--binary',
    ...(query.syntax === 'plain' ? ['--fixed-strings'] : ['--engine=auto']),
    ...(spansLines(query) ? ['--multiline'] : []),
    ...(query.ignoresCase ? ['--ignore-case'] : ['--case-sensitive']),
    ...(query.context > 0 ? [`--context=${query.context}`] : []),
    ...(query.filter === undefined ? [] : filterGlobs(query.filter, query.cwd).map((glob) => `--glob=${glob}`)),
    ...scopeFlags(query.obeysIgnore),
    `--regexp=${query.pattern}`,
    '--',
    query.target,
  ];
}

const Bytes = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const Line = z.object({
  type: z.enum(['match', 'context']),
  data: z.object({
    path: Bytes,
    lines: Bytes,
    line_number: z.number(),
    absolute_offset: z.number(),
    submatches: z.array(z.object({ start: z.number() })),
  }),
});
/** The end of a file in which a NUL byte was seen; from there on lines are not counted as elsewhere. */
const BinaryEnd = z.object({ type: z.literal('end'), data: z.object({ path: Bytes, binary_offset: z.number() }) });
const Summary = z.object({
  type: z.literal('summary'),
  data: z.object({ stats: z.object({ searches: z.number() }) }),
});

type Said =
  | { readonly kind: 'rows'; readonly rows: readonly Parameters<Hits['add']>[0][] }
  | { readonly kind: 'binary'; readonly path: string; readonly offset: number }
  | { readonly kind: 'summary'; readonly searched: number };

function readRecord(record: Buffer): Said | undefined {
  const json = attemptSync((): unknown => JSON.parse(record.toString('utf8')), messageOf);
  if (!json.ok) return;
  const line = Line.safeParse(json.value);
  if (!line.success) return readEnd(json.value);
  const { type, data } = line.data;
  const path = textOf(data.path).toString('utf8');
  const bytes = textOf(data.lines);
  const start = bytes.subarray(0, data.submatches[0]?.start ?? 0).toString('utf8').length;
  // A match over several lines is one hit; its further lines are shown as lines around it.
  const lines = bytes.toString('utf8').replace(/\n$/, '').split('\n');
  const rows = lines.map((text, index) => ({
    path,
    text,
    line: data.line_number + index,
    isMatch: type === 'match' && index === 0,
    start: index === 0 ? start : 0,
    offset: data.absolute_offset,
  }));
  return { kind: 'rows', rows };
}

function readEnd(record: unknown): Said | undefined {
  const end = BinaryEnd.safeParse(record);
  if (end.success) {
    const { path, binary_offset } = end.data.data;
    return { kind: 'binary', path: textOf(path).toString('utf8'), offset: sniffed(binary_offset) };
  }
  const summary = Summary.safeParse(record);
  return summary.success ? { kind: 'summary', searched: summary.data.data.stats.searches } : undefined;
}

/** What begins as a binary file is one from its first byte. */
const sniffed = (offset: number): number => (offset < sniffedBytes ? 0 : offset);

const textOf = (value: z.infer<typeof Bytes>): Buffer =>
  'text' in value ? Buffer.from(value.text) : Buffer.from(value.bytes, 'base64');

/** A record that was too long to be kept whole: its file is at its beginning, its line number at its end. */
function overlong(record: Buffer): Said | undefined {
  const head = /^\{"type":"match","data":\{"path":\{"text":("(?:[^"\\]|\\.)*")\}/.exec(
    record.toString('utf8', 0, 8192),
  );
  const name = head?.[1];
  if (name === undefined) return;
  const path = attemptSync(() => z.string().parse(JSON.parse(name)), messageOf);
  if (!path.ok) return;
  const line = Number(/"line_number":(\d+),$/.exec(record.toString('latin1', record.length - 64))?.[1] ?? 0);
  const text = '[a match in a line of more than a megabyte; in bash: grep -o with some characters around it]';
  return {
    kind: 'rows',
    rows: [{ path: path.value, text, line, isMatch: true, start: 0, offset: Number.MAX_SAFE_INTEGER }],
  };
}

/** The sentence in ripgrep's complaint about a pattern, or undefined when it complained about something else. */
function badPatternIn(stderr: string): string | undefined {
  if (!/regex|PCRE2|literal .* not allowed|pattern/i.test(stderr)) return;
  const sentences = [/PCRE2: error compiling pattern.*?: (.+)/, /^error: (.+)/m, /^rg: (.+)/m];
  const found = sentences.map((sentence) => sentence.exec(stderr)?.[1]).find((sentence) => sentence !== undefined);
  return found ?? stderr.slice(0, 200);
}
