/** Calls as Python writes them, `[read(path="a")]`, and as Gemma does, `call:read{path:<|"|>a<|"|>}`. */

import { onlyTextParameter } from './element-form.ts';
import { afterBlank, literalAt, separator } from './literal.ts';
import type { Found, Read, Source } from './source.ts';
import { sticky } from './tagged-form.ts';

/** A list of calls anywhere; a call without brackets, `print(...)` around it or a `x =` before only inside of markers. */
export function readPythonic(source: Source, at: number): Read | undefined {
  if (source.text[at] === '[') return listAt(source, at);
  return source.isInside ? lineAt(source, at) : undefined;
}

function listAt(source: Source, at: number): Read | undefined {
  const found: Found[] = [];
  for (let index = afterBlank(source.text, at + 1); ; ) {
    if (source.text[index] === ']' && found.length > 0) return { found, end: index + 1 };
    const call = callAt(source, index);
    if (typeof call !== 'object') return call && cutRead(source);
    found.push(call.found);
    const next = separator(source.text, call.end, ']');
    if (typeof next !== 'number') return next && cutRead(source);
    index = next;
  }
}

const cutRead = (source: Source): Read => ({ found: [], end: source.text.length, fate: 'cut' });

function lineAt(source: Source, at: number): Read | undefined {
  const prefix = sticky(/(?:[A-Za-z_]\w{0,40}\s{0,4}=\s{0,4})?(?<print>print\s{0,4}\(\s{0,9})?/y, source.text, at);
  const start = at + (prefix?.[0].length ?? 0);
  const call = callAt(source, start);
  if (typeof call !== 'object') return call && cutRead(source);
  if (!prefix?.groups?.['print']) return { found: [call.found], end: call.end };
  const close = afterBlank(source.text, call.end);
  return source.text[close] === ')' ? { found: [call.found], end: close + 1 } : undefined;
}

interface Call {
  readonly found: Found;
  readonly end: number;
}

function callAt(source: Source, at: number): Call | 'cut' | undefined {
  const { text } = source;
  const head = sticky(/([A-Za-z_][\w.-]{0,80}?)(?:\.call)?\s{0,4}\(/y, text, at);
  const name = head?.[1];
  const tool = name && source.resolve(name);
  if (!head || !name || tool === undefined) return undefined;
  const input: [string, unknown][] = [];
  for (let index = afterBlank(text, at + head[0].length); ; ) {
    if (text[index] === ')') {
      const rawArguments = JSON.stringify(Object.fromEntries(input));
      return { found: { name, rawArguments, dialect: 'pythonic' }, end: index + 1 };
    }
    const member = argumentAt(source, { at: index, only: input.length === 0 ? tool : undefined });
    if (typeof member !== 'object') return member;
    input.push([member.key, member.value]);
    const next = separator(text, member.end, ')');
    if (typeof next !== 'number') return next;
    index = next;
  }
}

interface Argument {
  readonly key: string;
  readonly value: unknown;
  readonly end: number;
}

/** `key=value`; a value alone is the tool's only required text. */
function argumentAt(
  source: Source,
  { at, only }: { at: number; only: string | undefined },
): Argument | 'cut' | undefined {
  const { text } = source;
  if (at >= text.length) return 'cut';
  const key = sticky(/([A-Za-z_]\w{0,63})\s{0,4}=\s{0,4}(?!=)/y, text, at);
  const value = literalAt(text, at + (key?.[0].length ?? 0));
  if (typeof value !== 'object') return value;
  if (!source.spend(value.end - at)) return undefined;
  const name = key?.[1] ?? (only === undefined ? undefined : onlyTextParameter(source.parametersOf(only)));
  return name === undefined ? undefined : { key: name, value: value.value, end: value.end };
}

/** Gemma: `call:name{key:value}`. Outside of its wrapper the name must be one that is declared. */
export function readGemma(source: Source, at: number): Read | undefined {
  const head = sticky(/call:\s{0,4}([\w.:-]{1,80}?)\s{0,4}(?=\{)/y, source.text, at);
  if (!head?.[1] || (!source.isInside && source.resolve(head[1]) === undefined)) return undefined;
  const literal = literalAt(source.text, at + head[0].length);
  if (typeof literal !== 'object') return literal && cutRead(source);
  if (!source.spend(literal.end - at)) return undefined;
  const rawArguments = JSON.stringify(literal.value);
  return { found: [{ name: head[1], rawArguments, dialect: 'gemma' }], end: literal.end };
}
