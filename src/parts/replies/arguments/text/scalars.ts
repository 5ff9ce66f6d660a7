/** Numbers, literals, and text that nobody quoted. */
import { afterBlanks, type Cursor, cut, isBlank, syntax, use } from './cursor.ts';
import { endingOf } from './ends.ts';

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /[A-Za-z]+/y;
const literals: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const foreign: Readonly<Record<string, boolean | null>> = {
  True: true,
  TRUE: true,
  False: false,
  FALSE: false,
  None: null,
  NULL: null,
  Null: null,
  nil: null,
  undefined: null,
};

/** The cursor stands on the first character of something without quotes. */
export function readScalar(cursor: Cursor, key: string): unknown {
  const { text, at } = cursor;
  number.lastIndex = at;
  if (number.test(text) && isDelimiter(text, number.lastIndex)) {
    const end = number.lastIndex;
    // Where the text ends in a number, further digits may be missing.
    if (end === text.length && cursor.open.length > 0) return cut(cursor, 'it ends inside a number');
    return taken(cursor, end, remembered(cursor, text.slice(at, end)));
  }
  word.lastIndex = at;
  if (word.test(text) && isDelimiter(text, word.lastIndex)) {
    const spelled = text.slice(at, word.lastIndex);
    if (Object.hasOwn(literals, spelled)) return taken(cursor, word.lastIndex, literals[spelled]);
    if (Object.hasOwn(foreign, spelled)) {
      return use(cursor, 'json.literals') ? taken(cursor, word.lastIndex, foreign[spelled]) : undefined;
    }
  }
  return readBare(cursor, key);
}

/** 1.10 is 1.1 as a number, but not as the text that somebody may have wanted. */
function remembered({ spellings }: Cursor, spelled: string): number {
  const value = Number(spelled);
  const known = spellings.get(value);
  if (known === undefined) spellings.set(value, spelled);
  else if (known !== spelled) spellings.set(value, null);
  return value;
}

function taken(cursor: Cursor, end: number, value: unknown): unknown {
  cursor.passed.push([cursor.at, end]);
  cursor.scalars++;
  cursor.at = end;
  return value;
}

const isDelimiter = (text: string, at: number): boolean =>
  at >= text.length || ',}]:/#\uff0c'.includes(text[at] ?? ',') || isBlank(text.charCodeAt(at));

/** Up to the comma or closer that can only be one; not across quotes, brackets or calls. */
function readBare(cursor: Cursor, key: string): unknown {
  const { text, at: start } = cursor;
  let at = start;
  while (at < text.length && !/[,}\]{["'`(\n]/.test(text[at] ?? ',')) at++;
  if (at === text.length) return cut(cursor, 'it ends inside a value');
  const bare = text.slice(start, at).trimEnd();
  if (text[at] === '\n') at = afterBlanks(text, at);
  const isEnd =
    /[,}\]]/.test(text[at] ?? '"') && endingOf(cursor, start + bare.length, { key, isKey: false }) === 'end';
  if (bare === '' || !isEnd)
    return syntax(cursor, `has something in "${key}" that is no JSON value (texts want quotes)`);
  if (cursor.rules.isVerbatim(key)) return syntax(cursor, `has "${key}" without quotes`);
  if (!use(cursor, 'json.bare-values')) return undefined;
  cursor.at = start + bare.length;
  return bare;
}
