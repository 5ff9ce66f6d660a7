/** Collects what a search finds: bounded in memory, the same for ripgrep and for our own scan. */

export interface Row {
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

export interface FileHits {
  /** Absolute. */
  readonly path: string;
  /** Matching lines in all; rows are kept for the first ones only. */
  matches: number;
  readonly rows: readonly Row[];
}

export interface RowInput extends Row {
  readonly path: string;
  /** Where in the text the match begins, in characters. */
  readonly start: number;
  /** Where in the file the line begins, in bytes. */
  readonly offset: number;
}

export interface Hits {
  /** False: enough has been found. */
  add(row: RowInput): boolean;
  /** Takes back what was found in a file from this byte on. True when matches were among it. */
  forget(path: string, from: number): boolean;
  matches(): number;
  /** In the order of their paths. */
  files(): readonly FileHits[];
}

/** Counting stops here. */
export const matchesAtMost = 5000;
const rowsPerFile = 200;
const rowsAtMost = 20_000;
const rowCharacters = 250;

interface Found extends FileHits {
  rows: OffsetRow[];
  /** Of all matches, rows or not. */
  offsets: number[];
}
type OffsetRow = Row & Pick<RowInput, 'offset'>;

export function createHits(): Hits {
  const byPath = new Map<string, Found>();
  let matches = 0;
  let rows = 0;
  return {
    add: ({ path, line, text, isMatch, start, offset }) => {
      const file = byPath.get(path) ?? { path, matches: 0, rows: [], offsets: [] };
      byPath.set(path, file);
      if (isMatch) {
        file.offsets.push(offset);
        file.matches++;
        matches++;
      }
      if (file.rows.length < rowsPerFile && rows < rowsAtMost) {
        file.rows.push({ line, text: excerpt(text, start), isMatch, offset });
        rows++;
      }
      return matches < matchesAtMost;
    },
    forget: (path, from) => {
      const file = byPath.get(path);
      if (!file) return false;
      const before = { matches: file.matches, rows: file.rows.length };
      file.rows = file.rows.filter(({ offset }) => offset < from);
      file.offsets = file.offsets.filter((offset) => offset < from);
      file.matches = file.offsets.length;
      matches -= before.matches - file.matches;
      rows -= before.rows - file.rows.length;
      return file.matches < before.matches;
    },
    matches: () => matches,
    files: () =>
      [...byPath.values()].filter((file) => file.matches > 0).sort((left, right) => (left.path < right.path ? -1 : 1)),
  };
}

/** The line, or the part of it around the match. */
export function excerpt(text: string, start: number): string {
  const line = text.replace(/\r?\n?$/, '');
  if (line.length <= rowCharacters) return line;
  const from = Math.max(0, Math.min(start - 80, line.length - rowCharacters));
  const part = line.slice(from, from + rowCharacters).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  const after = line.length - from - rowCharacters;
  return `${from > 0 ? `[${from} characters] ... ` : ''}${part}${after > 0 ? ` ... [${after} characters]` : ''}`;
}
