/**
 * Replaces exact text by exact text. All edits of a call are matched against the content as it was before the call, so
 * their order means nothing, an anchor is judged on what the model has read, and the diff follows from the offsets.
 * Either every edit ends up in the content or the content stays.
 */
import { fail, ok, type Result } from '../../base/result.ts';
import { flatten, flatView, lineOf, unwritable, withEndsOf } from './ends.ts';
import { isAlike } from './nearest.ts';
import {
  alreadyApplied,
  ambiguous,
  type EditRefusal,
  emptyAnchor,
  noop,
  notFound,
  overlap,
  type Problem,
  unfit,
} from './refusal.ts';

export interface Replacement {
  readonly old: string;
  readonly new: string;
  /** Replace every occurrence instead of the only one. */
  readonly all?: boolean | undefined;
}

/** One splice: the characters [start, end) of the content before became `text`. Offsets are UTF-16 units. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Applied {
  readonly content: string;
  /** In the order of the content; never overlapping. */
  readonly changes: readonly Change[];
  /** Edits that had nothing left to do: their text was in place, or old and new are the same. */
  readonly skipped: readonly Problem[];
}

/** Where an anchor stands in the flat text. */
interface Span {
  readonly edit: number;
  readonly start: number;
  readonly end: number;
  readonly old: string;
  readonly new: string;
}

type Located = { readonly spans: readonly Span[] } | { readonly problem: Problem };

const listedLines = 10;
const countedMatches = 1000;

export function applyEdits(content: string, edits: readonly Replacement[]): Result<Applied, EditRefusal> {
  const why = unwritable(content);
  if (why) return fail(refuseAll(`the file holds ${why}.`));
  const flat = flatView(content);
  const located = edits.map((_, index) => locate(flat.text, edits, index));
  const problems = located.flatMap((outcome) => ('problem' in outcome ? outcome.problem : []));
  const spans = located
    .flatMap((outcome) => ('spans' in outcome ? outcome.spans : []))
    .sort((left, right) => left.start - right.start);
  const blocking = [...problems.filter(isBlocking), ...overlaps(flat.text, spans)];
  if (blocking[0]) return fail({ class: blocking[0].class, problems: blocking });
  if (problems[0] && spans.length === 0) return fail({ class: problems[0].class, problems });

  const changes = spans.map((span) => {
    const core = coreOf(span);
    const place = { start: flat.originalOffset(core.start), end: flat.originalOffset(core.end) };
    return { ...place, text: content.includes('\n') ? withEndsOf(content, place, core.text) : core.text };
  });
  return ok({ content: splice(content, changes), changes, skipped: problems });
}

const refuseAll = (text: string): EditRefusal => ({
  class: 'refused',
  problems: [{ edit: 1, class: 'refused', text, lines: [] }],
});

/** Content with every change made; offsets are those of `content`. */
export function splice(content: string, changes: readonly Change[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of changes) {
    pieces.push(content.slice(at, start), text);
    at = end;
  }
  return pieces.join('') + content.slice(at);
}

/** The one change that leads from one text to another; undefined when they are equal. */
export function changeBetween(before: string, after: string): Change | undefined {
  if (before === after) return undefined;
  return coreOf({ edit: 1, start: 0, end: before.length, old: before, new: after });
}

function locate(text: string, edits: readonly Replacement[], index: number): Located {
  const edit = edits[index] ?? { old: '', new: '' };
  const number = index + 1;
  const problem = (found: Omit<Problem, 'edit'>): Located => ({ problem: { edit: number, ...found } });
  const why = unwritable(edit.new) ?? unwritable(edit.old);
  if (why) return problem(unfit(why));
  const old = anchorText(edit.old);
  const wanted = text.includes('\n') ? anchorText(edit.new) : edit.new.replace(/^\uFEFF/, '');
  if (old === '') {
    if (text !== '') return problem(emptyAnchor);
    if (wanted === '') return problem(noop(text, old));
    return { spans: [{ edit: number, start: 0, end: 0, old, new: wanted }] };
  }
  if (old === wanted) return problem(noop(text, old));
  const matches = matchesOf(text, old, edit.all === true ? old.length : 1);
  const inPlace = placeOfNewText(text, { old, new: wanted, all: edit.all === true }, matches);
  if (inPlace !== undefined) return problem(alreadyApplied(lineOf(text, inPlace)));
  if (matches.length === 0) return problem(notFound(text, old, writerOf(edits, index, old)));
  if (matches.length > 1 && edit.all !== true) {
    const lines = matches.slice(0, listedLines).map((at) => lineOf(text, at));
    return problem(ambiguous([...new Set(lines)], matches.length));
  }
  return { spans: matches.map((start) => ({ edit: number, start, end: start + old.length, old, new: wanted })) };
}

/** A byte-order mark belongs to the file, never to an anchor. */
const anchorText = (text: string): string => flatten(text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Offsets of the matches, each `step` or more after the one before. Unless all are wanted, counting ends early. */
function matchesOf(text: string, old: string, step: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + step)) {
    found.push(at);
    if (step === 1 && found.length >= countedMatches) break;
  }
  return found;
}

/**
 * Where the new text already stands in the place of the old one. Without a match: once in the file, at word bounds, and
 * like the old text, so that it is no chance find. With one match: it is a part of the new text and the lines that the edit would add are there.
 */
function placeOfNewText(text: string, edit: Required<Replacement>, matches: readonly number[]): number | undefined {
  if (!/[\p{L}\p{N}]/u.test(edit.new)) return undefined;
  const [only, second] = matches;
  if (only === undefined) {
    if (!isAlike(edit.old, edit.new)) return undefined;
    const found = matchesOf(text, edit.new, 1).filter((at) => isAtWordBounds(text, at, edit.new));
    return found.length === 1 || edit.all ? found[0] : undefined;
  }
  if (second !== undefined || edit.all) return undefined;
  const offset = edit.new.indexOf(edit.old);
  if (offset < 0) return undefined;
  const added = edit.new.slice(0, offset) + edit.new.slice(offset + edit.old.length);
  const addsLines = added.includes('\n') && /[\p{L}\p{N}]/u.test(added);
  return addsLines && only >= offset && text.startsWith(edit.new, only - offset) ? only - offset : undefined;
}

function isAtWordBounds(text: string, at: number, word: string): boolean {
  const cutsWord = (left: string | undefined, right: string | undefined) =>
    /^\w\w$/.test(`${left ?? ''}${right ?? ''}`);
  const end = at + word.length;
  return !cutsWord(text[at - 1], word[0]) && !cutsWord(word.at(-1), text[end]);
}

/** The earlier edit of the call whose new text holds `old`. */
function writerOf(edits: readonly Replacement[], index: number, old: string): number | undefined {
  const writer = edits.slice(0, index).findIndex((earlier) => flatten(earlier.new).includes(old));
  return writer < 0 ? undefined : writer + 1;
}

const isBlocking = (problem: Problem): boolean => problem.class !== 'noop' && problem.class !== 'already_applied';

function overlaps(text: string, spans: readonly Span[]): Problem[] {
  return spans.flatMap((span, index) => {
    const before = spans[index - 1];
    if (!before || (before.end <= span.start && before.start < span.start)) return [];
    const [first, later] = before.edit < span.edit ? [before, span] : [span, before];
    return { edit: later.edit, ...overlap(first.edit, lineOf(text, span.start)) };
  });
}

/** Without what old and new share at both ends: lines that only gave context keep their own line ends. */
function coreOf({ start, end, old, new: text }: Span): Change {
  const longest = Math.min(old.length, text.length);
  let head = 0;
  while (head < longest && old[head] === text[head]) head++;
  let tail = 0;
  while (tail < longest - head && old.at(-1 - tail) === text.at(-1 - tail)) tail++;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}
