/** How money and tokens are worded. */
import { dollars, type Spent } from '../../session/ledger.ts';
import { grouped } from './wording.ts';

/** The cost with what is not sure about it; empty where no price is known at all. */
export function costWords({
  usd,
  replies,
  estimatedReplies,
  unpricedReplies,
}: Pick<Spent, 'usd' | 'replies' | 'estimatedReplies' | 'unpricedReplies'>): string {
  if (replies === 0 || unpricedReplies === replies) return '';
  const doubts = [
    ...(estimatedReplies > 0 ? ['estimated'] : []),
    ...(unpricedReplies > 0 ? [`${unpricedReplies} replies without a price`] : []),
  ];
  return `${dollars(usd)}${doubts.length > 0 ? ` (${doubts.join(', ')})` : ''}`;
}

export interface CostRow {
  readonly name: string;
  readonly spent: Spent;
}

export function costTable(rows: readonly CostRow[]): string {
  const cells = rows.map(({ name, spent }) => [
    name,
    `${spent.replies} replies`,
    `${grouped(spent.inputTokens)} in${spent.cachedTokens > 0 ? ` (${grouped(spent.cachedTokens)} cached)` : ''}`,
    `${grouped(spent.outputTokens)} out`,
    costWords(spent) || (spent.replies > 0 ? 'price not known' : dollars(0)),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
