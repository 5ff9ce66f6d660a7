/** Objects and lists, with the commas and closers that models forget or add. */
import { type Cursor, cut, depthAtMost, skipBlanks, syntax, use } from './cursor.ts';
import { keyAt } from './ends.ts';
import { readScalar } from './scalars.ts';
import { isQuote, readString } from './strings.ts';

/** Any value; `key` is the key it belongs to. */
export function readValue(cursor: Cursor, key: string): unknown {
  if (!skipBlanks(cursor)) return undefined;
  const character = cursor.text[cursor.at];
  if (character === undefined) return cut(cursor, 'it ends where a value should follow');
  if (character === '{') return inside(cursor, '{', () => readMembers(cursor));
  if (character === '[') return inside(cursor, '[', () => readItems(cursor, key));
  return isQuote(character) ? readString(cursor, { key, isKey: false }) : readScalar(cursor, key);
}

function inside<T>(cursor: Cursor, bracket: string, read: () => T | undefined): T | undefined {
  if (cursor.open.length >= depthAtMost) return syntax(cursor, `is nested deeper than ${depthAtMost} levels`);
  cursor.at++;
  cursor.open.push(bracket);
  const value = read();
  cursor.open.pop();
  return value;
}

/** The members of an object from here to its closer, for a cursor behind the opener. */
export function readMembers(cursor: Cursor): Record<string, unknown> | undefined {
  const members = new Map<string, unknown>();
  const end = readParts(cursor, () => {
    const key = readKey(cursor);
    if (key === undefined) return false;
    const value = readValue(cursor, key);
    if (value === undefined) return false;
    if (members.has(key)) return syntax(cursor, `has "${key}" twice`) ?? false;
    members.set(key, value);
    return true;
  });
  return end ? Object.fromEntries(members) : undefined;
}

function readItems(cursor: Cursor, key: string): unknown[] | undefined {
  const items: unknown[] = [];
  const end = readParts(cursor, () => {
    const value = readValue(cursor, key);
    if (value === undefined) return false;
    items.push(value);
    return true;
  });
  return end ? items : undefined;
}

/** What was read last inside the brackets; `closed` and `failed` end the reading. */
type State = 'start' | 'part' | 'comma' | 'closed' | 'failed';

/** Reads parts and what stands between them up to the closer of what is open; false with a fault. */
function readParts(cursor: Cursor, readPart: () => boolean): boolean {
  let state: State = 'start';
  while (state !== 'closed' && state !== 'failed') state = readNext(cursor, state, readPart);
  return state === 'closed';
}

function readNext(cursor: Cursor, state: State, readPart: () => boolean): State {
  if (!skipBlanks(cursor)) return 'failed';
  const character = cursor.text[cursor.at];
  if (character === undefined) return endsOpen(cursor, state) ? 'closed' : 'failed';
  if (character === '}' || character === ']') return readCloser(cursor, character, state);
  if (character === ',' || character === '\uff0c') return readComma(cursor, character, state);
  if (state === 'part' && !mayLackComma(cursor)) return 'failed';
  return readPart() ? 'part' : 'failed';
}

function readComma(cursor: Cursor, character: string, state: State): State {
  if (character !== ',' && !use(cursor, 'json.blanks')) return 'failed';
  if (state !== 'part' && !use(cursor, 'json.commas')) return 'failed';
  cursor.at++;
  return 'comma';
}

function readCloser(cursor: Cursor, character: string, state: State): State {
  if (state === 'comma' && !use(cursor, 'json.commas')) return 'failed';
  const closer = cursor.open.at(-1) === '{' ? '}' : ']';
  if (character === closer && !closesTooEarly(cursor)) {
    cursor.at++;
    return 'closed';
  }
  // A closer of something further out: what is open here was not closed.
  if (character !== closer && cursor.open.slice(0, -1).includes(character === '}' ? '{' : '[')) {
    return use(cursor, 'json.missing-closers') ? 'closed' : 'failed';
  }
  if (!use(cursor, 'json.extra-closers')) return 'failed';
  cursor.at++;
  return 'part';
}

/** `{"path": "a"}, "content": "b"}`: members go on behind the last closer, so it was one too many. */
function closesTooEarly({ text, at, open }: Cursor): boolean {
  if (open.length !== 1 || open[0] !== '{') return false;
  const comma = /\s{0,100},\s{0,100}/y;
  comma.lastIndex = at + 1;
  return comma.test(text) && keyAt(text, comma.lastIndex)?.isQuoted === true;
}

/** The text ends while something is open. Closers alone may be added, and only behind a whole value. */
function endsOpen(cursor: Cursor, state: State): boolean {
  if (state === 'part' && !cursor.rules.isCut) return use(cursor, 'json.missing-closers');
  return cut(cursor, 'it ends before its closing bracket') ?? false;
}

function mayLackComma(cursor: Cursor): boolean {
  const isPart =
    cursor.open.at(-1) === '[' ? /["{[\d]/.test(cursor.text[cursor.at] ?? '') : keyAt(cursor.text, cursor.at);
  if (isPart) return use(cursor, 'json.commas');
  return syntax(cursor, 'wants a comma or a closing bracket') ?? false;
}

function readKey(cursor: Cursor): string | undefined {
  const { text, at } = cursor;
  const isQuoted = isQuote(text[at]) && text[at] !== '`';
  const found = isQuoted ? undefined : keyAt(text, at);
  if (!isQuoted && !found) {
    return text.length - at < 64 && /^[\w$-]*$/.test(text.slice(at))
      ? cut(cursor, 'it ends inside a key')
      : syntax(cursor, 'wants a quoted key');
  }
  if (found && !use(cursor, 'json.bare-keys')) return undefined;
  if (found) cursor.at += found.key.length;
  const key = found ? found.key : readString(cursor, { key: '', isKey: true });
  if (key === undefined || !skipBlanks(cursor)) return undefined;
  if (cursor.at >= text.length) return cut(cursor, 'it ends behind a key');
  if (cursor.text[cursor.at] === '\uff1a' && !use(cursor, 'json.blanks')) return undefined;
  cursor.at++;
  return key;
}
