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

/** Without escape sequences and control characters; a carriage return overwrites its line, as on a screen. */
export const terminalText = (text: string): string =>
  text.replace(sequence, '').replace(control, '').split('\n').map(overwritten).join('\n');

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
