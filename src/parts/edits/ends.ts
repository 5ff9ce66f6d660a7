/** Line ends and the byte-order mark: anchors are matched as if every line ended in LF, files keep what they have. */

/** A text in which every CRLF is read as LF, and the way back to the original's offsets. */
export interface Flat {
  readonly text: string;
  /** The original's offset (UTF-16 units) of an offset in `text`. */
  originalOffset(offset: number): number;
}

export const flatten = (text: string): string => text.replaceAll('\r\n', '\n');

/** Skips a byte-order mark: offsets that lead back count it. */
export function flatView(content: string): Flat {
  const skipped = content.startsWith('\uFEFF') ? 1 : 0;
  const body = content.slice(skipped);
  if (!body.includes('\r\n')) return { text: body, originalOffset: (offset) => offset + skipped };
  // Flat offsets of the line feeds that lost their carriage return, in order.
  const shortened: number[] = [];
  for (let at = body.indexOf('\r\n'); at >= 0; at = body.indexOf('\r\n', at + 2)) shortened.push(at - shortened.length);
  return { text: flatten(body), originalOffset: (offset) => offset + skipped + countBelow(shortened, offset) };
}

/** How many of the ascending `numbers` are smaller than `limit`. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * `text` (LF only) with the line ends that the file has at [start, end): those of the replaced lines, else of the
 * line that follows, else of the line before. A file without any line end takes the text as it is.
 */
export function withEndsOf(content: string, span: { start: number; end: number }, text: string): string {
  if (!text.includes('\n')) return text;
  const inside = content.indexOf('\n', span.start);
  const at = inside >= 0 ? inside : content.lastIndexOf('\n', span.start);
  return at > 0 && content[at - 1] === '\r' ? text.replaceAll('\n', '\r\n') : text;
}

/** Number of the line, counted from 1, in which an offset lies. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** Lines as people count them: a last line end begins no further line. */
export function countLines(text: string): number {
  if (text === '') return 0;
  const breaks = lineOf(text, text.length) - 1;
  return text.endsWith('\n') ? breaks : breaks + 1;
}

/** What in a text cannot stand in a UTF-8 text file; undefined when all can. */
export function unwritable(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character, which no text file holds';
  if (!text.isWellFormed()) return 'half a surrogate pair, which UTF-8 cannot store';
  return undefined;
}

/** A new whole text with the byte-order mark and, where all its lines had one kind of end, the line ends of the old. */
export function inStyleOf(before: string, text: string): string {
  const hasOnlyCrlf = before.includes('\r\n') && !/(?<!\r)\n/.test(before);
  const ended = hasOnlyCrlf ? flatten(text).replaceAll('\n', '\r\n') : text;
  return before.startsWith('\uFEFF') && !text.startsWith('\uFEFF') ? `\uFEFF${ended}` : ended;
}
