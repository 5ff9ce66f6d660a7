/** Literals of Python and of Gemma's call form, as JSON values. Anything that would have to be computed is refused. */
import { sticky } from './tagged-form.ts';

export interface Literal {
  readonly value: unknown;
  readonly end: number;
}

/** undefined: no literal. 'cut': the text ended inside. */
export type LiteralRead = Literal | 'cut' | undefined;

const deepest = 40;

export function literalAt(text: string, at: number, depth = 0): LiteralRead {
  if (depth > deepest) return undefined;
  if (at >= text.length) return 'cut';
  return stringAt(text, at) ?? containerAt(text, at, depth) ?? wordAt(text, at);
}

const delimiters = ['"""', "'''", '<|"|>', '<escape>', '"', "'"];

function stringAt(text: string, at: number): LiteralRead {
  const start = /[rRbBuU]/.test(text[at] ?? '') && /["']/.test(text[at + 1] ?? '') ? at + 1 : at;
  const delimiter = delimiters.find((one) => text.startsWith(one, start));
  if (!delimiter) return undefined;
  const from = start + delimiter.length;
  const hasEscapes = start === at && (delimiter.includes('"') || delimiter.includes("'")) && delimiter !== '<|"|>';
  for (let index = from; index < text.length; index++) {
    if (hasEscapes && text[index] === '\\') index++;
    else if (text.startsWith(delimiter, index)) {
      const raw = text.slice(from, index);
      return { value: hasEscapes ? unescaped(raw) : raw, end: index + delimiter.length };
    }
  }
  return 'cut';
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '\n': '',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** As Python reads them: an unknown escape keeps its backslash. */
const unescaped = (raw: string): string =>
  raw.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g, (whole, hex, unicode, char) => {
    if (hex ?? unicode) return String.fromCharCode(Number.parseInt(hex ?? unicode, 16));
    return escapes[char] ?? whole;
  });

const numberForm = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;
const words: Readonly<Record<string, boolean | null>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
};

function wordAt(text: string, at: number): LiteralRead {
  const number = sticky(numberForm, text, at)?.[0];
  if (number) return { value: Number(number), end: at + number.length };
  const word = sticky(/[A-Za-z]{1,8}(?![\w(.[])/y, text, at)?.[0];
  if (!word || !Object.hasOwn(words, word)) return at + 8 >= text.length ? 'cut' : undefined;
  return { value: words[word], end: at + word.length };
}

function containerAt(text: string, at: number, depth: number): LiteralRead {
  const open = text[at];
  if (open === '{') return dictAt(text, at, depth);
  if (open !== '[' && open !== '(') return undefined;
  const close = open === '[' ? ']' : ')';
  const items: unknown[] = [];
  for (let index = afterBlank(text, at + 1); ; ) {
    if (text[index] === close) return { value: items, end: index + 1 };
    const item = literalAt(text, index, depth + 1);
    if (typeof item !== 'object') return item;
    items.push(item.value);
    const next = separator(text, item.end, close);
    if (typeof next !== 'number') return next;
    index = next;
  }
}

function dictAt(text: string, at: number, depth: number): LiteralRead {
  const members: [string, unknown][] = [];
  for (let index = afterBlank(text, at + 1); ; ) {
    if (text[index] === '}') return { value: Object.fromEntries(members), end: index + 1 };
    const member = memberAt(text, index, depth);
    if (member === 'cut' || member === undefined) return member;
    members.push([member.key, member.value]);
    const next = separator(text, member.end, '}');
    if (typeof next !== 'number') return next;
    index = next;
  }
}

/** `key: value`, the key quoted or bare. */
function memberAt(text: string, at: number, depth: number): (Literal & { key: string }) | 'cut' | undefined {
  const bare = sticky(/[A-Za-z_][\w-]{0,63}(?=\s{0,9}:)/y, text, at)?.[0];
  const key: LiteralRead = bare ? { value: bare, end: at + bare.length } : stringAt(text, at);
  if (key === undefined && at >= text.length) return 'cut';
  if (typeof key !== 'object') return key;
  const colon = afterBlank(text, key.end);
  if (text[colon] !== ':') return colon >= text.length ? 'cut' : undefined;
  const value = literalAt(text, afterBlank(text, colon + 1), depth + 1);
  return typeof value === 'object' ? { ...value, key: String(key.value) } : value;
}

/** Behind a comma, or at the closer. */
export function separator(text: string, at: number, close: string): number | 'cut' | undefined {
  const index = afterBlank(text, at);
  if (index >= text.length) return 'cut';
  if (text[index] === close) return index;
  return text[index] === ',' ? afterBlank(text, index + 1) : undefined;
}

export function afterBlank(text: string, at: number): number {
  let index = at;
  while (index < text.length && /\s/.test(text[index] ?? '')) index++;
  return index;
}
