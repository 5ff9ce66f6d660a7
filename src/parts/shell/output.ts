/** Keeps the head and the tail of a command's output in memory, and the whole in a file once it is larger. */
import { closeSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { type Plain, plain, plainText } from './clean.ts';
import { beginsWithRepeat, foldLines } from './fold.ts';
import { readable } from './mixed.ts';

/** What is shown of a longer output, in characters: errors mostly stand at the end. */
const headCharacters = 3000;
const tailCharacters = 5000;
/** Raw bytes kept at each end: colour and progress bars take their share before they are removed. */
const keptBytes = 32 * 1024;
/** A part of a line, in characters, that is left out at a cut. */
const restAtMost = 500;

export interface Shown {
  /** Plain text; of a long output its head and its tail, with a line between that says what is missing. */
  readonly text: string;
  readonly isCut: boolean;
  /** Bytes of it are no text, and not shown: the text only says so. */
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

  /** The newest text, as far as it is one line and not yet ended: what a program asks stands there. */
  openLine(): string {
    const last = this.#tail.at(-1) ?? this.#head.at(-1);
    if (!last) return '';
    const text = plainText(readable(last.subarray(-1000)).text);
    return text.slice(text.lastIndexOf('\n') + 1);
  }

  /** What came since it was last told. */
  shown(): Shown {
    const isWhole = this.newBytes <= this.#headBytes + this.#tailBytes;
    const parts = isWhole ? [[...this.#head, ...this.#tail]] : [this.#head, this.#tail];
    const read = parts.map((part) => readable(Buffer.concat(part)));
    const folded = read.map(({ text }, index) =>
      folding(isWhole ? text : index === 0 ? toLineEnd(text) : fromLineStart(text)),
    );
    const isBinary = read.some(({ hasBinary }) => hasBinary);
    const [first = '', last = first] = folded.map(({ text }) => text);
    if (isWhole && first.length <= headCharacters + tailCharacters) {
      const isCut = isBinary || folded.some(({ isFolded }) => isFolded);
      if (isCut && this.#file === undefined) this.#spill(Buffer.alloc(0));
      return { text: first, isCut, isBinary };
    }
    return { text: cut(first, last, this.newBytes), isCut: true, isBinary };
  }
}

function folding(text: string): Plain {
  const clean = plain(text);
  const folded = foldLines(clean.text);
  return { text: folded.text, isFolded: clean.isFolded || folded.isFolded };
}

/** Of a head that ends in a line, what is whole, unless the rest is long. */
function toLineEnd(text: string): string {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  return text.length - end < restAtMost ? text.slice(0, end) : text;
}

/** A piece from the middle begins anywhere: in a line, whose rest is left out if it is short, or in an escape sequence. */
function fromLineStart(text: string): string {
  const start = /[\r\n]+/.exec(text.slice(0, tailCharacters));
  const rest = start ? text.slice(start.index + start[0].length) : '';
  if (rest.trim() !== '') return rest;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  return text.includes('\u001b') ? text.replace(/^\[?(?:[\d;?]+[A-Za-z]|[A-Za-z](?=\u001b))/, '') : text;
}

function writeWhole(file: number, chunk: Buffer): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
}

/** Head and tail, cut at line ends where one is near. */
function cut(head: string, tail: string, bytes: number): string {
  const start = head.slice(0, headCharacters).toWellFormed();
  const lineEnd = start.lastIndexOf('\n') + 1;
  const first = lineEnd > headCharacters / 2 ? start.slice(0, lineEnd) : start.replace(/\n?$/, '\n');
  return `${first}[... the middle of ${bytes} bytes is left out ...]\n${lastPart(tail)}`;
}

function lastPart(tail: string): string {
  if (tail.length <= tailCharacters) return tail;
  const end = tail.slice(-tailCharacters).toWellFormed();
  const rest = end.slice(end.indexOf('\n') + 1);
  if (rest.length < tailCharacters / 2) return end;
  return beginsWithRepeat(rest) ? rest.slice(rest.indexOf('\n') + 1) : rest;
}
