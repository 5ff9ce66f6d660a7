/** Pages out of files of any size: memory stays at one chunk and one page. */
import type { FileHandle } from 'node:fs/promises';
import type { Page } from './page.ts';

export interface Streamed {
  /** Lines in the file; undefined where counting them would have taken too long. */
  readonly lines: number | undefined;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** After the page is full, lines are counted up to this many bytes of the file. */
  readonly countAtMostBytes: number;
}

const newline = 10;
const chunkBytes = 1 << 20;
/** Of one line; the page shows less than that anyway. */
const lineBytesAtMost = 1 << 16;

/** Reads UTF-8 lines into the page, from `page.first` on. Throws what the file system throws. */
export async function streamInto(page: Page, handle: FileHandle, options: StreamOptions): Promise<Streamed> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let parts: Buffer[] = [];
  let kept = 0;
  let lineBytes = 0;
  let line = 1;
  let isFull = false;

  const keep = (piece: Buffer) => {
    lineBytes += piece.length;
    if (isFull || line < page.first || kept >= lineBytesAtMost) return;
    const part = Buffer.from(piece.subarray(0, lineBytesAtMost - kept)); // a copy: the chunk is used again
    parts.push(part);
    kept += part.length;
  };
  const endLine = () => {
    if (!isFull && line >= page.first) {
      const text = Buffer.concat(parts).toString('utf8').replace(/\r$/, '');
      isFull = !page.add(text, Math.max(text.length, lineBytes > kept ? lineBytes : 0));
    }
    parts = [];
    kept = 0;
    lineBytes = 0;
    line++;
  };

  for (let position = 0; ; ) {
    options.signal.throwIfAborted();
    if (isFull && position >= options.countAtMostBytes) return { lines: undefined };
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const read = chunk.subarray(0, bytesRead);
    let start = 0;
    for (let end = read.indexOf(newline); end >= 0; end = read.indexOf(newline, start)) {
      keep(read.subarray(start, end));
      endLine();
      start = end + 1;
    }
    keep(read.subarray(start));
  }
  if (lineBytes > 0) endLine();
  return { lines: line - 1 };
}
