/** One channel of a reply: the calls that stand in it, and what is left to show. */
import { attemptSync, messageOf } from '../../../base/attempt.ts';
import type { Block } from './block.ts';
import { escapedMarkup, unescapeTail } from './escaped.ts';
import { canonical } from './same.ts';
import { type Placed, scan } from './scan.ts';
import { type Found, type SourceOptions, sourceOf } from './source.ts';
import { isStray, stands } from './standing.ts';

/** Mends and validates the arguments of a declared tool. */
export type Admit = (name: string, rawArguments: string) => { readonly input: unknown } | undefined;

export interface PartOptions extends SourceOptions {
  readonly from: 'text' | 'reasoning';
  readonly admit: Admit;
}

export interface PartCall {
  /** The declared name. */
  readonly name: string;
  readonly input: unknown;
  readonly rawArguments: string;
  readonly dialect: string;
  readonly isMarked: boolean;
  /** Where its block stood, in UTF-16 units of the text without thinking. */
  readonly span: readonly [start: number, end: number];
}

export interface Refused {
  readonly name: string;
  readonly rawArguments: string;
  readonly dialect: string;
  readonly reason: 'unknown' | 'invalid' | 'unclear';
}

export interface PartRead {
  readonly calls: readonly PartCall[];
  readonly refused: readonly Refused[];
  readonly visible: string;
  readonly isCut: boolean;
}

const nothing = (text: string): PartRead => ({ calls: [], refused: [], visible: text, isCut: false });

export function readPart(text: string, options: PartOptions): PartRead {
  if (options.tools.length === 0 || text.trim() === '') return nothing(text);
  const read = readBlocks(text, options);
  const isPlain = read.calls.length === 0 && read.refused.length === 0 && !read.isCut;
  if (!isPlain || !escapedMarkup.test(text)) return read;
  const unescaped = readBlocks(unescapeTail(text), options);
  return unescaped.calls.length > 0 ? unescaped : read;
}

interface Judged {
  readonly block: Placed;
  readonly calls: readonly PartCall[];
  readonly refused: readonly Refused[];
}

function readBlocks(text: string, options: PartOptions): PartRead {
  const source = sourceOf(text, options);
  const blocks = scan(source);
  const taken: Judged[] = [];
  let until = text.length;
  // From the end, so that each block knows whether only calls follow it.
  for (const block of blocks.toReversed()) {
    const judged = judge(block, { text, until, options });
    if (!judged) continue;
    taken.unshift(judged);
    until = block.start;
  }
  // One call in two forms, the first of them for the user to see: so is the second.
  const shown = new Set(blocks.filter((block) => !taken.some((one) => one.block === block)).flatMap(writtenCalls));
  const quoted = taken.filter(({ block }) => writtenCalls(block).some((call) => shown.has(call)));
  for (const one of quoted) taken.splice(taken.indexOf(one), 1);
  return {
    calls: taken.flatMap(({ calls }) => calls),
    refused: taken.flatMap(({ refused }) => refused),
    visible: without(
      text,
      taken.map(({ block }) => block),
    ),
    isCut: taken.some(({ block }) => block.fate === 'cut'),
  };
}

/** The calls of a block as written, whatever the form. */
const writtenCalls = ({ found }: Placed): readonly string[] =>
  found.map(({ name, rawArguments }) => {
    const parsed = attemptSync(() => JSON.parse(rawArguments) as unknown, messageOf);
    return `${name}\n${parsed.ok ? canonical(parsed.value) : rawArguments}`;
  });

interface Judging {
  readonly text: string;
  readonly until: number;
  readonly options: PartOptions;
}

/** What a block counts for; undefined where it stays the text that it is. */
function judge(block: Placed, { text, until, options }: Judging): Judged | undefined {
  if (block.isLitter) return isStray(block, text) ? { block, calls: [], refused: [] } : undefined;
  if (!stands(block, { text, until, from: options.from })) return undefined;
  if (block.fate === 'cut') return { block, calls: [], refused: [] };
  if (block.fate === 'unclear') return { block, calls: [], refused: [unclear(block, text)] };
  const verdicts = block.found.map((found) => weigh(found, { block, options }));
  // One that is no call shows the whole block to be something else.
  if (!verdicts.every((verdict) => verdict !== undefined)) return undefined;
  return {
    block,
    calls: verdicts.filter((verdict) => 'input' in verdict),
    refused: verdicts.filter((verdict) => 'reason' in verdict),
  };
}

function weigh(
  found: Found,
  { block, options }: { block: Placed; options: PartOptions },
): PartCall | Refused | undefined {
  const { rawArguments, dialect } = found;
  const name = sourceOf('', options).resolve(found.name);
  const admitted = name === undefined ? undefined : options.admit(name, rawArguments);
  if (name !== undefined && admitted) {
    const { start, end, isMarked } = block;
    return { name, input: admitted.input, rawArguments, dialect, isMarked, span: [start, end] };
  }
  if (!isMeant(block, found, name)) return undefined;
  return { name: name ?? found.name, rawArguments, dialect, reason: name === undefined ? 'unknown' : 'invalid' };
}

/** In a model's own marks a call is one even when it is wrong; written as tags, when it names a declared tool. */
const isMeant = ({ isMarked, fence }: Placed, { dialect }: Found, name: string | undefined): boolean =>
  (isMarked && fence !== 'data') ||
  (name !== undefined && ['qwen-xml', 'invoke', 'dsml', 'tool-use', 'harmony', 'glm'].includes(dialect));

const unclear = ({ start, end }: Block, text: string): Refused => ({
  name: /(?:name\s*=\s*|function\s*=\s*)["']?([\w.-]{1,80})/.exec(text.slice(start, start + 300))?.[1] ?? '',
  rawArguments: text.slice(start, end),
  dialect: 'unclear',
  reason: 'unclear',
});

/** The text without the blocks; no more blank lines are left than were there. */
function without(text: string, blocks: readonly Block[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of blocks) {
    kept.push(text.slice(at, start));
    at = end;
  }
  kept.push(text.slice(at));
  return blocks.length === 0
    ? text
    : kept
        .map((part, index) => (index === 0 ? part.trimEnd() : part.trim()))
        .filter(Boolean)
        .join('\n');
}
