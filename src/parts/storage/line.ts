/**
 * One event as one line of the journal:
 *   {"sum":"1c291ca3","seq":7,"at":1795974000000,"agent":"main","event":{"type":"released"}}
 * `sum` is the checksum of all bytes after its comma, up to and without the newline, so it is verified on a slice.
 */
import * as z from 'zod/mini';
import { attemptSync, messageOf } from '../../base/attempt.ts';
import { ok, type Result } from '../../base/result.ts';
import { Event, type Recorded } from '../../protocol/event.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { makeChecksum } from './checksum.ts';

/** What a line turned out to be. */
export type Line =
  | { readonly what: 'record'; readonly recorded: Recorded }
  /** Written by us and whole, but this version does not know the event, or not in this shape. */
  | { readonly what: 'unknown'; readonly seq: number }
  /** JSON that we did not write. */
  | { readonly what: 'foreign' }
  /** Bytes were changed or lost. */
  | { readonly what: 'damaged' };

export interface LineCodec {
  /** The line with its newline. Fails, as a bug, on what JSON cannot hold. */
  encode(recorded: Recorded): Result<Buffer, Fault>;
  /** Reads a line without its newline. Never throws. */
  decode(bytes: Buffer): Line;
}

export const lineStart = '{"sum":"';
const sumEnd = lineStart.length + 8;
/** Where the checked bytes begin: after the digits, a quote and a comma. */
const bodyStart = sumEnd + 2;

const Envelope = z.object({
  seq: z.int(),
  at: z.number(),
  agent: z.string(),
  parentCall: z.optional(z.string()),
  event: z.unknown(),
});

export function makeLineCodec(): LineCodec {
  const checksum = makeChecksum();
  return {
    encode: (recorded) => {
      const text = attemptSync(() => textOf(recorded), explainBug(recorded));
      if (!text.ok) return text;
      const bytes = Buffer.from(text.value);
      bytes.write(checksum(bytes.subarray(bodyStart, -1)), lineStart.length, 'latin1');
      return ok(bytes);
    },
    decode: (bytes) => {
      const isOurs = bytes.length > bodyStart && bytes.toString('latin1', 0, lineStart.length) === lineStart;
      if (!isOurs) return { what: isJsonObject(bytes) ? 'foreign' : 'damaged' };
      const sum = bytes.toString('latin1', lineStart.length, sumEnd);
      return sum === checksum(bytes.subarray(bodyStart)) ? read(bytes) : { what: 'damaged' };
    },
  };
}

/** The line with zeros for its sum. The event's type comes first in it, so that a scan finds it without parsing. */
function textOf({ event, ...envelope }: Recorded): string {
  const text = JSON.stringify({ sum: '00000000', ...envelope, event: typeFirst(event) });
  // Some readers take these two for line ends; in JSON they can only stand inside a string, where an escape is the same.
  return `${text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

const typeFirst = ({ type, ...rest }: Event) => ({ type, ...rest });

/** The checksum holds, so the text is as it was written. */
function read(bytes: Buffer): Line {
  const json = parse(bytes);
  const envelope = Envelope.safeParse(json.ok ? json.value : undefined);
  if (!envelope.success) return { what: 'foreign' };
  const { event: raw, seq, at, agent, parentCall } = envelope.data;
  const event = Event.safeParse(raw);
  if (!event.success) return { what: 'unknown', seq };
  const who = parentCall === undefined ? { agent } : { agent, parentCall };
  return { what: 'record', recorded: { seq, at, ...who, event: event.data } };
}

const parse = (bytes: Buffer): Result<unknown, unknown> =>
  attemptSync(
    (): unknown => JSON.parse(bytes.toString()),
    (cause) => cause,
  );

function isJsonObject(bytes: Buffer): boolean {
  const json = parse(bytes);
  return json.ok && typeof json.value === 'object' && json.value !== null;
}

const explainBug =
  ({ event }: Recorded) =>
  (cause: unknown): Fault =>
    fault('internal', `A bug in Smew: an event "${event.type}" cannot be written as JSON: ${messageOf(cause)}`);
