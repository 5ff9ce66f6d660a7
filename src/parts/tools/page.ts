/** A page of a file: numbered lines up to a limit of lines and of bytes, with over-long lines cut. */

export interface Page {
  /** Adds the next line (its text, or the beginning of it) of `length` characters. False: it does not fit any more. */
  add(line: string, length: number): boolean;
  readonly first: number;
  /** The number of the last line that was added; `first - 1` when none was. */
  last(): number;
  text(): string;
  /** Lines that were cut, with their full length in characters. */
  cut(): readonly CutLine[];
}

export interface CutLine {
  readonly line: number;
  readonly length: number;
}

export interface PageLimits {
  readonly lines: number;
  /** Of the page as the model gets it. */
  readonly bytes: number;
  readonly lineCharacters: number;
}

export function createPage(first: number, limits: PageLimits): Page {
  const shown: string[] = [];
  const cut: CutLine[] = [];
  let bytes = 0;
  return {
    first,
    add(line, length) {
      const number = first + shown.length;
      const isLong = length > limits.lineCharacters;
      const kept = isLong ? withoutHalfPair(line.slice(0, limits.lineCharacters)) : line;
      const row = `${number}\t${kept}${isLong ? ` ... [${length - kept.length} more characters]` : ''}`;
      const size = Buffer.byteLength(row) + 1;
      if (shown.length >= limits.lines || (shown.length > 0 && bytes + size > limits.bytes)) return false;
      if (isLong) cut.push({ line: number, length });
      shown.push(row);
      bytes += size;
      return true;
    },
    last: () => first + shown.length - 1,
    text: () => shown.join('\n'),
    cut: () => cut,
  };
}

/** A cut between the halves of a surrogate pair would leave half a character. */
const withoutHalfPair = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);

/** The lines without their ends; what follows the last newline counts only when it is not empty. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}
