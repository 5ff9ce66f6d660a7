/** The bytes of an answer, read as a stream of events or as one JSON body: what it is shows in its first character. */
import { attemptSync, messageOf } from '../../base/attempt.ts';
import type { Progress } from './http.ts';
import { readSse } from './sse.ts';

export interface BodyReader {
  take(bytes: Uint8Array): Progress;
  /** Reads what is left at the end of the bytes. */
  end(): void;
  /** The start of a body that was neither events nor JSON. */
  readonly strange: string;
  /** It came as events. */
  readonly isStream: boolean;
}

export interface BodyEvents {
  /** `alive` for an event that only says that the server is there, `done` for the wire's own end mark. */
  chunk(value: unknown): Progress;
  /** A line of a stream that is no JSON, in full, and why. */
  badLine(text: string, reason: string): void;
  done(): void;
}

type Pieces = Pick<BodyReader, 'take' | 'end'>;

const shownLength = 200;
const newline = 0x0a;
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, newline, 0xef, 0xbb, 0xbf]);

/** Headers are not asked: servers stream under `application/json` and answer in JSON under `text/event-stream`. */
export function readBody(events: BodyEvents): BodyReader {
  let reader: Pieces | undefined;
  let strange = '';
  let isStream = false;
  return {
    take: (bytes) => {
      const first = bytes.find((byte) => !blanks.has(byte));
      if (!reader && first === undefined) return 'alive';
      isStream ||= !reader && !isJsonStart(first);
      reader ??= isJsonStart(first)
        ? readWhole(events, (text) => (strange = text))
        : readEvents(events, (text) => (strange = text));
      return reader.take(bytes);
    },
    end: () => reader?.end(),
    get strange() {
      return strange;
    },
    get isStream() {
      return isStream;
    },
  };
}

const isJsonStart = (byte: number | undefined): boolean => byte === 0x7b || byte === 0x5b;

function readWhole(events: BodyEvents, leave: (text: string) => void): Pieces {
  const pieces: Uint8Array[] = [];
  return {
    take: (bytes) => {
      pieces.push(bytes);
      return 'on';
    },
    end: () => {
      const text = Buffer.concat(pieces).toString('utf8');
      const body = parse(text);
      // What is still open broke off, which the missing end mark tells; the rest never was JSON.
      if (!body.ok) return hasOpenBracket(text) ? undefined : leave(text.slice(0, shownLength));
      events.chunk(body.value);
      events.done();
    },
  };
}

function readEvents(events: BodyEvents, leave: (text: string) => void): Pieces {
  let progress: Progress = 'alive';
  let isLast = false;
  let hasEvent = false;
  let start = '';
  const line = (text: string): void => {
    if (text.trim() === '') return;
    if (text.trim() === '[DONE]') {
      progress = 'done';
      events.done();
      return;
    }
    const value = parse(text);
    if (value.ok) progress = further(progress, events.chunk(value.value));
    // The last line of a stream that broke off is not bad, only short.
    else if (!isLast) {
      progress = further(progress, 'on');
      events.badLine(text, value.fault);
    }
  };
  const sse = readSse((data) => {
    hasEvent = true;
    // Events without a blank line between them arrive as one, its lines joined.
    if (!data.includes('\n') || parse(data).ok) line(data);
    else for (const part of data.split('\n')) line(part);
  });
  return {
    take: (bytes) => {
      if (!hasEvent && start.length < shownLength) start += Buffer.from(bytes).toString('utf8').slice(0, shownLength);
      if (progress === 'on') progress = 'alive';
      sse.feed(bytes);
      return progress;
    },
    end: () => {
      isLast = true;
      sse.end();
      if (!hasEvent && !isEventStart(start)) leave(start);
    },
  };
}

const further = (one: Progress, other: Progress): Progress =>
  one === 'done' || other === 'done' ? 'done' : one === 'on' ? one : other;

const parse = (text: string) => attemptSync(() => JSON.parse(text) as unknown, messageOf);

const fields = [':', 'data', 'event', 'id', 'retry'];
const isEventStart = (start: string): boolean =>
  fields.some((field) => start.startsWith(field) || field.startsWith(start));

/** True where the text ends inside an object, a list or a string. */
function hasOpenBracket(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[{}[\]]/gs)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
  }
  return depth > 0;
}
