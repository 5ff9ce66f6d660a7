/** Reading a file line by line, in bytes, without holding all of it. */
import { readSync } from 'node:fs';

export interface RawLine {
  /** Without its newline. Valid only until the next line is asked for: the buffer is used again. */
  readonly bytes: Buffer;
  /** Offset of its first byte in the file. */
  readonly start: number;
  /** False for what stands after the last newline. */
  readonly isWhole: boolean;
}

const chunkBytes = 256 * 1024;
const newline = 0x0a;

/** Splits on \n alone, whatever else stands in a line. An empty rest after the last newline is not yielded. Throws what Node throws. */
export function* readLines(file: number, from = 0): Generator<RawLine> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let carried: Buffer[] = [];
  let start = from;
  for (let position = from; ; ) {
    const length = readSync(file, chunk, 0, chunkBytes, position);
    if (length === 0) break;
    position += length;
    const fresh = chunk.subarray(0, length);
    let at = 0;
    for (let end = fresh.indexOf(newline); end >= 0; end = fresh.indexOf(newline, at)) {
      const piece = fresh.subarray(at, end);
      const bytes = carried.length > 0 ? Buffer.concat([...carried, piece]) : piece;
      carried = [];
      yield { bytes, start, isWhole: true };
      start += bytes.length + 1;
      at = end + 1;
    }
    if (at < length) carried.push(Buffer.from(fresh.subarray(at)));
  }
  if (carried.length > 0) yield { bytes: Buffer.concat(carried), start, isWhole: false };
}
