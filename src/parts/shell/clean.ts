/** Terminal output as plain text: what a person would have seen on the screen, without colour. */

// Introducer, then parameters and a final byte; strings (titles, links) up to their terminator; two-byte sequences.
// A string that has no terminator on its line loses its introducer only: what follows may be a message.
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /\u001b\[[0-?]*[ -/]*(?:[@-~]|$)|\u009b[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c\r\n]*(?:\u0007|\u009c|\u001b\\)|\u001b[ -/]*(?:[0-~]|$)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** To the line's beginning, and all of it erased: what stood there is gone for whoever looks, too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const erasures = /\r+\u001b\[[02]?K|\u001b\[2K(?:\r|\u001b\[1?G)/g;
const erased = '\u001c';

/** So many states of a line that differ in their numbers alone are shown one by one. */
const statesAtMost = 5;

export interface Plain {
  readonly text: string;
  /** Text that may matter is left out, in a place that says so. */
  readonly isFolded: boolean;
}

export const plainText = (output: string): string => plain(output).text;

export function plain(output: string): Plain {
  // NUL parts the entries of a list (`find -print0`): without a line each they would run together.
  const text = output
    .replaceAll(erased, '')
    .replace(erasures, `${erased}\r`)
    .replace(sequences, '')
    .replaceAll(/\r+\n/g, '\n')
    .replaceAll('\u0000', '\n');
  const lines = /[\r\b]/.test(text) ? text.split('\n').map(statesOf) : [{ text, isFolded: false }];
  return {
    text: lines
      .map((line) => line.text)
      .join('\n')
      .replace(controls, ''),
    isFolded: lines.some(({ isFolded }) => isFolded),
  };
}

/**
 * A carriage return writes over the line, so of a progress bar the last state stays. Where the words differ they are
 * messages, or lines of a file that ends them so, and all stay.
 */
function statesOf(line: string): Plain {
  const states = line
    .split('\r')
    .map(overwritten)
    .filter((state) => state.replace(erased, '') !== '');
  const kept = states.filter((state, index) => {
    const next = states[index + 1];
    return next === undefined || !(state.endsWith(erased) || isEarlier(state, next));
  });
  return foldStates(kept.map((state) => state.replace(erased, '')));
}

/** A number of percent, of parts or of bytes, or a bar. */
export const isProgress = (line: string): boolean =>
  /\d\s?%|\d\s?\/\s?\d|\d\s?[kKMGT]i?B\b|\d\s?B\/s|[#=█━]{3}/.test(line);

/** True where `next` says all that `state` said, in newer numbers or with another spinner. */
function isEarlier(state: string, next: string): boolean {
  const words = new Set(wordsOf(next));
  if (!wordsOf(state).every((word) => words.has(word))) return false;
  return isProgress(state) || !/\d/.test(state) || state === next;
}

const wordsOf = (state: string): string[] => state.match(/\p{L}+/gu) ?? [];

function foldStates(states: readonly string[]): Plain {
  const lines: string[] = [];
  let isFolded = false;
  for (let at = 0; at < states.length; ) {
    const skeleton = withoutNumbers(states[at]);
    let end = at + 1;
    while (end < states.length && withoutNumbers(states[end]) === skeleton) end++;
    const run = states.slice(at, end);
    if (run.length > statesAtMost) {
      isFolded = true;
      const left = `[${run.length - 2} more, each written over the one before]`;
      lines.push(run[0] ?? '', left, run.at(-1) ?? '');
    } else lines.push(...run);
    at = end;
  }
  return { text: lines.join('\n'), isFolded };
}

const withoutNumbers = (state = ''): string => state.replace(/\d+/g, '0');

/** A backspace only moves; the next character writes over (spinners, the bold letters of old manual pages). */
function overwritten(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  let at = 0;
  for (const character of line) {
    if (character === '\b') at = Math.max(0, at - 1);
    else kept[at++] = character;
  }
  return kept.join('');
}
