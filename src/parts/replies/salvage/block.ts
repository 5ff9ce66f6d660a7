/** A block: calls that stand together, with the wrappers around them, whichever are there. */
import { dialects, plainMarkers } from './dialects.ts';
import { type Found, type Read, type Source, skipBlank } from './source.ts';
import { sticky } from './tagged-form.ts';
import { type Tag, tagAt } from './tags.ts';

export interface Block {
  readonly start: number;
  readonly end: number;
  readonly found: readonly Found[];
  readonly fate?: 'cut' | 'unclear' | undefined;
  /** A wrapper or token of a model's own stood around the calls. */
  readonly isMarked: boolean;
  /** The first mark was a token of a vocabulary: no prose contains it by accident, so it may follow prose on a line. */
  readonly isToken: boolean;
  /** The last mark was a closing token: what follows it on its line is prose of its own. */
  readonly isSealed?: boolean;
  /** Marks without a call: an empty wrapper, or closers of one that is not there. */
  readonly isLitter: boolean;
}

interface Mark {
  readonly end: number;
  readonly isOpening: boolean;
  readonly isToken: boolean;
}

/** What has been read of a block so far. */
interface Progress {
  end: number;
  readonly found: Found[];
  fate?: 'cut' | 'unclear' | undefined;
  isMarked: boolean;
  isToken: boolean;
  isSealed: boolean;
  /** Behind an opener, before its closer. */
  isInside: boolean;
  /** An opener was closed. */
  isPaired: boolean;
}

/** Reads the block that starts at `start`; undefined where neither a call nor litter does. */
export function readBlock(source: Source, start: number): Block | undefined {
  const { isInside } = source;
  const unmarked = { isMarked: false, isToken: false, isSealed: false, isPaired: false };
  const progress: Progress = { end: start, found: [], isInside, ...unmarked };
  let cursor = start;
  while (cursor < source.text.length && readNext(source, { progress, cursor, isFirst: cursor === start })) {
    cursor = afterGap(source.text, progress);
  }
  const { end, found, fate, isMarked, isToken, isSealed } = progress;
  if (end === start) return undefined;
  if (fate) return { start, end, found: [], fate, isMarked, isToken, isLitter: false };
  if (found.length > 0) return { start, end, found, isMarked, isToken, isSealed, isLitter: false };
  if (progress.isInside && isTorn(source.text, end)) {
    return { start, end: source.text.length, found, fate: 'cut', isMarked, isToken, isLitter: false };
  }
  return isMarked && !progress.isPaired ? undefined : { start, end, found, isMarked, isToken, isLitter: true };
}

/** Reads one mark or one form; false where the block ends. */
function readNext(
  source: Source,
  { progress, cursor, isFirst }: { progress: Progress; cursor: number; isFirst: boolean },
): boolean {
  const mark = markAt(source, cursor);
  if (!source.spend(mark ? 40 : 20)) return false;
  if (mark) {
    progress.isPaired ||= !mark.isOpening && progress.isInside;
    progress.isInside = mark.isOpening;
    progress.isMarked ||= mark.isOpening;
    progress.isToken ||= isFirst && mark.isToken;
    progress.isSealed = !mark.isOpening && mark.isToken;
    progress.end = mark.end;
    return true;
  }
  const read = readForm({ ...source, isInside: progress.isInside }, cursor);
  if (!read) return false;
  progress.isMarked ||= read.isMarker ?? false;
  progress.isToken ||= isFirst && (read.isMarker ?? false);
  progress.isSealed = false;
  progress.found.push(...read.found);
  progress.fate = read.fate;
  progress.end = read.end;
  return !read.fate && progress.found.length <= mostCalls;
}

/** More than anybody asks for at once. */
const mostCalls = 64;

function readForm(source: Source, at: number): Read | undefined {
  for (const { read } of dialects) {
    const found = read(source, at);
    if (found) return found;
  }
  return undefined;
}

/** Between the parts of a block: blanks, a fence in a wrapper, a comma between calls, and a brace too many before a tag. */
function afterGap(text: string, { end, found, isMarked }: Progress): number {
  const start = skipBlank(text, end);
  const fence = isMarked ? sticky(/`{3}\w{0,10}/y, text, start) : undefined;
  if (fence) return skipBlank(text, start + fence[0].length);
  if (found.length === 0) return start;
  const extra = sticky(/[,;]\s{0,9}(?=[{[<])|[}\]]{1,3}\s{0,9}(?=<)/y, text, start);
  return skipBlank(text, start + (extra?.[0].length ?? 0));
}

/** An opener and at most the beginning of a name behind it: the rest was cut. */
const isTorn = (text: string, end: number): boolean =>
  text.length - end < 80 && /^\s*(?:[\w.:-]{0,64}|<[^>]{0,70})$/.test(text.slice(end));

function markAt(source: Source, at: number): Mark | undefined {
  for (const { pattern, isOpening } of plainMarkers) {
    // `[TOOL_CALLS]name{...}` is a form of its own.
    const match = sticky(pattern, source.plain, at);
    if (match && (!isOpening || /[[{]/.test(source.text[skipBlank(source.text, at + match[0].length)] ?? ''))) {
      return { end: at + match[0].length, isOpening, isToken: true };
    }
  }
  const tag = tagAt(source.plain, at);
  return tag && isMark(tag)
    ? { end: tag.end, isOpening: tag.role === 'open', isToken: tag.isToken && !tag.isDsml }
    : undefined;
}

/** A separator at this place is what a broken head left behind; DeepSeek's own stands before a name and is read there. */
const isMark = ({ role }: Tag): boolean =>
  role === 'open' || role === 'close' || role === 'callEnd' || role === 'parameterEnd';
