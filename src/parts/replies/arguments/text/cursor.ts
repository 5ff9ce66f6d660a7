/** Where the tolerant reader stands in a text, and what it had to mend so far. */
import type { StepId } from '../steps.ts';

export interface ReadingRules {
  /** Nothing at the end of the text may be added: the reply was cut. */
  readonly isCut: boolean;
  isOff(step: StepId): boolean;
  /** Text under this key is written to a file or run: no reading of it that is not the only one. */
  isVerbatim(key: string): boolean;
  /** A parameter of the tool: what may follow a forgotten comma. */
  isDeclared(key: string): boolean;
}

export interface TextFault {
  readonly kind: 'cut' | 'syntax';
  readonly what: string;
}

export interface Cursor {
  readonly text: string;
  readonly rules: ReadingRules;
  at: number;
  /** The brackets that are open, outermost first. */
  readonly open: string[];
  readonly used: Set<StepId>;
  /** Spans of scalars and comments: no text that the lossless check compares. */
  readonly passed: [start: number, end: number][];
  scalars: number;
  /** Numbers that were not spelled as they print; null for one that was spelled in two ways. */
  readonly spellings: Map<number, string | null>;
  fault?: TextFault;
}

export const depthAtMost = 100;

export const cursorOn = (text: string, rules: ReadingRules): Cursor => ({
  text,
  rules,
  at: 0,
  open: [],
  used: new Set(),
  passed: [],
  scalars: 0,
  spellings: new Map(),
});

/** Records a mend; false (and a fault) where it is switched off. */
export function use(cursor: Cursor, step: StepId): boolean {
  if (cursor.rules.isOff(step)) {
    syntax(cursor, `wants the mend ${step}, which is off,`);
    return false;
  }
  cursor.used.add(step);
  return true;
}

/** `undefined` stands for "could not be read" all over the reader: no JSON value is undefined. */
export function syntax(cursor: Cursor, what: string): undefined {
  cursor.fault ??= { kind: 'syntax', what: `${what} at character ${cursor.at}` };
  return undefined;
}

export function cut(cursor: Cursor, what: string): undefined {
  cursor.fault ??= { kind: 'cut', what };
  return undefined;
}

const isJsonBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;
const isOddBlank = (code: number): boolean =>
  code > 127 &&
  (code === 0xa0 || code === 0xfeff || code === 0x3000 || (code >= 0x2000 && code <= 0x200f) || code === 0x202f);

/** Whether the character code is a blank of JSON or one that models put in its place. */
export const isBlank = (code: number): boolean => isJsonBlank(code) || isOddBlank(code);

/** The first place from `from` on that holds no blank. */
export function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Moves over blanks and comments; false where a comment may not be taken for one. */
export function skipBlanks(cursor: Cursor): boolean {
  const { text } = cursor;
  for (;;) {
    const code = text.charCodeAt(cursor.at); // NaN at the end
    if (isJsonBlank(code)) cursor.at++;
    else if (isOddBlank(code)) {
      if (!use(cursor, 'json.blanks')) return false;
      cursor.at++;
    } else if (code === 47 || code === 35) {
      const end = commentEnd(text, cursor.at);
      if (end === undefined) return true;
      if (!use(cursor, 'json.comments')) return false;
      cursor.passed.push([cursor.at, end]);
      cursor.at = end;
    } else return true;
  }
}

/** Where the comment ends that starts here; undefined if none does, or if it might hide a parameter. */
function commentEnd(text: string, at: number): number | undefined {
  if (text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2);
    return end < 0 ? undefined : end + 2;
  }
  if (text[at] !== '#' && !text.startsWith('//', at)) return undefined;
  const end = text.indexOf('\n', at);
  if (end >= 0) return end;
  // Without a line break the rest of the text would be the comment: closers, and perhaps parameters.
  return /["'{}[\]:]/.test(text.slice(at)) ? undefined : text.length;
}
