/** What the output of a check says of its outcome. */
import { stripVTControlCharacters } from 'node:util';
import { type Family, families } from './families.ts';

export interface Counts {
  readonly passed?: number;
  /** Failed, and those that broke before they could. */
  readonly failed?: number;
  readonly skipped?: number;
  readonly total?: number;
}

export interface Said {
  /** `good` is no proof: it may be one line of several. `proven` is the last word of the whole run. */
  readonly verdict: 'failed' | 'good' | 'proven' | 'empty' | 'nothing';
  readonly counts: Counts | undefined;
}

const silence: Said = { verdict: 'nothing', counts: undefined };
const order = ['failed', 'proven', 'good', 'empty', 'nothing'] as const;
/** Longer outputs are read at their end, where results stand. */
const readAtMost = 100_000;
/** No result stands in a longer line. */
const lineAtMost = 1000;

/** By the words of one family; without one, by those of all: the worst counts. */
export function saidBy(output: string, family: string | undefined): Said {
  const text = plain(output.slice(-readAtMost));
  if (family !== undefined) {
    const known = families.find(({ name }) => name === family);
    return known ? readFamily(known, text) : silence;
  }
  const said = families
    .map((one) => readFamily(one, text))
    .filter(({ counts, verdict }) => counts !== undefined || verdict !== 'nothing');
  // Without counts a word like "error:" may be anything's, so only those that count speak for an unknown runner.
  const worst = order.flatMap(
    (verdict) => said.find((one) => one.verdict === verdict && hasTotal(one.counts)) ?? [],
  )[0];
  // Something else may have run after those that succeeded.
  return worst?.verdict === 'proven' ? { ...worst, verdict: 'good' } : (worst ?? silence);
}

const hasTotal = (counts: Counts | undefined): boolean =>
  counts !== undefined && (counts.passed !== undefined || counts.total !== undefined);

const plain = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll('\r', '')
    .replace(/.{1000,}/g, (line) => line.slice(0, lineAtMost));

function readFamily(family: Family, text: string): Said {
  const counts = countsIn(family, text);
  const isEmpty = family.empty?.test(text) === true;
  if (family.failed?.test(text) || (counts?.failed ?? 0) > 0) return { verdict: 'failed', counts };
  const ran = (counts?.passed ?? 0) > 0 || (counts?.total ?? 0) > (counts?.skipped ?? 0);
  if (ran) return { verdict: family.proof?.test(text) ? 'proven' : 'good', counts };
  if (isEmpty && !family.passed?.test(text)) return { verdict: 'empty', counts };
  if (family.passed?.test(text)) return { verdict: 'good', counts };
  return { verdict: isZero(counts) ? 'empty' : 'nothing', counts };
}

const isZero = (counts: Counts | undefined): boolean => hasTotal(counts) && (counts?.passed ?? counts?.total) === 0;

function countsIn({ counts, take = 'last' }: Family, text: string): Counts | undefined {
  if (!counts) return undefined;
  const rows = [...text.matchAll(counts)].map(({ groups = {} }) =>
    groups['list'] === undefined ? numbers(groups) : listed(groups['list']),
  );
  const used = take === 'last' ? rows.slice(-1) : rows;
  if (used.length === 0) return undefined;
  const sum = new Map<string, number>();
  for (const row of used) for (const [name, count] of row) sum.set(name, (sum.get(name) ?? 0) + count);
  return asCounts(sum);
}

/** A group that matched a word counts as one. */
const numbers = (groups: Record<string, string | undefined>): [string, number][] =>
  Object.entries(groups).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, /^\d+$/.test(text) ? Number(text) : 1]],
  );

const listed = (text: string): [string, number][] =>
  [...text.matchAll(/(\d+) (\w+)/g)].map(([, count, name = '']) => [
    /^errors?$/.test(name) ? 'errors' : name,
    Number(count),
  ]);

function asCounts(sum: ReadonlyMap<string, number>): Counts {
  const [passed, skipped, total] = [sum.get('passed'), sum.get('skipped'), sum.get('total')];
  const hasFailed = sum.has('failed') || sum.has('errors');
  const failed = (sum.get('failed') ?? 0) + (sum.get('errors') ?? 0);
  return {
    ...(passed === undefined ? {} : { passed }),
    ...(hasFailed ? { failed } : {}),
    ...(skipped === undefined ? {} : { skipped }),
    ...(total === undefined ? {} : { total }),
  };
}
