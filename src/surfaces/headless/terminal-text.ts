/** Text of models and tools as it may reach a terminal: nothing in it can move the cursor, set a title or type. */

const esc = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);

/** ESC and its one-character forms in the upper control range. */
const introducer = (afterEscape: string, single: string) => `(?:${esc}[${afterEscape}]|[${single}])`;

/** Strings to the terminal (titles, links, clipboard, device control), up to their end or the end of the text. */
const strings = `${introducer('\\]P_^X', '\\u009d\\u0090\\u009f\\u009e\\u0098')}[^${bell}${esc}\\u009c]*(?:${bell}|${esc}\\\\|\\u009c)?`;
/** Control sequences (colours, cursor, modes, queries), finished or not. */
const sequences = `${introducer('\\[', '\\u009b')}[0-?]*[ -/]*[@-~]?`;
/** Every other escape, and one that stands alone. */
const escapes = `${esc}[ -/]*[0-~]?`;

const sequence = new RegExp(`${strings}|${sequences}|${escapes}`, 'g');
const control = /[\p{Cc}--[\t\n\r]]/gv;

/** Flags of regions are spelt in invisible letters; they are found first, so that they stay. */
const flag = '\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{2,6}\\u{e007f}';
/** Joiners have a use inside emoji and some scripts, none among plain ASCII. */
const visibleNeighbour = '[\\p{Any}--[\\x00-\\x7f\\p{Cf}]]';
const strayJoiner = `(?<!${visibleNeighbour})[\\u200c\\u200d](?!${visibleNeighbour})`;
/** What turns the direction of writing or stands without a trace; the number signs of Arabic and its like do show. */
const hidden =
  '[[\\p{Cf}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0\\u{e0100}-\\u{e01ef}]--[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}\\u200c\\u200d]]';
const invisible = new RegExp(`${flag}|${strayJoiner}|${hidden}`, 'gv');

/**
 * Without escape sequences and control characters; a carriage return overwrites its line, as on a screen. What would turn
 * or hide text is named in its place, so that a person sees that it is there.
 */
export const terminalText = (text: string): string =>
  text.replace(sequence, '').replace(control, '').split('\n').map(overwritten).join('\n').replace(invisible, named);

function named(found: string): string {
  // A byte order mark is in many files, and does nothing.
  if (found === '\ufeff') return '';
  const code = found.codePointAt(0) ?? 0;
  return code === 0x1f3f4 ? found : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** What stands after the last carriage return; those at the end of a line overwrite nothing. */
function overwritten(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** The same in one line of at most `width` characters. */
export function terminalLine(text: string, width: number): string {
  const line = terminalText(text).trim().replace(/\n/g, '⏎ ').replace(/\s+/g, ' ');
  const letters = [...line];
  return letters.length <= width ? line : `${letters.slice(0, width - 1).join('')}…`;
}
