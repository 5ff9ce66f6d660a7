/** Repeated and progress lines, folded: a model learns nothing from the second of them. */

const leastRepeats = 4;
const leastProgress = 6;

export function foldLines(text: string): string {
  const lines = text.split('\n');
  const folded: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const same = runLength(lines, at, (line) => line);
    const similar = runLength(lines, at, skeletonOf);
    if (same >= leastRepeats && lines[at] !== '') {
      folded.push(lines[at] ?? '', `[the line above ${same} times]`);
      at += same;
    } else if (similar >= leastProgress && isProgress(lines[at] ?? '')) {
      folded.push(lines[at] ?? '', `[${similar - 2} progress lines]`, lines[at + similar - 1] ?? '');
      at += similar;
    } else {
      folded.push(lines[at] ?? '');
      at++;
    }
  }
  return folded.join('\n');
}

function runLength(lines: readonly string[], start: number, key: (line: string) => string): number {
  const wanted = key(lines[start] ?? '');
  let end = start + 1;
  while (end < lines.length && key(lines[end] ?? '') === wanted) end++;
  return end - start;
}

const isProgress = (line: string): boolean => /\d\s?%/.test(line);

/** A progress line without what changes in it: numbers, bars, units. Only these: a file's name would be lost. */
const skeletonOf = (line: string): string =>
  isProgress(line) ? line.replace(/[\d.,:]+|[#=>█▏▎▍▌▋▊▉░▒▓━╸╺\-\s]+|[kKMG]i?B/g, '') : line;
