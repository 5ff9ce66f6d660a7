/** Keeps the head and the tail of a command's output in memory, and the whole in a file once it is larger. */
import { closeSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { plainText } from './clean.ts';
import { decode, type Encoding, encodingOf } from './decode.ts';
import { foldLines } from './fold.ts';

/** What is shown of a longer output, in characters: errors mostly stand at the end. */
const headCharacters = 3000;
const tailCharacters = 5000;
/** Raw bytes kept at each end: colour and progress bars take their share before they are removed. */
const keptBytes = 32 * 1024;

export interface Shown {
  /** Plain text; of a long output its head and its tail, with a line between that says what is missing. */
  readonly text: string;
  readonly isCut: boolean;
  /** Nothing of it is shown: the text only says so. */
  readonly isBinary: boolean;
}

export class Output {
  readonly #spillPath: string;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #file: number | undefined;
  #isClosed = false;
  #spillFault: string | undefined;
  /** How much of `bytes` was told before: what is shown is what came since. */
  #toldBytes = 0;
  #encoding: Encoding | undefined;
  bytes = 0;

  /** The file is made (readable by its owner only) when the output outgrows what is shown. */
  constructor(spillPath: string) {
    this.#spillPath = spillPath;
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.newBytes > headCharacters + tailCharacters || this.#file !== undefined) this.#spill(chunk);
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
    if (this.#spillFault !== undefined || this.#isClosed) return;
    const written = attemptSync(() => {
      if (this.#file === undefined) {
        mkdirSync(dirname(this.#spillPath), { recursive: true, mode: 0o700 });
        this.#file = openSync(this.#spillPath, 'wx', 0o600);
        // Everything so far is still in the head: it holds more than what is shown.
        for (const early of this.#head) writeWhole(this.#file, early);
      }
      writeWhole(this.#file, chunk);
    }, messageOf);
    if (written.ok) return;
    this.#spillFault = written.fault;
    // A part would only mislead, and on a full disk it is in everybody's way.
    if (this.#file !== undefined) attemptSync(() => unlinkSync(this.#spillPath), codeOf);
  }

  /** The file with the whole output, where one was made and could be written to the end. */
  get spillPath(): string | undefined {
    return this.#file !== undefined && this.#spillFault === undefined ? this.#spillPath : undefined;
  }

  /** Why the whole output is not in a file although it should be. */
  get spillFault(): string | undefined {
    return this.#spillFault;
  }

  /** Bytes that came since the output was last told. */
  get newBytes(): number {
    return this.bytes - this.#toldBytes;
  }

  /** What was shown is told: from now on only what comes later is shown. The file keeps the whole. */
  tell(): void {
    if (this.#file === undefined) this.#spill(Buffer.alloc(0));
    this.#encoding ??= this.#encodingNow();
    this.#toldBytes = this.bytes;
    this.#head = [];
    this.#headBytes = 0;
    this.#tail = [];
    this.#tailBytes = 0;
  }

  close(): void {
    const file = this.#file;
    if (file === undefined || this.#isClosed) return;
    this.#isClosed = true;
    const closed = attemptSync(() => closeSync(file), messageOf);
    if (!closed.ok) this.#spillFault ??= closed.fault;
  }

  #encodingNow(): Encoding | undefined {
    return this.#encoding ?? (this.#headBytes === 0 ? undefined : encodingOf(Buffer.concat(this.#head)));
  }

  /** The newest text, as far as it is one line and not yet ended: what a program asks stands there. */
  openLine(): string {
    const last = this.#tail.at(-1) ?? this.#head.at(-1);
    if (!last) return '';
    const text = plainText(decode(last.subarray(-1000), this.#encodingNow() ?? 'utf-8'));
    return text.slice(text.lastIndexOf('\n') + 1);
  }

  /** What came since it was last told. */
  shown(): Shown {
    const encoding = this.#encodingNow() ?? 'utf-8';
    const isWhole = this.newBytes <= this.#headBytes + this.#tailBytes;
    const parts = isWhole ? [[...this.#head, ...this.#tail]] : [this.#head, this.#tail];
    if (encoding === 'binary') {
      if (this.#file === undefined) this.#spill(Buffer.alloc(0));
      return { text: `[Binary output, ${this.newBytes} bytes: not shown.]`, isCut: true, isBinary: true };
    }
    const [first = '', last = first] = parts.map((part, index) => {
      // Characters of two bytes: the tail must begin at an even place.
      const isOdd = index === 1 && encoding.startsWith('utf-16') && (this.newBytes - this.#tailBytes) % 2 === 1;
      return foldLines(plainText(decode(Buffer.concat(part).subarray(isOdd ? 1 : 0), encoding)));
    });
    if (isWhole && first.length <= headCharacters + tailCharacters)
      return { text: first, isCut: false, isBinary: false };
    return { text: cut(first, last, this.newBytes), isCut: true, isBinary: false };
  }
}

function writeWhole(file: number, chunk: Buffer): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
}

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
