/** Bytes of a command's output as text, where its programs print in several encodings, or what is no text at all. */
import { decode, type Encoding, isBinary, legacyOf, looksLikeUtf8, wideOf } from './decode.ts';

export interface Readable {
  /** A line in brackets stands for bytes that are no text. */
  readonly text: string;
  readonly hasBinary: boolean;
}

/** `odd` holds what stands in no text of one byte for each character, `high` is not UTF-8. */
type Kind = 'ascii' | 'utf-8' | 'high' | 'odd';
interface Line {
  readonly bytes: Buffer;
  readonly kind: Kind;
}

const lineFeed = 0x0a;
/** Random bytes have lines so short now and then, and hardly longer ones. */
const chanceBytes = 3;
/** Longer pieces of UTF-16 hold more than letters of one byte. */
const wideHalfBytes = 8;
/** Letters without a line of their own, before or after binary bytes. */
const leastWords = /^[\t -~]{12,}|[\t -~]{12,}\n?$/g;

export function readable(bytes: Buffer): Readable {
  const lines = linesOf(bytes);
  const runs = runsOf(lines).map((run) => ({ ...run, encoding: encodingOfRun(run) }));
  const eightBit = runs.filter(({ encoding }) => encoding === undefined).map((run) => run.bytes);
  const legacy = eightBit.length === 0 ? 'utf-8' : eightBitOf(Buffer.concat(eightBit));
  const texts = runs.map((run) =>
    run.encoding === 'binary' ? withoutBinary(run.bytes) : decode(run.bytes, run.encoding ?? legacy),
  );
  return { text: texts.join(''), hasBinary: runs.some(({ encoding }) => encoding === 'binary') };
}

/** All lines that are not UTF-8 are judged together: one alone has too few letters. */
const eightBitOf = (bytes: Buffer): Encoding => (looksLikeUtf8(bytes) ? 'utf-8' : legacyOf(bytes));

function linesOf(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(lineFeed, at);
    let end = found < 0 ? bytes.length : found + 1;
    // The second half of a line feed in UTF-16, and then a line of another program.
    if (found >= 0 && bytes[end] === 0 && isOneByteLine(bytes, end + 1)) end++;
    const line = bytes.subarray(at, end);
    // In UTF-16 the byte of a line feed may be half of another character.
    const isHalf = line.length <= wideHalfBytes && bytes[end] === 0 && lines.at(-1)?.kind === 'odd';
    lines.push({ bytes: line, kind: isHalf ? 'odd' : kindOf(line, at === 0 || end === bytes.length) });
    at = end;
  }
  return withoutChance(lines);
}

/** True for two letters or more up to the line's end, and nothing else. */
function isOneByteLine(bytes: Buffer, at: number): boolean {
  const end = bytes.indexOf(lineFeed, at);
  const line = bytes.subarray(at, end < 0 ? bytes.length : end);
  return line.length >= 2 && line.every((byte) => byte >= 0x20 && byte < 0x7f);
}

function kindOf(line: Buffer, isAtEdge: boolean): Kind {
  let isAscii = true;
  for (const byte of line) {
    if (byte < 7 || (byte > 13 && byte < 32 && byte !== 27)) return 'odd';
    if (byte >= 0x80) isAscii = false;
  }
  if (isAscii) return 'ascii';
  return hasOnlyUtf8(isAtEdge ? withoutHalves(line) : line) ? 'utf-8' : 'high';
}

const hasOnlyUtf8 = (line: Buffer): boolean => !new TextDecoder().decode(line).includes('\uFFFD');

/** Without what may be a part of a character where the output was cut. */
function withoutHalves(line: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((line[start] ?? 0) & 0xc0) === 0x80) start++;
  const end = line.subarray(-3).findLastIndex((byte) => byte >= 0xc2);
  return line.subarray(start, end < 0 ? line.length : line.length - Math.min(3, line.length) + end);
}

/** Lines of a letter or two between bytes that are no text stand there by chance. */
function withoutChance(lines: readonly Line[]): Line[] {
  const isStrange = (line: Line | undefined) => line === undefined || line.kind === 'odd' || line.kind === 'high';
  const isOdd = (line: Line | undefined) => line?.kind === 'odd';
  return lines.map((line, index) => {
    const [before, after] = [lines[index - 1], lines[index + 1]];
    const isLost = isStrange(before) && isStrange(after) && (isOdd(before) || isOdd(after));
    return line.bytes.length <= chanceBytes && isLost ? { ...line, kind: 'odd' } : line;
  });
}

interface Run {
  readonly bytes: Buffer;
  readonly kinds: ReadonlySet<Kind>;
}

/** Neighbours of one kind together; what is neither ASCII nor UTF-8 counts as one. */
function runsOf(lines: readonly Line[]): Run[] {
  const runs: { parts: Buffer[]; kinds: Set<Kind> }[] = [];
  const isText = (kind: Kind) => kind === 'ascii' || kind === 'utf-8';
  for (const { bytes, kind } of lines) {
    const last = runs.at(-1);
    const isNext = last && [...last.kinds].some((other) => isText(other) === isText(kind));
    if (last && isNext) {
      last.parts.push(bytes);
      last.kinds.add(kind);
    } else runs.push({ parts: [bytes], kinds: new Set([kind]) });
  }
  return runs.map(({ parts, kinds }) => ({ bytes: Buffer.concat(parts), kinds }));
}

/** Undefined for text whose characters are of one byte or of changing length, and not UTF-8. */
function encodingOfRun({ bytes, kinds }: Run): Encoding | undefined {
  if (!kinds.has('high') && !kinds.has('odd')) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (!kinds.has('odd')) return undefined;
  return wideOf(bytes) ?? (isBinary(bytes) ? 'binary' : undefined);
}

/** A message that follows binary bytes without a line of its own stays. */
function withoutBinary(bytes: Buffer): string {
  const texts: string[] = [];
  let hidden = 0;
  const hide = () => {
    if (hidden > 0) texts.push(`[Binary output, ${hidden} bytes: not shown.]\n`);
    hidden = 0;
  };
  for (const line of bytes.toString('latin1').split(/(?<=\n)/)) {
    let at = 0;
    for (const { 0: words, index } of line.matchAll(leastWords)) {
      hidden += index - at;
      hide();
      texts.push(words.endsWith('\n') ? words : `${words}\n`);
      at = index + words.length;
    }
    hidden += line.length - at;
  }
  hide();
  return texts.join('');
}
