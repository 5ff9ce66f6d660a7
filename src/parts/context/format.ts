/** The rows of `smew context` as a table for people. */
import type { ContextRow } from './describe.ts';

const titles: Readonly<Record<ContextRow['part'], string>> = {
  system: 'System prompt',
  tool: 'Tools',
  messages: 'Messages',
};

/** Grouped, with a sum for each group and one for all; ends with a line break. */
export function formatContext(rows: readonly ContextRow[]): string {
  const lines: Line[] = [];
  for (const part of ['system', 'tool', 'messages'] as const) {
    const group = rows.filter((row) => row.part === part);
    lines.push(sumOf(titles[part], group));
    lines.push(...group.map((row) => lineOf(`  ${row.name}${row.count > 1 ? ` (${row.count})` : ''}`, row)));
  }
  lines.push(sumOf('Total', rows));
  const widths = [0, 1, 2].map((column) => Math.max(...[heading, ...lines].map((line) => line[column]?.length ?? 0)));
  const shown = [heading, ...lines].map(
    ([name, bytes, tokens]) =>
      `${name.padEnd(widths[0] ?? 0)}  ${bytes.padStart(widths[1] ?? 0)}  ${tokens.padStart(widths[2] ?? 0)}`,
  );
  return `${shown.join('\n')}\n\nTokens are estimates from the kinds of characters; the provider's own count is in the usage.\n`;
}

type Line = readonly [name: string, bytes: string, tokens: string];

const heading: Line = ['', 'bytes', 'tokens'];

const lineOf = (name: string, { bytes, tokensEstimate }: Pick<ContextRow, 'bytes' | 'tokensEstimate'>): Line => [
  name,
  grouped(bytes),
  `~${grouped(tokensEstimate)}`,
];

const sumOf = (name: string, rows: readonly ContextRow[]): Line =>
  lineOf(name, {
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
    tokensEstimate: rows.reduce((sum, row) => sum + row.tokensEstimate, 0),
  });

/** 12,345 in every locale. */
const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
