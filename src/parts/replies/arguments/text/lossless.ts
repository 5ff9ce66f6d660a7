/**
 * The proof behind every mend of a text: what the strings and keys of the value hold is what the source held between its
 * brackets, quotes and blanks. Counted on both sides by other means than those of the reader, so that a fault in the
 * reader refuses a call and never corrupts one.
 */
import type { Cursor } from './cursor.ts';

/** Whether `value`, as read from `source` (the span of the cursor's text), lost or gained nothing. */
export function isLossless(cursor: Cursor, [start, end]: readonly [number, number], value: unknown): boolean {
  const { texts, scalars } = leavesOf(value);
  return scalars === cursor.scalars && essence(texts.join('\n')) === essence(withoutPassed(cursor, start, end));
}

function withoutPassed({ text, passed }: Cursor, start: number, end: number): string {
  const kept: string[] = [];
  let from = start;
  for (const [passedFrom, passedTo] of passed) {
    kept.push(text.slice(from, passedFrom));
    from = passedTo;
  }
  kept.push(text.slice(from, end));
  return kept.join('\n');
}

/** All but escapes, quotes, brackets, separators, blanks and control characters. */
const essence = (text: string): string =>
  text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/\\+[nrtbf]?/g, '')
    .replace(/[^\w!#-&(-+\-./;-@^|~\u0080-\uffff]+/g, '')
    .replace(
      /[\u0080-\u00a0\u1680\u2000-\u200f\u2018\u2019\u201c\u201d\u2028\u2029\u202f\u205f\u3000\ufeff\uff0c\uff1a]+/g,
      '',
    );

interface Leaves {
  readonly texts: string[];
  scalars: number;
}

/** Keys and strings in the order of the source; an object keeps its order but for keys that are whole numbers. */
function leavesOf(value: unknown): Leaves {
  const leaves: Leaves = { texts: [], scalars: 0 };
  collect(value, leaves);
  return leaves;
}

function collect(value: unknown, leaves: Leaves): void {
  if (typeof value === 'string') leaves.texts.push(value);
  else if (typeof value !== 'object' || value === null) leaves.scalars++;
  else if (Array.isArray(value)) for (const item of value) collect(item, leaves);
  else
    for (const [key, member] of Object.entries(value)) {
      leaves.texts.push(key);
      collect(member, leaves);
    }
}
