/** Whether a block stands as a call: alone, at the end or in a model's own marks, and not as something quoted. */
import { isAsked, isShown, isSpokenOf } from './cues.ts';
import { cutInvented } from './invented.ts';
import type { Placed } from './scan.ts';

export interface Surroundings {
  readonly text: string;
  /** Where the text after the block ends: the next call's start, or the end of all. */
  readonly until: number;
  readonly from: 'text' | 'reasoning';
}

/** A literal of a program that goes on over several lines. */
const opensText = /(?:"""|'''|[=(,][ \t]{0,4}["'`])\s*$/;

export function stands(block: Placed, { text, until, from }: Surroundings): boolean {
  const before = text.slice(Math.max(0, block.start - 2_000), block.start);
  const after = cutInvented(text.slice(block.end, until)).text;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const rest = after.split('\n', 1)[0] ?? '';
  // Prose glued to a closing token is what the model says next; behind a blank, the token is spoken of.
  const isSealed = block.isSealed === true && line.trim() === '' && /^\S/.test(rest);
  if ((rest.trim() !== '' && !isSealed) || !mayFollow(line, block)) return false;
  const isData = block.fence === 'data' || (!block.isMarked && block.found.some(({ dialect }) => dialect === 'json'));
  if (opensText.test(before) || isShown(before, isData)) return false;
  const isPlain = !block.isMarked || block.fence === 'data';
  if (isPlain && isAsked(before)) return false;
  if (after.trim() === '') return true;
  if (from === 'reasoning' || block.fence) return false;
  // An object that the whole message begins with was meant, whatever is said after it.
  const isLeading = text.slice(0, block.start).trim() === '' && block.found.some(({ dialect }) => dialect === 'json');
  return (block.isMarked || isLeading) && !isSpokenOf(after);
}

/** What may stand before a call on its line: nothing; a sentence that ended, before a wrapper; anything, before a token. */
export function mayFollow(line: string, block: Pick<Placed, 'isMarked' | 'isToken' | 'fence'>): boolean {
  const said = line.trim();
  if (said === '') return true;
  if (!block.isMarked || block.fence || isList(said) || isInCode(line)) return false;
  if (/["'`\u201c\u201e\u300c\u00ab]$/.test(said)) return false;
  return block.isToken || /[.!:\u2026\u3002\uff01\uff1a]$/.test(said);
}

/** A quotation, a list's mark or a table's cell. */
const isList = (said: string): boolean => /^(?:[>|]|(?:[-*+]|\d{1,3}[.)])(?:\s|$))/.test(said);

/** An odd number of ticks before it on the line: inside of inline code. */
export const isInCode = (line: string): boolean => (line.match(/`+/g)?.length ?? 0) % 2 === 1;

/** Whether marks without a call may be taken out: they stand alone, or stick to the end of a text. */
export function isStray(block: Placed, text: string): boolean {
  const line = text.slice(text.lastIndexOf('\n', block.start - 1) + 1, block.start);
  if (isInCode(line) || closesSomething(block, text)) return false;
  const rest = text.slice(block.end, indexOrEnd(text, block.end)).trim();
  if (line.trim() === '') return rest === '' || block.isMarked;
  if (block.isMarked) return rest === '' && mayFollow(line, block);
  return rest === '' && !/\s$/.test(line);
}

/** A closer whose opener stands in the text belongs to what is shown there. */
function closesSomething({ start, end, isMarked }: Placed, text: string): boolean {
  if (isMarked) return false;
  const words = text.slice(start, end).match(/[A-Za-z]\w*(?=[^\w<]*>)/g) ?? [];
  return words.some((word) => new RegExp(`<[^/\\s<>]{0,20}${word}\\b`).test(text.slice(0, start)));
}

const indexOrEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
};
