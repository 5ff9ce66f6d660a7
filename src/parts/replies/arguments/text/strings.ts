/** A string, whatever was used to quote it. One that is still open at the end of the text is a cut, always. */
import { type Cursor, cut, syntax, use } from './cursor.ts';
import { type Ending, endingOf, type StringPlace } from './ends.ts';
import { decode } from './escapes.ts';

/** A backslash, or what may close a string that was opened so. */
const stopsOf: Readonly<Record<string, RegExp>> = {
  '"': /[\\"]/g,
  "'": /[\\']/g,
  '\u201c': /[\\\u201d\u201c"]/g,
  '\u2018': /[\\\u2019]/g,
};

export const isQuote = (character: string | undefined): boolean =>
  character !== undefined && (Object.hasOwn(stopsOf, character) || character === '`');

/** The cursor stands on the opening quote. */
export function readString(cursor: Cursor, place: StringPlace): string | undefined {
  const { text, at } = cursor;
  const quote = text[at] ?? '';
  const triple = quote.repeat(3);
  if ((quote === '"' || quote === "'") && !place.isKey && text.startsWith(triple, at)) {
    const raw = readRaw(cursor, triple, place);
    if (raw !== undefined || cursor.fault) return raw;
  }
  if (quote === '`')
    return readRaw(cursor, '`', place) ?? syntax(cursor, 'has a back quote that does not close a text');
  if (quote !== '"' && !use(cursor, 'json.quotes')) return undefined;
  return readQuoted(cursor, quote, place);
}

function readQuoted(cursor: Cursor, quote: string, place: StringPlace): string | undefined {
  const { text } = cursor;
  const start = cursor.at + 1;
  const stop = stopsOf[quote] ?? /[\\"]/g;
  const inner: number[] = [];
  for (let at = nextStop(stop, text, start); at >= 0; at = nextStop(stop, text, at + 1)) {
    if (text[at] === '\\') {
      at++;
      continue;
    }
    const ending = endingOf(cursor, at + 1, place);
    if (ending === 'end') {
      if (inner.length > 0 && !mayHoldQuotes(cursor, { ...place, inner, end: at, quote })) return undefined;
      cursor.at = at + 1;
      return decode(cursor, { raw: text.slice(start, at), key: place.key, quote });
    }
    if (!goesOn(cursor, ending, place)) return undefined;
    inner.push(at);
  }
  return cut(cursor, 'it ends inside a string');
}

function nextStop(stop: RegExp, text: string, from: number): number {
  stop.lastIndex = from;
  return stop.exec(text)?.index ?? -1;
}

function goesOn(cursor: Cursor, ending: Ending, { key, isKey }: StringPlace): boolean {
  if (isKey) syntax(cursor, 'has a key that does not end before a colon');
  else if (ending === 'unclear')
    syntax(cursor, `has a quote in "${key}" that may or may not end it (inside a string, write \\")`);
  else return true;
  return false;
}

interface InnerQuotes extends StringPlace {
  readonly inner: readonly number[];
  readonly end: number;
  readonly quote: string;
}

/** Bare quotes stay in a text only where no other reading is left, and never where the text is written to a file. */
function mayHoldQuotes(cursor: Cursor, { key, inner, end, quote }: InnerQuotes): boolean {
  const { text, rules } = cursor;
  if (rules.isVerbatim(key)) {
    syntax(cursor, `has quotes in "${key}" that are not escaped (inside a string, write \\")`);
    return false;
  }
  // Two quotes with nothing between them may be two strings without a comma.
  const isTorn = inner.some((place, index) => {
    const next = inner[index + 1] ?? end;
    const between = text.slice(place + 1, Math.min(next, place + 200));
    return between.trim() === '' && (next !== end || between !== '');
  });
  const isApostrophe = quote !== "'" || inner.every((place) => /\w'\w/.test(text.slice(place - 1, place + 2)));
  if (!isTorn && isApostrophe && !cursor.used.has('json.comments')) return use(cursor, 'json.inner-quotes');
  syntax(cursor, `has quotes in "${key}" that can be read in two ways (inside a string, write \\")`);
  return false;
}

/** Python's and JavaScript's quotes for long text. What a backslash means in there is not known. */
function readRaw(cursor: Cursor, delimiter: string, place: StringPlace): string | undefined {
  const { text } = cursor;
  const start = cursor.at + delimiter.length;
  const end = text.indexOf(delimiter, start);
  if (end < 0) return delimiter === '`' ? cut(cursor, 'it ends inside a string') : undefined;
  const raw = text.slice(start, end);
  if (raw.includes('\\') || raw.includes('$' + '{') || endingOf(cursor, end + delimiter.length, place) !== 'end')
    return undefined;
  if (!use(cursor, 'json.quotes')) return undefined;
  cursor.at = end + delimiter.length;
  return raw;
}
