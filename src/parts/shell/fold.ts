/** Repeated and progress lines, folded: a model learns nothing from the second of them. */
import { isProgress, type Plain } from './clean.ts';

const leastRepeats = 4;
const leastProgress = 6;
const repeatStart = '[the line above ';

/** `isFolded` where lines are left out that were not equal. */
export function foldLines(text: string): Plain {
  const lines = text.split('\n');
  const folded: string[] = [];
  let isFolded = false;
  for (let at = 0; at < lines.length; ) {
    const first = lines[at] ?? '';
    const same = runLength(lines, at, (line) => line);
    const similar = isPercent(first) ? progressLength(lines, at) : 1;
    if (same >= leastRepeats && first !== '') {
      folded.push(first, `${repeatStart}${same} times]`);
      at += same;
    } else if (similar >= leastProgress) {
      folded.push(first, `[${similar - 2} progress lines]`, lines[at + similar - 1] ?? '');
      isFolded = true;
      at += similar;
    } else {
      folded.push(first);
      at++;
    }
  }
  return { text: folded.join('\n'), isFolded };
}

/** True where the text begins with a remark on a line that is not there. */
export const beginsWithRepeat = (text: string): boolean => text.startsWith(repeatStart);

function runLength(lines: readonly string[], start: number, key: (line: string) => string): number {
  const wanted = key(lines[start] ?? '');
  let end = start + 1;
  while (end < lines.length && key(lines[end] ?? '') === wanted) end++;
  return end - start;
}

const isPercent = (line: string): boolean => /\d\s?%/.test(line) && isProgress(line);

/** Progress goes up; in a table the numbers jump. */
function progressLength(lines: readonly string[], start: number): number {
  const end = start + runLength(lines, start, skeletonOf);
  let at = start + 1;
  while (at < end && percentOf(lines[at]) >= percentOf(lines[at - 1])) at++;
  return at - start;
}

const percentOf = (line = ''): number => Number(/([\d.]+)\s?%/.exec(line)?.[1] ?? 0);

/** A progress line without what changes in it: numbers that stand alone, units, bars. A file's name keeps its own. */
const skeletonOf = (line: string): string =>
  line
    .replace(/(?<![\p{L}\d_./-])\d[\d.,:/]*\s?(?:%|[kKMGT]?i?B(?:\/s)?\b|m?s\b|[mh]\b)?(?![\p{L}\d_.])/gu, '0')
    .replace(/[#=>█▏▎▍▌▋▊▉░▒▓━╸╺\-\s]+/g, '');
