/** Thinking and leaked calls of a raw reply, with what was found about them. */
import type { RawReply, ToolSpec } from '../../protocol/model.ts';
import type { CallReader, CallReading } from './calls.ts';
import { type Salvaged, type SalvagedCall, salvage } from './salvage/salvage.ts';
import type { Step } from './step.ts';

export interface Leaks {
  readonly text: string;
  readonly reasoning: string;
  /** Calls of their own, refused ones included. */
  readonly leaked: readonly { readonly read: CallReading; readonly id: string }[];
  /** By the index of a native call without arguments: the leaked call that holds them. */
  readonly fills: ReadonlyMap<number, SalvagedCall>;
  readonly steps: readonly Step[];
  readonly isCut: boolean;
}

export interface Leaking {
  readonly tools: readonly ToolSpec[];
  readonly reader: CallReader;
  readonly disabled: ReadonlySet<string>;
}

export function salvaging(raw: RawReply, { tools, reader, disabled }: Leaking): Leaks {
  const { text, reasoning = '' } = raw;
  if (disabled.has('salvage')) return { text, reasoning, leaked: [], fills: new Map(), steps: [], isCut: false };
  const isWhole = raw.finish !== 'length' && !raw.isCut;
  const readings = new Map<string, CallReading>();
  const found = salvage({
    text,
    reasoning,
    tools,
    nativeCalls: raw.calls,
    isWhole,
    resolve: reader.nameOf,
    admit: (name, rawArguments) => {
      const read = reader.read({ name, arguments: rawArguments }, false);
      readings.set(keyOf(name, rawArguments), read);
      // One block is one call: what could be several is not run from a leak.
      return read.refused || read.inputs.length !== 1 ? undefined : { input: read.inputs[0] };
    },
  });
  const own = found.calls.filter(({ fills }) => fills === undefined);
  const fills = found.calls.flatMap((call) => (call.fills === undefined ? [] : [[call.fills, call] as const]));
  return {
    text: found.visibleText,
    reasoning: found.visibleReasoning,
    leaked: [
      ...own.map((call) => ({ read: salvaged(call, readings), id: '' })),
      ...found.refused.map((call) => ({ read: refusal(call, reader), id: '' })),
    ],
    fills: new Map(fills),
    steps: cleanings(raw, found),
    isCut: found.cut === true,
  };
}

const keyOf = (name: string, text: string): string => `${name}\n${text}`;

function salvaged({ name, input, rawArguments, dialect, from }: SalvagedCall, readings: Map<string, CallReading>) {
  const step: Step = { kind: 'salvaged', step: `salvage.${dialect}`, tool: name, what: `a call in the ${from}` };
  const mends = readings.get(keyOf(name, rawArguments))?.steps ?? [];
  return { name, inputs: [input], raw: rawArguments, steps: [step, ...mends] };
}

function refusal({ name, rawArguments, reason }: Salvaged['refused'][number], reader: CallReader): CallReading {
  const read = reader.read({ name, arguments: rawArguments }, false);
  if (read.refused) return read;
  const why = `${name} was not run. The call stood in the text and can be read in two ways. Send it as a tool call.`;
  const step: Step = { kind: 'refused', step: `refused.${reason}`, tool: name, what: why };
  return { ...read, inputs: [], steps: [step], refused: { name, class: 'unclear', reason: why } };
}

function cleanings({ text, reasoning = '' }: RawReply, found: Salvaged): Step[] {
  const steps: Step[] = [];
  const hasThought = found.visibleReasoning.trim().length > reasoning.trim().length;
  if (hasThought) steps.push({ kind: 'cleaned', step: 'thinking', what: 'thinking told from the answer' });
  if (found.invented)
    steps.push({ kind: 'cleaned', step: 'invented', what: 'a tool result that the model wrote itself' });
  if (steps.length === 0 && found.calls.length === 0 && found.visibleText.trim() !== text.trim())
    steps.push({ kind: 'cleaned', step: 'markup', what: 'marks without a call' });
  return steps;
}
