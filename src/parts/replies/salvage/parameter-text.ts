/** Where the text of one parameter ends. The text may contain the very tags that end it; what is unclear is refused. */
import { type Source, skipBlank } from './source.ts';
import { nextTag, type Tag } from './tags.ts';

export interface ParameterText {
  readonly start: number;
  readonly end: number;
  /** Where reading goes on. */
  readonly next: number;
  /** The next tag ends it, and stands on a line of its own: the line break before it is markup. */
  readonly isUnclosed?: boolean;
  /** open: the text ended before the parameter did. unclear: it can be read in more than one way. */
  readonly fate?: 'open' | 'unclear';
}

/**
 * From `start` to the last closer before the next parameter or the end of the call. Doubled closers count as one. A closer
 * may be missing where the next tag is there; not where a later closer shows that the tag belongs to the text.
 */
export function parameterText(source: Source, start: number): ParameterText {
  const { run, stop } = lastClosers(source, start);
  const end = stop?.start ?? source.text.length;
  const isClosed = run !== undefined && isBlank(source, run.end, end);
  if (stop && nests(stop, isClosed)) return unclear(source, start);
  if (isClosed) return { start, end: run.start, next: run.end };
  if (!stop) return { start, end, next: end, fate: run ? 'unclear' : 'open' };
  // Text between a closer and the end of the call belongs to nothing; a closer after the end says it was no end.
  return run || isEndLater(source, stop) ? unclear(source, start) : { start, end, next: end, isUnclosed: true };
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** The last closers before the next tag of another role, with only blanks between them. */
function lastClosers(source: Source, start: number): { run: Run | undefined; stop: Tag | undefined } {
  let run: Run | undefined;
  for (let from = start; ; ) {
    const tag = nextTag(source, from);
    if (tag?.role !== 'parameterEnd') return { run, stop: tag };
    run = { start: run && isBlank(source, run.end, tag.start) ? run.start : tag.start, end: tag.end };
    from = tag.end;
  }
}

const isBlank = ({ text }: Source, from: number, to: number): boolean => skipBlank(text, from) >= to;

/** A call that starts inside of a value is part of it, and then the value's end cannot be told. */
const nests = (tag: Tag, isClosed: boolean): boolean =>
  !isClosed && (tag.role === 'call' || tag.role === 'open' || tag.role === 'separator');

const unclear = (source: Source, start: number): ParameterText => {
  const end = source.text.length;
  return { start, end, next: end, fate: 'unclear' };
};

function isEndLater(source: Source, stop: Tag): boolean {
  if (stop.role === 'parameter' || stop.role === 'key') return false;
  for (let tag = nextTag(source, stop.end); tag; tag = nextTag(source, tag.end)) {
    if (tag.role === 'call' || tag.role === 'open' || tag.role === 'parameter' || tag.role === 'key') return false;
    if (tag.role === 'parameterEnd') return true;
  }
  return false;
}

/** Qwen writes values on lines of their own, one line break on each side; elsewhere both must be there to be markup. */
export function withoutFrame(text: string, isQwen = false): string {
  const lead = /^\r?\n/.exec(text)?.[0].length ?? 0;
  const trail = /\r?\n$/.exec(text)?.[0].length ?? 0;
  if (lead + trail > text.length) return '';
  if (isQwen || (lead > 0 && trail > 0)) return text.slice(lead, text.length - trail);
  return text;
}
