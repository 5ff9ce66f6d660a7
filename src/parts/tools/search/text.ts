/** What a model gets to read of a search: grouped by file, bounded in matches and bytes. */
import { visible } from '../visible.ts';
import type { FileHits, Row } from './hits.ts';

export interface TextOptions {
  show(absolute: string): string;
  readonly matches: number;
  /** The search ended early. */
  readonly isMore: boolean;
  readonly notes: readonly string[];
}

const matchesAtMost = 100;
/** With several files none may fill the page alone. */
const matchesPerFile = 30;
const charactersAtMost = 16_000;

export function hitsText(files: readonly FileHits[], options: TextOptions): string {
  const perFile = files.length > 1 ? matchesPerFile : matchesAtMost;
  const blocks: string[] = [];
  let shown = 0;
  let characters = 0;
  for (const file of files) {
    if (shown >= matchesAtMost) break;
    const rows = firstRows(file.rows, Math.min(perFile, matchesAtMost - shown));
    const count = rows.filter(({ isMatch }) => isMatch).length;
    const rest = file.matches - count;
    const block = [
      visible(options.show(file.path)),
      ...rowLines(rows),
      ...(rest > 0 ? [`(${rest} more in this file)`] : []),
    ];
    const text = block.join('\n');
    if (blocks.length > 0 && characters + text.length > charactersAtMost) break;
    blocks.push(text.slice(0, charactersAtMost));
    characters += text.length;
    shown += count;
  }
  return [...blocks, `(${[extent(shown, blocks.length, files.length, options), ...options.notes].join('; ')})`].join(
    '\n',
  );
}

/** Up to the `limit`th match, with the lines around it. */
function firstRows(rows: readonly Row[], limit: number): readonly Row[] {
  let matches = 0;
  const end = rows.findIndex(({ isMatch }) => isMatch && ++matches > limit);
  return end < 0 ? rows : rows.slice(0, end);
}

function rowLines(rows: readonly Row[]): string[] {
  const hasContext = rows.some(({ isMatch }) => !isMatch);
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    const gap = hasContext && before && row.line > before.line + 1 ? ['--'] : [];
    return [...gap, `${row.line}${row.isMatch ? ':' : '-'}${row.text}`];
  });
}

function extent(shown: number, blocks: number, files: number, { matches, isMore }: TextOptions): string {
  const all = `${matches}${isMore ? ' or more' : ''} ${matches === 1 ? 'match' : 'matches'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  if (shown === matches && !isMore) return all;
  return `${shown} shown (${blocks} ${blocks === 1 ? 'file' : 'files'}) of ${all}; narrow it by path, glob or a longer pattern`;
}
