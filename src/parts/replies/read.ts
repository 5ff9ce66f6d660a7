/**
 * From a raw reply to one that the loop can act on: thinking is told from the answer, leaked calls are found, names and
 * arguments are read against the declared tools. What cannot be read is refused in words, never guessed.
 */
import type { Reply, ToolCall } from '../../protocol/message.ts';
import type { RawReply, ToolSpec } from '../../protocol/model.ts';
import { type CallReading, callReader } from './calls.ts';
import { salvaging } from './leaks.ts';
import { overCap, type RefusedCall } from './refused.ts';
import type { Step } from './step.ts';

export interface ReadOptions {
  /** The wire that made the raw reply. */
  readonly wire: string;
  /** `provider/model`. */
  readonly model: string;
  readonly tools: readonly ToolSpec[];
  /** Ids of the steps that are switched off. */
  readonly disabled?: ReadonlySet<string>;
}

export interface Reading {
  readonly reply: Reply;
  readonly steps: readonly Step[];
  readonly refused: readonly RefusedCall[];
  /** Calls found in the text or the thinking. */
  readonly salvaged: number;
  /** A call in the text began and did not end. */
  readonly hasOpenLeak: boolean;
}

export function readReply(raw: RawReply, options: ReadOptions): Reading {
  const { wire, model, tools, disabled = new Set<string>() } = options;
  const isAtCap = raw.finish === 'length';
  const reader = callReader(tools, disabled);
  const found = salvaging(raw, { tools, reader, disabled });
  const native = raw.calls.map((call, index): CallReading => {
    const filling = found.fills.get(index);
    const text = filling?.rawArguments ?? call.arguments;
    const read = reader.read({ name: call.name, arguments: text }, isAtCap || raw.isCut);
    const asFound = { kind: 'salvaged', step: `salvage.${filling?.dialect}`, tool: call.name, what: 'its arguments' };
    return filling ? { ...read, steps: [asFound as Step, ...read.steps] } : read; // kind is a literal
  });
  const all = [...native.map((read, index) => ({ read, id: raw.calls[index]?.id ?? '' })), ...found.leaked];
  const lone = isAtCap && found.isCut && all.length === 0 ? openLeak(raw, tools) : undefined;
  const refused = [...all.flatMap(({ read }) => read.refused ?? []), ...(lone ? [lone] : [])];
  return {
    reply: {
      from: 'model',
      text: found.text,
      ...(found.reasoning ? { reasoning: found.reasoning } : {}),
      calls: [...all.flatMap(({ read, id }) => withIds(read, id)), ...(lone ? [refusedCall(lone, raw.text)] : [])],
      ...(raw.native === undefined ? {} : { native: { wire, model, content: raw.native } }),
    },
    steps: [...found.steps, ...invented(raw, tools), ...all.flatMap(({ read }) => read.steps)],
    refused,
    salvaged: found.leaked.length + found.fills.size,
    hasOpenLeak: found.isCut,
  };
}

/** Several inputs in one call are several calls; only the first keeps the id, the others get fresh ones. */
function withIds({ name, inputs, raw, refused }: CallReading, id: string): ToolCall[] {
  if (refused) return [{ id, name, input: raw, unreadable: refused.reason }];
  return inputs.map((input, index) => ({ id: index === 0 ? id : '', name, input }));
}

const refusedCall = ({ name, reason }: RefusedCall, input: string): ToolCall => ({
  id: '',
  name,
  input,
  unreadable: reason,
});

/** A leaked call that the output limit ended: the tool named last is the one that was meant. */
function openLeak({ text, reasoning = '' }: RawReply, tools: readonly ToolSpec[]): RefusedCall | undefined {
  const places = tools.map(({ name }) => ({ name, at: `${reasoning}\n${text}`.lastIndexOf(name) }));
  const last = places.filter(({ at }) => at >= 0).sort((left, right) => right.at - left.at)[0];
  return last && { name: last.name, class: 'cut', reason: overCap(last.name, text.length) };
}

const callMarkup = /<\/?(?:tool_?calls?|function_?calls?|invoke|function=)|\[TOOL_CALLS\]|<\|(?:tool|python)/i;

/** Nothing was offered and the model calls all the same: its prompt speaks of tools that were switched off. */
const invented = ({ text }: RawReply, tools: readonly ToolSpec[]): Step[] =>
  tools.length === 0 && callMarkup.test(text)
    ? [{ kind: 'warned', step: 'tools.none', what: 'the model calls tools, but none is offered to it' }]
    : [];
