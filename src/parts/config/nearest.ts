/** The known name that a mistyped one was probably meant to be. */

/** Undefined when nothing is near: a wrong guess helps less than none. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  const [best] = known
    .map((candidate) => ({ candidate, distance: distance(wanted, plain(candidate)) }))
    .sort((one, other) => one.distance - other.distance);
  return best && best.distance <= Math.max(1, Math.floor(wanted.length * 0.4)) ? best.candidate : undefined;
}

/** max_output_tokens, max-output-tokens and maxOutputTokens are one name in three habits. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Insertions, deletions and replacements of one character that lead from one text to the other. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...one].entries()) {
    const line = [row + 1];
    for (let column = 1; column <= other.length; column++) {
      const kept = (above[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      line.push(Math.min(kept, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above[other.length] ?? 0;
}
