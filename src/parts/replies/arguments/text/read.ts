/** From the text of arguments to values: as it is, or by a mend that loses nothing. */
import { isDeepStrictEqual } from 'node:util';
import { attemptSync, messageOf } from '../../../../base/attempt.ts';
import { fail, ok, type Result } from '../../../../base/result.ts';
import type { StepId } from '../steps.ts';
import { readMembers, readValue } from './containers.ts';
import {
  afterBlanks,
  type Cursor,
  cursorOn,
  depthAtMost,
  type ReadingRules,
  skipBlanks,
  syntax,
  type TextFault,
  use,
} from './cursor.ts';
import { keyAt } from './ends.ts';
import { isLossless } from './lossless.ts';
import { isQuote } from './strings.ts';

export interface ReadText {
  /** One value, or the several that stood one behind the other. */
  readonly values: readonly unknown[];
  readonly used: readonly StepId[];
}

/** Reads strictly, and tolerantly only what is no JSON. Faults say what is wrong and where. */
export function readText(text: string, rules: ReadingRules): Result<ReadText, TextFault> {
  const strict = attemptSync(() => JSON.parse(text) as unknown, messageOf);
  if (!strict.ok) return readTolerantly(text, rules);
  if (isTooDeep(strict.value)) return fail({ kind: 'syntax', what: `is nested deeper than ${depthAtMost} levels` });
  if (hasFewerKeys(strict.value, text) && !rules.isOff('json.duplicate-keys')) {
    const cursor = cursorOn(text, rules);
    if (readValue(cursor, '') === undefined && cursor.fault) return fail(cursor.fault);
  }
  return ok({ values: [strict.value], used: [] });
}

/** JSON.parse keeps the last of two equal keys: then the text has more of them than the value. */
function hasFewerKeys(value: unknown, text: string): boolean {
  const keys = text.match(/"\s*:/g)?.length ?? 0;
  if (keys < 2) return false;
  return keys > (JSON.stringify(value).match(/":/g)?.length ?? 0);
}

/** Walks level by level, without recursion: a hostile text may be nested as deep as it is long. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthAtMost) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** How the numbers of a text were spelled. */
export function spellingsIn(text: string, rules: ReadingRules): ReadonlyMap<number, string | null> {
  const cursor = cursorOn(text, rules);
  if (skipBlanks(cursor) && findStart(cursor)) readValue(cursor, '');
  return cursor.spellings;
}

const objectsAtMost = 20;

function readTolerantly(text: string, rules: ReadingRules): Result<ReadText, TextFault> {
  const cursor = cursorOn(unfenced(text), rules);
  if (cursor.text !== text && !use(cursor, 'json.wrapping')) return failed(cursor);
  const values: unknown[] = [];
  for (let isMore = true; isMore && values.length < objectsAtMost; isMore = hasNext(cursor)) {
    const value = readOne(cursor, values.length);
    if (value === undefined) return failed(cursor);
    values.push(value);
  }
  if (!mayEndHere(cursor)) return failed(cursor);
  const distinct = values.length > 1 ? withoutRepeats(cursor, values) : values;
  return distinct ? ok({ values: distinct, used: [...cursor.used] }) : failed(cursor);
}

const failed = (cursor: Cursor) => fail(cursor.fault ?? ({ kind: 'syntax', what: 'is no JSON' } as const));

/** The text without a code fence around all of it. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```')) return text;
  const start = trimmed.search(/[{["\n]/);
  const inner = trimmed.slice(Math.max(start, 3));
  return inner.endsWith('```') ? inner.slice(0, -3) : inner;
}

function readOne(cursor: Cursor, count: number): unknown {
  if (!skipBlanks(cursor)) return undefined;
  if (count === 0 && !findStart(cursor)) return undefined;
  const start = cursor.at;
  cursor.passed.length = 0;
  cursor.scalars = 0;
  const lacksOpener =
    count === 0 && !/[{[]/.test(cursor.text[start] ?? '') && keyAt(cursor.text, start)?.isQuoted === true;
  const value = lacksOpener ? readWithoutOpener(cursor) : readValue(cursor, '');
  if (value === undefined) return undefined;
  if (isLossless(cursor, [start, cursor.at], value)) return value;
  return syntax(cursor, 'cannot be mended without losing something');
}

function readWithoutOpener(cursor: Cursor): unknown {
  if (!use(cursor, 'json.missing-opener')) return undefined;
  cursor.open.push('{');
  const value = readMembers(cursor);
  cursor.open.pop();
  return value;
}

/** Moves over prose to the one object in it. */
function findStart(cursor: Cursor): boolean {
  const { text, at } = cursor;
  if (/[{[]/.test(text[at] ?? '') || isQuote(text[at])) return true;
  const start = text.indexOf('{', at);
  if (start < 0) {
    syntax(cursor, 'is no JSON object');
    return false;
  }
  if (!isProse(text.slice(at, start))) {
    syntax(cursor, 'has something before its first bracket that is no JSON');
    return false;
  }
  cursor.at = start;
  return use(cursor, 'json.wrapping');
}

/** Nothing in it could be a part of the arguments. */
const isProse = (text: string): boolean => !/["'\]]\s{0,9}[:,]|[{}]/.test(text);

function hasNext(cursor: Cursor): boolean {
  const { text } = cursor;
  let at = afterBlanks(text, cursor.at);
  if (text[at] === ',' || text[at] === ';') at = afterBlanks(text, at + 1);
  if (text[at] !== '{') return false;
  cursor.at = at;
  return true;
}

/** What follows the last value: nothing, closers too many, or prose. */
function mayEndHere(cursor: Cursor): boolean {
  const rest = cursor.text.slice(cursor.at).trim();
  if (rest === '') return true;
  if (/^[}\])\s;]+$/.test(rest)) return use(cursor, 'json.extra-closers');
  const prose = rest.replace(/^[}\]\s]+/, '');
  if (isProse(prose) && !/^[,:]/.test(prose)) return use(cursor, 'json.wrapping');
  syntax(cursor, 'has something behind its last bracket that is no JSON');
  return false;
}

/** Equal objects are one; an empty one before a full one is a ghost of the stream. */
function withoutRepeats(cursor: Cursor, values: readonly unknown[]): readonly unknown[] | undefined {
  const full = values.filter((value) => !isDeepStrictEqual(value, {}));
  const distinct = full.filter(
    (value, index) => !full.slice(0, index).some((other) => isDeepStrictEqual(value, other)),
  );
  if (distinct.length < values.length && !use(cursor, 'json.repeated')) return undefined;
  if (distinct.length > 1 && !use(cursor, 'json.several')) return undefined;
  return distinct.length > 0 ? distinct : [{}];
}
