/** Terminal output as plain text: what a person would see left on the screen, without colour. */

// Introducer, then parameters and a final byte; strings (titles, links) up to their terminator; two-byte sequences.
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export function plainText(output: string): string {
  // NUL parts the entries of a list (`find -print0`): without a line each they would run together.
  const text = output.replace(sequences, '').replaceAll(/\r+\n/g, '\n').replaceAll('\u0000', '\n');
  const lines = /[\r\b]/.test(text) ? text.split('\n').map(lastState).join('\n') : text;
  return lines.replace(controls, '');
}

/** A carriage return writes over the line: what came last stays (a progress bar's last state). */
function lastState(line: string): string {
  const states = line.split('\r').map(withoutStruck);
  return states.findLast((state) => state !== '') ?? '';
}

/** A backspace takes the character before it: spinners, and the bold letters of old manual pages. */
function withoutStruck(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}
