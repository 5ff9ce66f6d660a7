/** The text of a file that comes nearest to an anchor which is not in it. Only shown, never edited by guess. */

export interface Nearest {
  /** First and last line, counted from 1. */
  readonly first: number;
  readonly last: number;
  /** The first difference, in words. */
  readonly difference: string | undefined;
}

const comparedLines = 20_000;
const comparedWidth = 200;
const enoughAlike = 0.45;
const commonLine = 50;

export function nearestTo(text: string, anchor: string): Nearest | undefined {
  const lines = text.split('\n');
  const wanted = anchor.replace(/^\n+|\n+$/g, '').split('\n');
  const start = startByEqualLines(lines, wanted) ?? startByLikeness(lines, wanted);
  if (start === undefined) return undefined;
  const from = Math.max(0, start);
  const to = Math.min(lines.length, start + wanted.length);
  return { first: from + 1, last: to, difference: firstDifference(lines, wanted, start) };
}

/** Every line that is equal but for white space votes for a start of the stretch; rare and long lines count most. */
function startByEqualLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const line of wanted) if (/\w/.test(line)) places.set(fold(line), []);
  for (const [index, line] of lines.entries()) places.get(fold(line))?.push(index);
  const votes = new Map<number, number>();
  for (const [offset, line] of wanted.entries()) {
    const key = fold(line);
    const found = places.get(key) ?? [];
    if (found.length > commonLine) continue;
    for (const index of found) {
      const start = index - offset;
      votes.set(start, (votes.get(start) ?? 0) + key.length / found.length);
    }
  }
  return best(votes);
}

/** Without an equal line: the line most like the anchor's longest one, by pairs of letters (Dice's measure). */
function startByLikeness(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((most, line, index) => (line.length > (wanted[most] ?? '').length ? index : most), 0);
  const pairs = pairsOf(wanted[longest] ?? '');
  let start: number | undefined;
  let most = enoughAlike;
  for (const [index, line] of lines.slice(0, comparedLines).entries()) {
    const likeness = likenessOf(pairs, line);
    if (likeness > most) {
      most = likeness;
      start = index - longest;
    }
  }
  return start;
}

/** True when most of one text is in the other, white space and order of lines aside. */
export const isAlike = (left: string, right: string): boolean => likenessOf(pairsOf(left), right) > enoughAlike;

interface Pairs {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function pairsOf(line: string): Pairs {
  const counts = new Map<string, number>();
  const text = fold(line).slice(0, comparedWidth);
  for (let at = 0; at + 2 <= text.length; at++) {
    const pair = text.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return { counts, total: Math.max(0, text.length - 1) };
}

function likenessOf(wanted: Pairs, line: string): number {
  const found = pairsOf(line);
  if (wanted.total + found.total === 0) return 0;
  let shared = 0;
  for (const [pair, count] of found.counts) shared += Math.min(count, wanted.counts.get(pair) ?? 0);
  return (2 * shared) / (wanted.total + found.total);
}

function best(votes: ReadonlyMap<number, number>): number | undefined {
  let winner: number | undefined;
  for (const [start, count] of votes) if (winner === undefined || count > (votes.get(winner) ?? 0)) winner = start;
  return winner;
}

/** Names the first place where the anchor leaves the file's text. */
function firstDifference(lines: readonly string[], wanted: readonly string[], start: number): string | undefined {
  const onlySpace = wanted.every((line, offset) => fold(line) === fold(lines[start + offset] ?? ''));
  for (const [offset, line] of wanted.entries()) {
    const real = lines[start + offset];
    if (real === undefined) return `old goes on after line ${lines.length}, where the file ends.`;
    if (real === line || (offset === wanted.length - 1 && real.startsWith(line))) continue;
    if (offset === 0 && wanted.length > 1 && real.endsWith(line)) continue;
    let column = 0;
    while (column < line.length && line[column] === real[column]) column++;
    const where = `line ${start + offset + 1}, column ${column + 1}`;
    return `${onlySpace ? 'Only white space differs' : 'They differ'} first at ${where}: the file has ${nameOf(real, column)}, old has ${nameOf(line, column)}.`;
  }
  return undefined;
}

const fold = (line: string): string => line.replace(/\s+/g, ' ').trim();

const names: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '\t': 'a tab',
  '\r': 'a carriage return',
  '\u00A0': 'a no-break space (U+00A0)',
  '\u200B': 'a zero-width space (U+200B)',
};

function nameOf(line: string, column: number): string {
  const code = line.codePointAt(column);
  if (code === undefined) return 'the end of the line';
  const character = String.fromCodePoint(code);
  const name = names[character];
  if (name) return name;
  const isPlain = code > 0x20 && code < 0x7f;
  return isPlain ? `"${character}"` : `"${character}" (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}
