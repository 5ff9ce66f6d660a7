/** The arguments of one call from their pieces. Servers are believed to append, unless that gives no JSON and another habit does. */
import { attemptSync } from '../../../base/attempt.ts';

/**
 * Joined, as the format says; if that is no JSON, as sent by servers that repeat all arguments so far in each piece, that
 * send the whole once more at the end, or that begin with an empty object. A habit counts only where it gives JSON: text is
 * never shortened because it repeats itself.
 */
export function argumentsFrom(pieces: readonly string[]): string {
  const said = pieces.filter((piece) => piece !== '');
  const joined = said.join('');
  if (said.length < 2 || isJson(joined)) return joined;
  const habits = [soFar, withoutEmptyStart];
  for (const habit of habits) {
    const text = habit(said);
    if (text !== undefined && isJson(text)) return text;
  }
  return joined;
}

/** Each piece that begins with everything before it takes its place. */
function soFar(pieces: readonly string[]): string {
  let text = '';
  for (const piece of pieces) {
    // Lengths first: a comparison flattens the text, which for thousands of small pieces would take square time.
    const isRepeat = text !== '' && piece.length >= text.length && piece.startsWith(text);
    text = isRepeat ? piece : text + piece;
  }
  return text;
}

const withoutEmptyStart = ([first = '', ...rest]: readonly string[]): string | undefined =>
  first.trim() === '{}' ? soFar(rest) : undefined;

export const isJson = (text: string): boolean =>
  attemptSync(
    () => JSON.parse(text) as unknown,
    () => undefined,
  ).ok;
