/** Where a JSON value in the middle of a text ends, read with tolerance: what is inside is judged later. */

export interface Extent {
  readonly end: number;
  /** The closers that are missing, in order; empty for a whole value. */
  readonly missing: string;
  /** The text ended inside a string: whatever was meant, it was cut. */
  readonly isInString: boolean;
  /** The text ended inside the value. */
  readonly isAtEnd: boolean;
}

/** From an opening brace or bracket at `at` to its partner. Markup outside of strings ends it early. */
export function extentOf(text: string, at: number): Extent {
  const stack: string[] = [];
  let previous = '';
  for (let index = at; index < text.length; index++) {
    const char = text[index] ?? '';
    if (isQuote(char, previous)) {
      index = endOfString(text, index);
      if (index < 0) return { end: text.length, missing: closers(stack), isInString: true, isAtEnd: true };
    } else if (char === '<' || char === '`') {
      return { end: index, missing: closers(stack), isInString: false, isAtEnd: false };
    } else if (!turn(stack, char)) {
      return { end: index, missing: '?', isInString: false, isAtEnd: false };
    } else if (stack.length === 0) {
      return { end: index + 1, missing: '', isInString: false, isAtEnd: false };
    }
    if (char > ' ') previous = char;
  }
  return { end: text.length, missing: closers(stack), isInString: false, isAtEnd: true };
}

/** False for a closer that closes nothing. */
function turn(stack: string[], char: string): boolean {
  if (char === '{') stack.push('}');
  else if (char === '[') stack.push(']');
  else if (char === '}' || char === ']') return stack.pop() === char;
  return true;
}

/** A double quote always, a single one only where a value or key may start. */
const isQuote = (char: string, previous: string): boolean =>
  char === '"' || (char === "'" && '{[,:('.includes(previous));

/** The place of the closing quote, or -1. */
function endOfString(text: string, at: number): number {
  const quote = text[at];
  for (let index = at + 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === quote) return index;
  }
  return -1;
}

const closers = (stack: readonly string[]): string => stack.toReversed().join('');

export interface Member {
  readonly key: string;
  /** The value as written. */
  readonly raw: string;
}

/** The members of the object `text`, which starts with a brace; undefined where it does not read like one. */
export function membersOf(text: string): readonly Member[] | undefined {
  const members: Member[] = [];
  let at = 1;
  for (;;) {
    while (at < text.length && /[\s,]/.test(text[at] ?? '')) at++;
    if (at >= text.length || text[at] === '}') return members;
    const key = keyAt(text, at);
    if (!key || members.length >= 24) return undefined;
    const end = endOfValue(text, key.end);
    members.push({ key: key.word, raw: text.slice(key.end, end).trim() });
    at = end;
  }
}

const keyForm = /(?:"([^"\\]{1,64})"|'([^'\\]{1,64})'|([A-Za-z_]\w{0,63}))\s*:\s*/y;

function keyAt(text: string, at: number): { word: string; end: number } | undefined {
  keyForm.lastIndex = at;
  const match = keyForm.exec(text);
  if (!match) return undefined;
  return { word: match[1] ?? match[2] ?? match[3] ?? '', end: at + match[0].length };
}

function endOfValue(text: string, at: number): number {
  const char = text[at] ?? '';
  if (char === '{' || char === '[') return Math.max(at + 1, extentOf(text, at).end);
  let previous = ':';
  for (let index = at; index < text.length; index++) {
    const here = text[index] ?? '';
    if (isQuote(here, previous)) {
      const close = endOfString(text, index);
      if (close < 0) return text.length;
      index = close;
    } else if (here === ',' || here === '}') {
      return index;
    }
    if (here > ' ') previous = here;
  }
  return text.length;
}
