/** How far two words are from each other. */

/** Edit distance, two neighbours in the wrong order counting as one; `limit + 1` once it must be more. */
export function distance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped =
        row > 1 && column > 1 && isSwapped ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY;
      const changed = at(previous, column - 1) + (isSame ? 0 : 1);
      current.push(Math.min(changed, swapped, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    if (Math.min(...current) > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(at(previous, right.length), limit + 1);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

const wordAtMost = 80;

/** Names within a quarter of the longer one's length, nearest first. */
export function nearest(word: string, names: readonly string[]): string[] {
  const wanted = word.toLowerCase().slice(0, wordAtMost);
  return names
    .map((name) => ({ name, limit: Math.floor(Math.max(wanted.length, name.length) / 4) }))
    .map(({ name, limit }) => ({ name, limit, far: distance(wanted, name.toLowerCase().slice(0, wordAtMost), limit) }))
    .filter(({ far, limit }) => far <= limit)
    .sort((left, right) => left.far - right.far)
    .map(({ name }) => name);
}
