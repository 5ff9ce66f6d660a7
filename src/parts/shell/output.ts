/** Keeps the head and the tail of a command's output in memory, and the whole in a file once it is larger. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { attemptSync, messageOf } from '../../base/attempt.ts';
import { plainText } from './clean.ts';

/** What is shown of a longer output, in characters: errors mostly stand at the end. */
const headCharacters = 3000;
const tailCharacters = 5000;
/** Raw bytes kept at each end: colour and progress bars take their share before they are removed. */
const keptBytes = 32 * 1024;

export interface Shown {
  /** Plain text; of a long output its head and its tail, with a line between that says what is missing. */
  readonly text: string;
  readonly isCut: boolean;
}

export class Output {
  readonly #spillPath: string;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #file: number | undefined;
  #spillFault: string | undefined;
  bytes = 0;

  /** The file is made (readable by its owner only) when the output outgrows what is shown. */
  constructor(spillPath: string) {
    this.#spillPath = spillPath;
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.#spill(chunk);
    const room = keptBytes - this.#headBytes;
    if (room > 0) {
      // A copy, because a slice would keep the whole chunk alive.
      const part = Buffer.from(chunk.subarray(0, room));
      this.#head.push(part);
      this.#headBytes += part.length;
    }
    if (chunk.length > room) this.#keepTail(chunk.subarray(Math.max(0, room)));
  }

  #keepTail(part: Buffer): void {
    this.#tail.push(Buffer.from(part.subarray(-keptBytes)));
    this.#tailBytes += Math.min(part.length, keptBytes);
    for (let first = this.#tail[0]; first && this.#tailBytes - first.length >= keptBytes; first = this.#tail[0]) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
  }

  #spill(chunk: Buffer): void {
    if (this.#spillFault !== undefined || this.bytes <= headCharacters + tailCharacters) return;
    const written = attemptSync(() => {
      if (this.#file === undefined) {
        mkdirSync(dirname(this.#spillPath), { recursive: true, mode: 0o700 });
        this.#file = openSync(this.#spillPath, 'wx', 0o600);
        // Everything so far is still in the head: it holds more than what is shown.
        for (const early of this.#head) writeWhole(this.#file, early);
      }
      writeWhole(this.#file, chunk);
    }, messageOf);
    if (!written.ok) this.#spillFault = written.fault;
  }

  /** The file with the whole output, where one was made and could be written to the end. */
  get spillPath(): string | undefined {
    return this.#file !== undefined && this.#spillFault === undefined ? this.#spillPath : undefined;
  }

  /** Why the whole output is not in a file although it should be. */
  get spillFault(): string | undefined {
    return this.#spillFault;
  }

  close(): void {
    const file = this.#file;
    if (file === undefined) return;
    const closed = attemptSync(() => closeSync(file), messageOf);
    if (!closed.ok) this.#spillFault ??= closed.fault;
  }

  shown(): Shown {
    const isWhole = this.bytes <= this.#headBytes + this.#tailBytes;
    if (isWhole) {
      const text = plainText(decode(Buffer.concat([...this.#head, ...this.#tail])));
      if (text.length <= headCharacters + tailCharacters) return { text, isCut: false };
      return { text: cut(text, text, this.bytes), isCut: true };
    }
    const head = plainText(decode(Buffer.concat(this.#head)));
    const tail = plainText(decode(Buffer.concat(this.#tail)));
    return { text: cut(head, tail, this.bytes), isCut: true };
  }
}

function writeWhole(file: number, chunk: Buffer): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
}

/** Halves of characters, where the bytes were cut, are dropped. */
const decode = (bytes: Buffer): string => new TextDecoder().decode(bytes).replace(/^\uFFFD{1,3}|\uFFFD$/g, '');

/** Head and tail, cut at line ends where one is near. */
function cut(head: string, tail: string, bytes: number): string {
  const start = head.slice(0, headCharacters).toWellFormed();
  const lineEnd = start.lastIndexOf('\n') + 1;
  const end = tail.slice(-tailCharacters).toWellFormed();
  const lineStart = end.indexOf('\n') + 1;
  const first = lineEnd > headCharacters / 2 ? start.slice(0, lineEnd) : `${start}\n`;
  const last = lineStart > 0 && lineStart < tailCharacters / 2 ? end.slice(lineStart) : end;
  return `${first}[... the middle of ${bytes} bytes is left out ...]\n${last}`;
}
