/** Finding whole records inside damaged bytes: where a newline was lost, two records stand in one line. */
import { type Line, type LineCodec, lineStart } from './line.ts';

export type Kept = Exclude<Line, { what: 'foreign' | 'damaged' }>;

/** Beyond this many possible beginnings a damaged line is given up: each costs a checksum over the rest of the line. */
const mostBeginnings = 64;

/**
 * The records inside a damaged line, in order. A record is taken only if it reaches to the end of the line or to the
 * next record taken. So a text of the same form inside an event, which a model can write, is never taken for a record.
 */
export function salvage(line: Buffer, codec: LineCodec): Kept[] {
  const found: Kept[] = [];
  let rest = line;
  for (;;) {
    const last = lastRecord(rest, codec);
    if (!last) return found;
    found.unshift(last.kept);
    rest = rest.subarray(0, last.start);
  }
}

/** The record with which `bytes` begin, if nothing follows it but NULs or one damaged byte (what was its newline). */
export function firstRecord(bytes: Buffer, codec: LineCodec): { kept: Kept; length: number } | undefined {
  for (const candidate of endings(bytes)) {
    const line = codec.decode(candidate);
    if (isKept(line)) return { kept: line, length: candidate.length };
  }
  return undefined;
}

export const isKept = (line: Line): line is Kept => line.what === 'record' || line.what === 'unknown';

function lastRecord(bytes: Buffer, codec: LineCodec): { kept: Kept; start: number } | undefined {
  let start = bytes.indexOf(lineStart);
  for (let tries = 0; start >= 0 && tries < mostBeginnings; tries++) {
    const record = firstRecord(bytes.subarray(start), codec);
    if (record) return { kept: record.kept, start };
    start = bytes.indexOf(lineStart, start + 1);
  }
  return undefined;
}

/** All of it, without the NULs that a power cut leaves, and without the one byte that was a newline. */
function endings(bytes: Buffer): Buffer[] {
  const full = withoutNuls(bytes);
  return [full, full.subarray(0, -1)];
}

export function withoutNuls(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}
