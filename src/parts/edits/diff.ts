/** A unified diff out of the splices themselves: no search for differences, so it costs what the change costs. */
import { type Change, splice } from './apply.ts';

export interface Diff {
  /** Hunks with three lines of context and the two file headers; empty without a change. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
  /** For each hunk the changed lines of the new text, counted from 1; `last` is below `first` where lines only went. */
  readonly regions: readonly { readonly first: number; readonly last: number }[];
}

/** Whole lines of the old text, [from, to) counted from 0, and what stands there now. */
interface Block {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

const contextLines = 3;

/** `changes` as from `applyEdits`: ascending and not overlapping. */
export function diffOf(path: string, before: string, changes: readonly Change[]): Diff {
  const lines = linesOf(before);
  const blocks = blocksOf(before, lines, changes).filter(({ from, to, lines }) => to > from || lines.length > 0);
  const out: string[] = [];
  const regions: { first: number; last: number }[] = [];
  let added = 0;
  let removed = 0;
  for (const group of grouped(blocks)) {
    const hunk = hunkOf(lines, group, added - removed);
    out.push(...hunk.rows);
    for (const { from, to, lines: fresh } of group) {
      const first = from + 1 + added - removed;
      regions.push({ first, last: first + fresh.length - 1 });
      added += fresh.length;
      removed += to - from;
    }
  }
  const header = `--- a/${path}\n+++ b/${path}\n`;
  return { text: out.length === 0 ? '' : `${header}${out.join('')}`, added, removed, regions };
}

/** Lines with their ends; the last has none where the text does not end in one. */
function linesOf(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The changes widened to whole lines; those that share a line become one block. */
function blocksOf(before: string, lines: readonly string[], changes: readonly Change[]): Block[] {
  const blocks: Block[] = [];
  const starts = lineStarts(lines);
  // Text after an unended last line belongs to that line; after an ended one it begins a new line.
  const lastLine = lines.at(-1)?.endsWith('\n') ? lines.length : Math.max(0, lines.length - 1);
  let line = 0;
  for (let index = 0; index < changes.length; index++) {
    const first = changes[index];
    if (!first) break;
    while (line < lastLine && (starts[line + 1] ?? 0) <= first.start) line++;
    const from = line;
    const together = [first];
    let to = lineAfter(starts, from, first.end);
    for (let next = changes[index + 1]; next && next.start < (starts[to] ?? before.length); next = changes[index + 1]) {
      together.push(next);
      to = lineAfter(starts, to - 1, next.end);
      index++;
    }
    const start = starts[from] ?? 0;
    const shifted = together.map((change) => ({ ...change, start: change.start - start, end: change.end - start }));
    blocks.push(trimmed(lines, { from, to, lines: linesOf(splice(lines.slice(from, to).join(''), shifted)) }));
  }
  return blocks;
}

/** Offsets at which the lines start, and the end of the text. */
function lineStarts(lines: readonly string[]): number[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  return starts;
}

/** The first line, after `from`, that starts at or after `offset`: the line of `offset` itself belongs to the block. */
function lineAfter(starts: readonly number[], from: number, offset: number): number {
  let line = Math.min(from + 1, starts.length - 1);
  while (line < starts.length - 1 && (starts[line] ?? 0) <= offset) line++;
  return line;
}

/** Without the lines that are the same at both ends of the block. */
function trimmed(lines: readonly string[], { from, to, lines: fresh }: Block): Block {
  const longest = Math.min(to - from, fresh.length);
  let head = 0;
  while (head < longest && lines[from + head] === fresh[head]) head++;
  let tail = 0;
  while (tail < longest - head && lines[to - 1 - tail] === fresh.at(-1 - tail)) tail++;
  return { from: from + head, to: to - tail, lines: fresh.slice(head, fresh.length - tail) };
}

/** Blocks whose contexts touch share a hunk. */
function grouped(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (last && block.from - (last.at(-1)?.to ?? 0) <= 2 * contextLines) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function hunkOf(lines: readonly string[], group: readonly Block[], shift: number): { rows: string[] } {
  const from = Math.max(0, (group[0]?.from ?? 0) - contextLines);
  const to = Math.min(lines.length, (group.at(-1)?.to ?? 0) + contextLines);
  const body: string[] = [];
  let at = from;
  let size = to - from;
  for (const block of group) {
    body.push(...lines.slice(at, block.from).map((line) => row(' ', line)));
    body.push(...lines.slice(block.from, block.to).map((line) => row('-', line)));
    body.push(...block.lines.map((line) => row('+', line)));
    size += block.lines.length - (block.to - block.from);
    at = block.to;
  }
  body.push(...lines.slice(at, to).map((line) => row(' ', line)));
  return { rows: [`@@ -${range(from, to - from)} +${range(from + shift, size)} @@\n`, ...body] };
}

/** An empty range names the line before it, as patch programs expect. */
const range = (from: number, size: number): string => {
  const start = size === 0 ? from : from + 1;
  return size === 1 ? `${start}` : `${start},${size}`;
};

const row = (sign: string, line: string): string =>
  line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`;
