/** Is this quote the end of its string? Answered from what follows, within a fixed distance. */
import { afterBlanks, type Cursor } from './cursor.ts';

export interface StringPlace {
  /** The key that the string belongs to, or '' for a key itself. */
  readonly key: string;
  readonly isKey: boolean;
}

/** `unclear`: it could be the end or part of the text, so nothing may be guessed. */
export type Ending = 'end' | 'inside' | 'unclear';

const keyAtMost = 128;
const keyPattern = new RegExp(
  `(?:(["'\`\u201c\u201d])([^"'\`\u201c\u201d\\n]{0,${keyAtMost}})["'\`\u201c\u201d]|([A-Za-z_$][\\w$-]{0,${keyAtMost}}))`,
  'y',
);

/** The key that starts at `at` and is followed by a colon, with the place behind the colon. */
export function keyAt(text: string, at: number): { key: string; isQuoted: boolean; end: number } | undefined {
  keyPattern.lastIndex = at;
  const match = keyPattern.exec(text);
  if (!match) return undefined;
  const colon = afterBlanks(text, keyPattern.lastIndex);
  if (text[colon] !== ':' && text[colon] !== '\uff1a') return undefined;
  return { key: match[2] ?? match[3] ?? '', isQuoted: match[1] !== undefined, end: colon + 1 };
}

/** `at` is the place behind the quote. */
export function endingOf(cursor: Cursor, at: number, { key, isKey }: StringPlace): Ending {
  const { text } = cursor;
  const next = afterBlanks(text, at);
  const character = text[next];
  if (character === undefined) return 'end';
  if (isKey) return character === ':' || character === '\uff1a' ? 'end' : 'inside';
  if (character === ',') return afterComma(cursor, next + 1);
  if (character === '}' || character === ']') return afterClosers(cursor, next);
  if (character === '\uff0c') return afterComma(cursor, next + 1) === 'end' ? 'end' : 'inside';
  if (character === ':') return 'unclear';
  if (character === '/' || character === '#') return isBeforeComment(cursor, next) ? 'end' : 'inside';
  if (cursor.open.length === 0) return 'end';
  return missingComma(cursor, next, key) ?? 'inside';
}

function afterComma({ text, open }: Cursor, from: number): Ending {
  const at = afterBlanks(text, from);
  const character = text[at];
  if (character === undefined || ',}]/'.includes(character)) return 'end';
  if (open.at(-1) === '{') return keyAt(text, at) || isCutKey(text, at) ? 'end' : 'unclear';
  return /["'{[\d\-tfnTFN\u201c]/.test(character) ? 'end' : 'unclear';
}

/** The text ends within a key or behind one: what comes before it is whole all the same. */
const isCutKey = (text: string, at: number): boolean =>
  text.length - at <= keyAtMost && /^["'\w$-][\w $.-]*["']?\s*$/.test(text.slice(at));

/** Closers end a string if they end the text or lead to a further part of what is open. */
function afterClosers(cursor: Cursor, from: number): Ending {
  const { text, open } = cursor;
  let at = from;
  let closed = 0;
  while (text[at] === '}' || text[at] === ']') {
    closed++;
    at = afterBlanks(text, at + 1);
    if (closed > open.length + 8) return 'unclear';
  }
  const character = text[at];
  if (character === undefined || closed >= open.length) return 'end';
  if (character === ',' || character === '\uff0c') return 'end';
  return /["{]/.test(character) ? 'end' : 'unclear';
}

const isBeforeComment = ({ text, open }: Cursor, at: number): boolean =>
  open.length > 0 && /^(?:\/\/|\/\*|#)[^"]{0,200}?(?:\n|\*\/)\s{0,50}["},\]/#]/.test(text.slice(at, at + 300));

/** Not behind verbatim text: there the forgotten comma might as well be part of it. */
function missingComma({ text, open, rules }: Cursor, at: number, key: string): Ending | undefined {
  if (open.at(-1) !== '{' || rules.isVerbatim(key)) return undefined;
  const found = keyAt(text, at);
  return found?.isQuoted && rules.isDeclared(found.key) ? 'end' : undefined;
}
