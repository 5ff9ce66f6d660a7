/** When a path is wrong: the real files that were probably meant. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { attempt, codeOf } from '../../base/attempt.ts';

export interface NearestQuery {
  /** The absolute path that is not there. */
  readonly wanted: string;
  /** The directory below which similar names are looked for. */
  readonly start: string;
}

const entriesAtMost = 20_000;
const timeAtMostMs = 250;
const answersAtMost = 3;
const skipped = new Set(['.git', 'node_modules', '.hg', '.svn', '__pycache__']);

/** Up to three absolute paths, best first: other spellings in the same directory, then the same name elsewhere. */
export async function nearestPaths({ wanted, start }: NearestQuery): Promise<string[]> {
  const isBelow = `${dirname(wanted)}/`.startsWith(start.endsWith('/') ? start : `${start}/`);
  const beside = isBelow ? await similarNames(wanted) : [];
  if (beside.length >= answersAtMost) return beside.slice(0, answersAtMost);
  const elsewhere = await sameName(wanted, start);
  return [...new Set([...beside, ...elsewhere])].slice(0, answersAtMost);
}

const entriesOf = async (directory: string): Promise<Dirent[]> => {
  const entries = await attempt(() => readdir(directory, { withFileTypes: true }), codeOf);
  return entries.ok ? entries.value : [];
};

async function similarNames(wanted: string): Promise<string[]> {
  const name = folded(basename(wanted));
  const limit = Math.max(1, Math.floor(name.length / 4));
  return (await entriesOf(dirname(wanted)))
    .map((entry) => ({ path: join(dirname(wanted), entry.name), distance: distance(name, folded(entry.name), limit) }))
    .filter((candidate) => candidate.distance <= limit)
    .sort((left, right) => left.distance - right.distance)
    .map(({ path }) => path);
}

/** Breadth first below `start`, bounded in entries and time; the most path in common with what was wanted comes first. */
async function sameName(wanted: string, start: string): Promise<string[]> {
  const name = folded(basename(wanted));
  const until = performance.now() + timeAtMostMs;
  const found: string[] = [];
  const queue = [start];
  let seen = 0;
  for (let directory = queue.shift(); directory !== undefined; directory = queue.shift()) {
    for (const entry of await entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (folded(entry.name) === name) found.push(path);
      if (entry.isDirectory() && !skipped.has(entry.name)) queue.push(path);
      seen++;
    }
    if (seen > entriesAtMost || performance.now() > until) break;
  }
  return found.sort((left, right) => sharedTail(right, wanted) - sharedTail(left, wanted));
}

/** How many trailing components two paths share. */
function sharedTail(left: string, right: string): number {
  const ends = [left.split('/').reverse(), right.split('/').reverse()] as const;
  const differs = ends[0].findIndex((part, index) => folded(part) !== folded(ends[1][index] ?? ''));
  return differs < 0 ? ends[0].length : differs;
}

/** Case, composed letters and kinds of space are what eyes and models confuse. */
const folded = (name: string): string => name.normalize('NFC').replace(/\s/g, ' ').toLowerCase();

/** Edit distance, two neighbours in the wrong order counting as one; given up (as `limit + 1`) once it must exceed `limit`. */
export function distance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substituted = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const isSwapped = row > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped = isSwapped ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(substituted, swapped, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    if (Math.min(...current) > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(at(previous, right.length), limit + 1);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
