/** A name, some marks and JSON arguments: DeepSeek, Kimi, Mistral, harmony, ReAct. Each form is a pattern of its head. */
import { onlyTextParameter } from './element-form.ts';
import { extentOf } from './json-extent.ts';
import type { Read, Source } from './source.ts';
import { sticky } from './tagged-form.ts';

interface Head {
  readonly dialect: string;
  /** Sticky, on text with ASCII bars; the group `name` is the tool's. The arguments' brace follows. */
  readonly pattern: RegExp;
  /** Counts only behind the opener of a wrapper. */
  readonly isInner?: boolean;
  /** A marker of its own, see `Read.isMarker`. */
  readonly isMarker?: boolean;
  /** What follows the arguments and belongs to the call. */
  readonly tail?: RegExp;
}

const fenceEnd = /\s{0,9}```/y;

export const heads: readonly Head[] = [
  {
    dialect: 'deepseek',
    pattern: /(?:function\s{0,4})?<\|tool[_ ]sep\|>\s{0,4}(?<name>[\w.:-]{1,80})\s{0,9}(?:```(?:json)?\s{0,9})?(?=\{)/y,
    isMarker: true,
    tail: fenceEnd,
  },
  {
    dialect: 'deepseek',
    pattern: /(?<name>[\w.:-]{1,80})\s{0,4}<\|tool[_ ]sep\|>\s{0,9}(?:```(?:json)?\s{0,9})?(?=\{)/y,
    isMarker: true,
    tail: fenceEnd,
  },
  {
    dialect: 'kimi',
    pattern: /(?<name>[\w.:-]{1,80})\s{0,9}<\|tool_call_argument_begin\|>\s{0,9}(?=\{)/y,
    isMarker: true,
  },
  {
    dialect: 'mistral',
    pattern:
      /\[TOOL_CALLS\]\s{0,9}(?<name>[\w.:-]{1,80})\s{0,4}(?:\[CALL_ID\][\w-]{1,40}\s{0,4})?(?:\[ARGS\])?\s{0,9}(?=\{)/y,
    isMarker: true,
    tail: /\s{0,9}\[\/TOOL_CALLS\]/y,
  },
  { dialect: 'mistral', pattern: /(?<name>[\w.:-]{1,80})\s{0,4}\[ARGS\]\s{0,9}(?=\{)/y, isMarker: true },
  {
    dialect: 'harmony',
    pattern:
      /(?:<\|start\|>\s{0,4})?(?:assistant\s{0,4})?<\|channel\|>\s{0,4}(?:commentary|analysis|final)\s{0,4}to=\s{0,4}(?<name>[\w.:-]{1,80})\s{0,4}(?:<\|channel\|>\s{0,4}\w{1,20}\s{0,4})?(?:<\|constrain\|>)?\s{0,4}(?:json|code)?\s{0,4}<\|message\|>\s{0,9}(?=\{)/y,
    isMarker: true,
    tail: /\s{0,9}<\|(?:call|end|return)\|>/y,
  },
  {
    dialect: 'harmony',
    pattern:
      /<\|start\|>\s{0,4}assistant\s{0,4}to=\s{0,4}(?<name>[\w.:-]{1,80})\s{0,4}<\|channel\|>\s{0,4}(?:commentary|analysis)\s{0,4}(?:<\|constrain\|>)?\s{0,4}(?:json|code)?\s{0,4}<\|message\|>\s{0,9}(?=\{)/y,
    isMarker: true,
    tail: /\s{0,9}<\|(?:call|end|return)\|>/y,
  },
  {
    dialect: 'harmony',
    pattern:
      /(?:assistant)?\s?(?:commentary|analysis)?\s?to=functions\.(?<name>[\w-]{1,80})\s{0,4}(?:<\|constrain\|>)?\s{0,4}(?:json|code)?\s{0,4}(?:<\|message\|>)?\s{0,9}(?=\{)/y,
    tail: /\s{0,9}<\|(?:call|end|return)\|>/y,
  },
  {
    dialect: 'named-json',
    pattern: /["']?(?<name>[\w.:-]{1,80})["']?\s{0,9}(?:```(?:json)?\s{0,9})?(?=\{)/y,
    isInner: true,
    tail: fenceEnd,
  },
];

export function readNamed(source: Source, at: number): Read | undefined {
  for (const head of heads) {
    if (head.isInner && !source.isInside) continue;
    const match = sticky(head.pattern, source.plain, at);
    const name = match?.groups?.['name'];
    if (match && name) return withArguments(source, { head, name, at: at + match[0].length });
  }
  return undefined;
}

function withArguments(source: Source, { head, name, at }: { head: Head; name: string; at: number }): Read | undefined {
  const { dialect, isMarker = false, tail } = head;
  const extent = extentOf(source.text, at);
  if (!source.spend(extent.end - at) || extent.missing === '?') return undefined;
  // Without a closing mark the braces must all be there.
  if (extent.missing && extent.isAtEnd) return { found: [], end: extent.end, fate: 'cut', isMarker };
  const end = extent.end + ((tail && sticky(tail, source.plain, extent.end)?.[0].length) ?? 0);
  const rawArguments = `${source.text.slice(at, extent.end).trimEnd()}${extent.missing}`;
  return { found: [{ name, rawArguments, dialect }], end, isMarker };
}

/** `Action: x`, `Action Input: {...}` or a bare text for a tool with one text parameter; an invented observation is dropped. */
export function readReact(source: Source, at: number): Read | undefined {
  const match = sticky(
    /(?:\*\*)?Action:(?:\*\*)?[ \t]{0,9}`?([\w.:-]{1,80})`?[ \t]{0,9}\r?\n\s{0,9}(?:\*\*)?Action Input:(?:\*\*)?[ \t]{0,9}/y,
    source.text,
    at,
  );
  const name = match?.[1];
  if (!match || !name || source.resolve(name) === undefined) return undefined;
  const start = at + match[0].length;
  const read =
    source.text[start] === '{'
      ? withArguments(source, { head: react, name, at: start })
      : bare(source, { name, start });
  if (!read || read.fate) return read;
  const invented = sticky(/\s{0,9}Observation:[\s\S]*/y, source.text, read.end);
  return { ...read, end: read.end + (invented?.[0].length ?? 0) };
}

const react: Head = { dialect: 'react', pattern: /(?!)/y };

function bare(source: Source, { name, start }: { name: string; start: number }): Read | undefined {
  const parameter = onlyTextParameter(source.parametersOf(source.resolve(name) ?? name));
  const line = sticky(/[^\n]{1,4000}/y, source.text, start)?.[0];
  if (!parameter || !line) return undefined;
  const value = line.trim().replace(/^(["'`])(.*)\1$/, '$2');
  if (value === '') return undefined;
  const rawArguments = JSON.stringify({ [parameter]: value });
  return { found: [{ name, rawArguments, dialect: 'react' }], end: start + line.trimEnd().length };
}
