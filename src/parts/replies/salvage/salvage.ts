/** Calls that leaked into the text or the thinking of a reply, found where they were meant and only there. */
import { attemptSync, messageOf } from '../../../base/attempt.ts';
import type { ToolSpec } from '../../../protocol/model.ts';
import { cutInvented } from './invented.ts';
import { lastParagraphStart } from './paragraph.ts';
import { type Admit, type PartCall, type PartRead, type Refused, readPart } from './part.ts';
import { identity, isDegenerate } from './same.ts';
import { splitThinking } from './thinking.ts';

export interface NativeCall {
  readonly name: string;
  /** As on the wire, or as read; undefined and an empty text are no arguments. */
  readonly arguments: unknown;
}

export interface Leaky {
  readonly text: string;
  readonly reasoning?: string | undefined;
  readonly tools: readonly ToolSpec[];
  readonly nativeCalls: readonly NativeCall[];
  /** False when the reply ended at its token cap or broke off: an unclosed call is then a cut one. */
  readonly isWhole: boolean;
  /** Mends and validates the arguments for a declared tool; undefined where they do not fit. */
  readonly admit: Admit;
  /** Finds the declared tool that a name as written means; exact names only by default. */
  readonly resolve?: ((name: string) => string | undefined) | undefined;
}

export interface SalvagedCall extends PartCall {
  readonly from: 'text' | 'reasoning';
  /** The index of the native call without arguments whose arguments these are; the two are one call. */
  readonly fills?: number;
}

export interface Salvaged {
  readonly calls: readonly SalvagedCall[];
  /** Calls in a model's own marks that name no tool, do not fit its schema, or can be read in two ways: to be told, not run. */
  readonly refused: readonly Refused[];
  readonly visibleText: string;
  readonly visibleReasoning: string;
  /** A call began and did not end: nothing of it runs. */
  readonly cut?: true;
  /** The model wrote a tool's result itself; the text is without it. */
  readonly invented?: true;
}

export function salvage(leaky: Leaky): Salvaged {
  const split = splitThinking(leaky.text);
  const reasoning = [leaky.reasoning?.trim(), split.reasoning].filter(Boolean).join('\n\n');
  const text = readPart(split.text, { ...leaky, from: 'text' });
  const inText = withoutDoubles(leaky, { read: text, from: 'text' });
  const isActing = leaky.nativeCalls.length > 0 || inText.length > 0 || text.refused.length > 0 || text.isCut;
  const thought =
    !isActing && mayHideCall(text.visible) ? readPart(reasoning, { ...leaky, from: 'reasoning' }) : undefined;
  const hasThought = thought !== undefined && (thought.calls.length > 0 || thought.refused.length > 0 || thought.isCut);
  const calls = hasThought ? withoutDoubles(leaky, { read: thought, from: 'reasoning' }) : inText;
  const shown = cutInvented(text.visible);
  const answer =
    shown.text.trim() === '' && split.isOpen && !hasThought && leaky.isWhole ? answerIn(reasoning) : undefined;
  const isNoise = (leaky.nativeCalls.length > 0 || calls.length > 0) && isDegenerate(shown.text);
  return {
    calls,
    refused: hasThought ? thought.refused : text.refused,
    visibleText: answer?.text ?? (isNoise ? '' : shown.text),
    visibleReasoning: answer?.reasoning ?? (hasThought ? thought.visible : reasoning),
    ...(text.isCut || thought?.isCut ? { cut: true } : {}),
    ...(shown.isInvented ? { invented: true } : {}),
  };
}

/** A reply that says something is an answer, and a call in its thinking was only weighed. */
const mayHideCall = (text: string): boolean => text.replace(/[.\s\u2026-]/g, '').length <= 4;

/** Thinking that was never closed: its last paragraph is the answer, if there is more than one. */
function answerIn(reasoning: string): { text: string; reasoning: string } | undefined {
  const start = lastParagraphStart(reasoning);
  if (start === 0) return undefined;
  return { text: reasoning.slice(start).trim(), reasoning: reasoning.slice(0, start) };
}

/** Each call once, and none that came natively as well; a native call without arguments takes those of the text. */
function withoutDoubles(
  { nativeCalls, resolve }: Leaky,
  { read, from }: { read: PartRead; from: SalvagedCall['from'] },
): readonly SalvagedCall[] {
  const native = nativeCalls.map((call) => ({
    name: resolve?.(call.name) ?? call.name,
    input: inputOf(call.arguments),
  }));
  const seen = new Set(native.map(({ name, input }) => identity(name, input)));
  const filled = new Set<number>();
  const calls: SalvagedCall[] = [];
  for (const call of read.calls) {
    const own = identity(call.name, call.input);
    if (seen.has(own)) continue;
    seen.add(own);
    const fills = native.findIndex(
      ({ name, input }, index) => name === call.name && isEmpty(input) && !filled.has(index),
    );
    if (fills >= 0) filled.add(fills);
    // Beside native calls, only what a model marked as a call is one.
    if (fills < 0 && native.length > 0 && !call.isMarked) continue;
    calls.push({ ...call, from, ...(fills >= 0 ? { fills } : {}) });
  }
  return calls;
}

const isEmpty = (input: unknown): boolean =>
  input === null || input === undefined || input === '' || identity('', input) === identity('', {});

function inputOf(written: unknown): unknown {
  if (typeof written !== 'string') return written;
  if (written.trim() === '') return {};
  const parsed = attemptSync(() => JSON.parse(written) as unknown, messageOf);
  return parsed.ok ? parsed.value : written;
}
