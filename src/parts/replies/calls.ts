/** Reading one call, native or leaked: what the ladder made of it, in the words of this part. */
import type { ToolSpec } from '../../protocol/model.ts';
import { type CallOptions, readCall, type WireCall } from './arguments/call.ts';
import { resolveToolName } from './arguments/name/resolve.ts';
import { type StepId, steps as stepIds } from './arguments/steps.ts';
import { overCap, type RefusedCall } from './refused.ts';
import { specialTokensIn } from './salvage/special-tokens.ts';
import type { Step } from './step.ts';

export interface CallReading {
  /** The declared name where it is known, else as it came. */
  readonly name: string;
  /** One input a call. */
  readonly inputs: readonly unknown[];
  /** The text of the arguments as it came. */
  readonly raw: string;
  readonly steps: readonly Step[];
  readonly refused?: RefusedCall;
}

export interface CallReader {
  read(call: WireCall, isAtCap: boolean): CallReading;
  /** The declared tool that a name means, or undefined. */
  nameOf(spelled: string): string | undefined;
}

export function callReader(tools: readonly ToolSpec[], disabled: ReadonlySet<string>): CallReader {
  const names = tools.map(({ name }) => name);
  const off: ReadonlySet<StepId> = new Set(stepIds.filter((id) => disabled.has(id)));
  const options: CallOptions = { disabled: off };
  const known = new Map<string, string | undefined>();
  return {
    read: (call, isAtCap) => {
      const read = readCall(call, tools, { ...options, isCut: isAtCap });
      const raw = call.arguments;
      if (!read.ok) {
        const { name, class: kind, message } = read.fault;
        const reason = kind === 'cut' && isAtCap ? overCap(name, raw.length) : message;
        const step: Step = { kind: 'refused', step: `refused.${kind}`, tool: name, what: message.slice(0, 300) };
        return { name, inputs: [], raw, steps: [step], refused: { name, class: kind, reason } };
      }
      const { name, inputs, repairs } = read.value;
      const steps = repairs.map(({ step, path, what }): Step => ({ kind: 'mended', step, tool: name, path, what }));
      const tokens = inputs.flatMap(specialTokensIn);
      const what = tokens.join(' ');
      const warned: Step[] = what === '' ? [] : [{ kind: 'warned', step: 'special.token', tool: name, what }];
      return { name, inputs, raw, steps: [...steps, ...warned] };
    },
    nameOf: (spelled) => {
      // A text full of tags asks for the same few words thousands of times.
      if (known.size > 1000) known.clear();
      if (!known.has(spelled)) {
        const resolved = resolveToolName(spelled, names, off);
        known.set(spelled, 'name' in resolved ? resolved.name : undefined);
      }
      return known.get(spelled);
    },
  };
}
