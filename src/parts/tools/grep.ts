/** grep: lines of files that match a pattern. */
import { statSync } from 'node:fs';
import * as z from 'zod/mini';
import type { ToolAnswer, ToolIo } from '../../loop/ports.ts';
import { searchContents } from './search/contents.ts';
import { createHits, type Hits } from './search/hits.ts';
import type { Query, SearchEnd } from './search/query.ts';
import type { FindRipgrep } from './search/ripgrep.ts';
import { hitsText } from './search/text.ts';
import { unreadNote } from './search/unread.ts';
import { defineTool, type Tool } from './tool.ts';
import { visible } from './visible.ts';
import { type Place, unreadable, type Workspace } from './workspace.ts';

export interface GrepDeps {
  readonly workspace: Workspace;
  readonly findRipgrep: FindRipgrep;
  /** The user's home directory: to search all of it is told. */
  readonly home?: string;
}

const Input = z.strictObject({
  pattern: z.string(),
  path: z.optional(z.string()),
  glob: z.optional(z.string().check(z.describe('only such files, e.g. *.ts'))),
  ignoreCase: z.optional(z.boolean()),
  context: z.optional(z.int().check(z.describe('lines around each match'))),
});
type Input = z.infer<typeof Input>;

const contextAtMost = 10;
const timeoutMs = 20_000;

export function grepTool(deps: GrepDeps): Tool {
  return defineTool({
    name: 'grep',
    description:
      'Search file contents by regex (ripgrep syntax) below path, a directory or file; gives file, line number, text. What .gitignore or .ignore name is left out. For file names use glob; prefer this to grep in bash.',
    effect: 'reads',
    input: Input,
    subject: ({ pattern, path }) => `${pattern} in ${deps.workspace.subject(path || '.')}`,
    run: (input, io) => grep(deps, input, io),
  });
}

async function grep(deps: GrepDeps, input: Input, io: ToolIo): Promise<ToolAnswer> {
  const { workspace } = deps;
  if (input.pattern === '') return refuse('The pattern is empty. Give a text or regex to look for.');
  const place = await workspace.resolveForRead(input.path || '.');
  if (!place.ok) return refuse(place.fault);
  const stats = statSync(place.value.absolute);
  // ripgrep opens whatever it is told by name, and would wait for ever on a FIFO.
  if (!stats.isFile() && !stats.isDirectory())
    return refuse(`${place.value.shown} is neither file nor directory: not searched.`);
  const closed = unreadable(place.value);
  if (closed !== undefined) return refuse(closed);
  const query: Query = {
    pattern: input.pattern,
    syntax: 'regex',
    ignoresCase: input.ignoreCase ?? false,
    context: Math.min(Math.max(input.context ?? 0, 0), contextAtMost),
    target: place.value.absolute,
    cwd: workspace.cwd,
    obeysIgnore: 'yes',
    ...(input.glob ? { filter: input.glob } : {}),
  };
  const outcome = await hunt(query, deps, io);
  if (outcome.end.end === 'aborted') return refuse('The search was called off.');
  const wide = wideNote(place.value.absolute, deps.home);
  const unread = unreadNote(outcome.end.unread, (path) => visible(workspace.show(path)));
  const notes = [...outcome.notes, wide, unread, ...leftOutNotes(outcome.end, outcome.hits, workspace)].filter(
    (note) => note !== undefined,
  );
  return answer({ ...outcome, notes }, { workspace, place: place.value, input });
}

/** Such a search takes long and finds what nobody meant. */
function wideNote(target: string, home: string | undefined): string | undefined {
  if (target === '/') return 'this searched the whole system: give a path';
  return target === home ? 'this searched the whole home directory: give a path' : undefined;
}

/** Binary files always; ignored ones only where they are all that was found. */
function leftOutNotes({ binary, ignored }: SearchEnd, hits: Hits, workspace: Workspace): string[] {
  const [first] = hits.matches() === 0 ? ignored : [];
  const files = ignored.length === 1 ? 'an ignored file matches' : `${ignored.length} ignored files match`;
  return [
    ...(binary > 0 ? [binary === 1 ? '1 binary file matches' : `${binary} binary files match`] : []),
    ...(first === undefined
      ? []
      : [`${files}: to search one, give it as path, such as ${visible(workspace.show(first))}`]),
  ];
}

interface Outcome {
  readonly hits: Hits;
  readonly end: SearchEnd;
  /** What the model should know about how the search was done. */
  readonly notes: readonly string[];
}

/** As asked; then, only where that finds nothing, as plain text and among ignored files. */
async function hunt(query: Query, deps: GrepDeps, io: ToolIo): Promise<Outcome> {
  const run = async (asked: Query, notes: readonly string[]): Promise<Outcome> => {
    const hits = createHits();
    const search = { findRipgrep: deps.findRipgrep, signal: io.signal, timeoutMs, hits };
    return { hits, notes, end: await searchContents(asked, search) };
  };
  const asPlainText = async (note: string): Promise<Outcome | undefined> => {
    // Half-escaped patterns are common: foo\(x) means foo(x).
    for (const pattern of new Set([query.pattern, query.pattern.replace(/\\([^\w\s])/g, '$1')])) {
      const plain = await run({ ...query, pattern, syntax: 'plain' }, [note]);
      if (plain.hits.matches() > 0 || plain.end.end !== 'done') return plain;
    }
    return undefined;
  };
  const first = await run(query, []);
  const { end } = first;
  if (end.badPattern !== undefined) {
    const note = badPatternNote(end.badPattern);
    return (await asPlainText(note)) ?? run({ ...query, syntax: 'plain' }, [note]);
  }
  if (first.hits.matches() > 0 || end.end !== 'done') return first;
  if (end.searched === 0) {
    const all = await run({ ...query, obeysIgnore: 'no' }, ['only files that .gitignore names are there']);
    return all.end.searched === 0 ? first : all;
  }
  if (!/[\\^$.*+?()[\]{}|]/.test(query.pattern)) return first;
  return (await asPlainText('no match as a regex; these match as plain text')) ?? first;
}

const badPatternNote = (why: string): string => `not a valid regex (${why}), so searched as plain text`;

interface Asked {
  readonly workspace: Workspace;
  readonly place: Place;
  readonly input: Input;
}

function answer({ hits, end, notes }: Outcome, asked: Asked): ToolAnswer {
  const files = hits.files();
  const data = { matches: hits.matches(), files: files.length };
  const cut = end.end === 'timeout' ? ['cut off by time, so there may be more: narrow the path'] : [];
  const isBlind = end.searched === 0 && end.unread.count > 0;
  if (files.length === 0) return { ok: !isBlind, text: noMatch(end, asked, [...notes, ...cut]), data };
  const text = hitsText(files, {
    show: asked.workspace.show,
    matches: hits.matches(),
    isMore: end.end === 'enough' || end.end === 'timeout',
    notes: [...notes, ...cut],
  });
  return { ok: true, text, data };
}

function noMatch({ searched }: SearchEnd, { place, input }: Asked, notes: readonly string[]): string {
  const filter = input.glob ? `, glob ${input.glob}` : '';
  const looked = searched === 1 ? '1 file' : `${searched ?? 'not all'} files`;
  const lines = [`No line matches "${input.pattern}" (${looked} searched in ${place.shown}${filter}).`];
  if (searched === 0 && input.glob) lines.push(`No file there fits the glob: check it with the glob tool.`);
  if (/\\\|/.test(input.pattern)) lines.push('Alternatives are written a|b here, without a backslash.');
  if (notes.length > 0) lines.push(`(${notes.join('; ')})`);
  return lines.join(' ');
}

const refuse = (text: string): ToolAnswer => ({ ok: false, text });
