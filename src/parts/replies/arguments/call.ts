/** One call as it came on the wire: its name, then its arguments. */
import { fail, ok, type Result } from '../../../base/result.ts';
import type { ToolSpec } from '../../../protocol/model.ts';
import { explainName, resolveToolName } from './name/resolve.ts';
import { type ArgumentsRefusal, type ReadArguments, readArguments } from './read.ts';
import type { Repair, StepId } from './steps.ts';

export interface WireCall {
  readonly name: string;
  /** The text of the arguments. */
  readonly arguments: string;
}

export interface CallOptions {
  readonly isCut?: boolean;
  readonly disabled?: ReadonlySet<StepId>;
  /** Fields of a tool whose text is written to a file or run; undefined for the names that tools commonly use. */
  verbatimOf?(tool: string): readonly string[] | undefined;
  /** False for a foreign tool whose schema leaves `additionalProperties` out and means it. */
  isClosed?(tool: string): boolean;
}

export interface ReadCall extends ReadArguments {
  /** The declared name. */
  readonly name: string;
}

export interface CallRefusal extends Omit<ArgumentsRefusal, 'class'> {
  readonly class: ArgumentsRefusal['class'] | 'name';
  /** The declared name where it is known, else as it came. */
  readonly name: string;
}

export function readCall(
  call: WireCall,
  specs: readonly ToolSpec[],
  options: CallOptions = {},
): Result<ReadCall, CallRefusal> {
  const declared = specs.map(({ name }) => name);
  const resolved = resolveToolName(call.name, declared, options.disabled);
  const isInName = call.arguments.trim() === '' && resolved.rest !== '' && !options.disabled?.has('name.arguments');
  const text = isInName ? resolved.rest : call.arguments;
  const spec = 'name' in resolved ? specs.find(({ name }) => name === resolved.name) : undefined;
  if ('name' in resolved && spec) {
    const steps: readonly StepId[] = isInName ? [...resolved.steps, 'name.arguments'] : resolved.steps;
    return named(readWith(spec, text, options), spec, renamings(call.name, spec.name, steps));
  }
  const inferred = 'isEmpty' in resolved && resolved.isEmpty ? onlyFit(text, specs, options) : undefined;
  if (inferred) return named(inferred.read, inferred.spec, renamings(call.name, inferred.spec.name, ['name.inferred']));
  const near = 'nearest' in resolved ? resolved.nearest : [];
  return fail({ class: 'name', name: call.name, message: explainName(call.name, near, declared), issues: [] });
}

const readWith = (spec: ToolSpec, text: string, { isCut = false, disabled, verbatimOf, isClosed }: CallOptions) => {
  const verbatim = verbatimOf?.(spec.name);
  return readArguments(text, spec.parameters, {
    tool: spec.name,
    isCut,
    isClosed: isClosed?.(spec.name) ?? true,
    ...(disabled ? { disabled } : {}),
    ...(verbatim ? { verbatim } : {}),
  });
};

const renamings = (from: string, to: string, steps: readonly StepId[]): Repair[] =>
  steps.map((step) => ({ step, path: '', what: `"${from.slice(0, 60)}" read as ${to}` }));

function named(
  read: Result<ReadArguments, ArgumentsRefusal>,
  { name }: ToolSpec,
  renamed: readonly Repair[],
): Result<ReadCall, CallRefusal> {
  if (!read.ok) return fail({ ...read.fault, name });
  return ok({ name, inputs: read.value.inputs, repairs: [...renamed, ...read.value.repairs] });
}

/** The one tool that takes these arguments with nothing mended; an empty input fits too much to say anything. */
function onlyFit(text: string, specs: readonly ToolSpec[], options: CallOptions) {
  const fitting = specs.flatMap((spec) => {
    const read = readWith(spec, text, options);
    const isPlain =
      read.ok && read.value.repairs.length === 0 && read.value.inputs.some((input) => Object.keys(input).length > 0);
    return isPlain ? [{ spec, read }] : [];
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}
