/**
 * Finds the bodies of here-documents and blanks them out, because the grammar loses what stands behind `<<WORD` on its line.
 * Offsets stay as they are.
 */
import type { Span } from './tree.ts';

export interface HereDocument {
  /** Where `<<` stands. */
  readonly at: number;
  readonly body: Span;
  /** A quoted delimiter: nothing in the body is expanded. */
  readonly isQuoted: boolean;
}

export interface Blanked {
  readonly source: string;
  readonly documents: readonly HereDocument[];
}

interface Pending {
  readonly at: number;
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly isIndented: boolean;
}

/** What the scanner is inside of: commands, double quotes, arithmetic. */
type Inside = '(' | '`' | '"' | '((';

interface Scan {
  readonly text: string;
  readonly inside: Inside[];
  readonly pending: Pending[];
  readonly found: HereDocument[];
}

export function blankHereDocuments(source: string): Blanked {
  if (!source.includes('<<')) return { source, documents: [] };
  const scan: Scan = { text: source, inside: [], pending: [], found: [] };
  for (let at = 0; at < source.length; ) at = step(scan, at);
  const letters = [...scan.found].reduce((text, { at, body }) => {
    const blank = text.slice(body.start, body.end).replace(/[^\n]/g, ' ');
    const operator = text.startsWith('<<-', at) ? '<  ' : '< ';
    return `${text.slice(0, at)}${operator}${text.slice(at + operator.length, body.start)}${blank}${text.slice(body.end)}`;
  }, source);
  return { source: letters, documents: scan.found };
}

/** Reads one letter, quote or operator. Returns where the next begins. */
function step(scan: Scan, at: number): number {
  const { text, inside } = scan;
  const letter = text[at];
  if (letter === '\\') return at + 2;
  if (letter === '`') return toggle(inside, '`', at);
  if (letter === '"') return toggle(inside, '"', at);
  if (text.startsWith('$((', at)) return enter(inside, '((', at + 3);
  if (text.startsWith('$(', at)) return enter(inside, '(', at + 2);
  if (inside.at(-1) === '"') return at + 1;
  return stepInCommand(scan, at);
}

function stepInCommand(scan: Scan, at: number): number {
  const { text, inside } = scan;
  const top = inside.at(-1);
  const letter = text[at];
  if (letter === "'") return afterSingleQuotes(text, at);
  if (text.startsWith('((', at)) return enter(inside, '((', at + 2);
  if (letter === '(') return enter(inside, '(', at + 1);
  if (letter === ')') return leave(scan, at);
  if (letter === '#' && /[\s;&|(]|^$/.test(text.slice(Math.max(0, at - 1), at))) return endOfLine(text, at);
  if (letter === '\n' && scan.pending.length > 0) return readBodies(scan, at + 1);
  if (text.startsWith('<<<', at)) return at + 3;
  if (text.startsWith('<<', at) && top !== '((') return readOperator(scan, at);
  return at + 1;
}

function toggle(inside: Inside[], kind: Inside, at: number): number {
  if (inside.at(-1) === kind) inside.pop();
  else inside.push(kind);
  return at + 1;
}

function enter(inside: Inside[], kind: Inside, next: number): number {
  inside.push(kind);
  return next;
}

function leave({ text, inside }: Scan, at: number): number {
  const top = inside.at(-1);
  if (top === '(' || top === '((') inside.pop();
  return top === '((' && text[at + 1] === ')' ? at + 2 : at + 1;
}

function afterSingleQuotes(text: string, at: number): number {
  const isEscaped = text[at - 1] === '$';
  const closing = isEscaped ? /(?:[^\\']|\\[\s\S])*'/y : /[^']*'/y;
  closing.lastIndex = at + 1;
  return closing.test(text) ? closing.lastIndex : text.length;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

const delimiters = /<<(-?)[ \t]*('([^'\n]*)'|"([^"\n]*)"|(\\?[^\s;&|<>()'"`$]+))/y;

function readOperator(scan: Scan, at: number): number {
  delimiters.lastIndex = at;
  const match = delimiters.exec(scan.text);
  if (!match) return at + 2;
  const [whole, dash, , single, double, bare = ''] = match;
  const isQuoted = single !== undefined || double !== undefined || bare.startsWith('\\');
  const delimiter = single ?? double ?? bare.replace(/^\\/, '');
  scan.pending.push({ at, delimiter, isQuoted, isIndented: dash === '-' });
  return at + whole.length;
}

function readBodies({ text, pending, found }: Scan, from: number): number {
  let start = from;
  for (const { delimiter, isIndented, ...rest } of pending.splice(0)) {
    const end = bodyEnd(text, start, { delimiter, isIndented });
    found.push({ ...rest, body: { start, end } });
    start = Math.min(text.length, end + 1);
  }
  return Math.max(from, start - 1);
}

/** The end of the line with the delimiter; the end of the text where there is none, as the shell has it. */
function bodyEnd(
  text: string,
  from: number,
  { delimiter, isIndented }: Pick<Pending, 'delimiter' | 'isIndented'>,
): number {
  for (let start = from; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    if ((isIndented ? line.replace(/^\t+/, '') : line) === delimiter) return end;
    start = end + 1;
  }
  return text.length;
}
