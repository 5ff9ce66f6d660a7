/** The input as a whole: inputs in wrappers, lists and bare scalars, and one call that is several. */

import { fitValue } from './fit/fit.ts';
import { clip, type Fitting, isEqual, isNothing } from './fit/fitting.ts';
import { type Members, without } from './fit/members.ts';
import { folded, wrappers } from './fit/words.ts';
import {
  type Issue,
  isObject,
  kindsOf,
  memberSchema,
  propertiesOf,
  requiredOf,
  resolve,
  type Schema,
} from './schema/node.ts';
import type { Repair, StepId } from './steps.ts';

export interface Shaped {
  /** What fits; one input for each call that was meant. */
  readonly inputs: readonly Members[];
  readonly repairs: readonly Repair[];
  /** Why nothing fits, and the reading that came nearest. */
  readonly issues: readonly Issue[];
  readonly nearest: unknown;
}

export interface Wanted {
  readonly tool: string;
  readonly schema: Schema;
  readonly fitting: Fitting;
}

interface Reading {
  readonly step: StepId;
  readonly inputs: readonly unknown[];
  readonly what: string;
}

const levelsAtMost = 6;
const callsAtMost = 50;

export function shape(value: unknown, wanted: Wanted, level = 0): Shaped {
  const direct = isObject(value) ? fitInput(value, wanted) : notAnObject(value);
  if (direct.issues.length === 0 || level >= levelsAtMost) return direct;
  let nearest = direct;
  for (const { step, inputs, what } of readingsOf(value, wanted)) {
    if (wanted.fitting.isOff(step)) continue;
    const parts = inputs.map((input) => shape(input, wanted, level + 1));
    const shaped = joined(parts, { step, path: '', what });
    if (shaped.issues.length === 0) return shaped;
    if (inputs.length === 1 && (!isObject(value) || shaped.issues.length < nearest.issues.length)) nearest = shaped;
  }
  return nearest;
}

function fitInput(value: Members, { schema, fitting }: Wanted): Shaped {
  const fitted = fitValue({ value, schema, path: [] }, fitting);
  const inputs = isObject(fitted.value) ? [fitted.value] : [];
  return { inputs, repairs: fitted.repairs, issues: fitted.issues, nearest: fitted.value };
}

const notAnObject = (value: unknown): Shaped => ({
  inputs: [],
  repairs: [],
  issues: [{ path: [], kind: 'kind', wanted: 'an object', got: value }],
  nearest: undefined,
});

const joined = (parts: readonly Shaped[], repair: Repair): Shaped => ({
  inputs: parts.flatMap(({ inputs }) => inputs),
  repairs: [repair, ...parts.flatMap(({ repairs }) => repairs)],
  issues: parts.flatMap(({ issues }) => issues),
  nearest: parts[0]?.nearest,
});

function readingsOf(value: unknown, wanted: Wanted): Reading[] {
  if (isObject(value))
    return [wholeCall, schemaEcho, wrapper, batch].flatMap((reading) => reading(value, wanted) ?? []);
  if (isNothing(value))
    return [{ step: 'shape.empty', inputs: [{}], what: `no parameters, written as ${clip(value)}` }];
  if (Array.isArray(value)) return [...listOfInputs(value), ...soleParameter(value, wanted, 'array')];
  if (typeof value !== 'string') return [];
  const decoded = /^\s*[[{"]/.test(value) ? wanted.fitting.decode(value, '') : undefined;
  if (decoded !== undefined) return [{ step: 'json.double-encoded', inputs: [decoded], what: 'JSON within a string' }];
  return /^\s*[[{]/.test(value) ? [] : soleParameter(value, wanted, 'string');
}

const listOfInputs = (value: readonly unknown[]): Reading[] =>
  value.length <= callsAtMost && value.every(isObject)
    ? [{ step: 'shape.list', inputs: value, what: `${value.length} inputs in a list` }]
    : [];

/** What has no name can only be the one parameter that is required and of its kind. */
function soleParameter(value: unknown, { schema, fitting: { rules } }: Wanted, kind: string): Reading[] {
  const [name, second] = requiredOf(schema);
  if (name === undefined || second !== undefined) return [];
  const inner = resolve(propertiesOf(schema)[name], rules.root);
  if (kindsOf(inner)?.includes(kind) !== true) return [];
  return [{ step: 'shape.scalar', inputs: [{ [name]: value }], what: `${clip(value)} for "${name}"` }];
}

const callNames = ['name', 'tool', 'toolname', 'function', 'functionname', 'recipientname'];
const callParts = new Set([...callNames, 'type', 'id', 'callid']);

/** `{"name": "bash", "arguments": {...}}`, if it is this tool that it names. */
function wholeCall(value: Members, { tool, schema, fitting }: Wanted): Reading | undefined {
  const keys = Object.keys(value).filter(
    (key) => memberSchema(schema, key, fitting.rules) === undefined || !Object.hasOwn(propertiesOf(schema), key),
  );
  const [body] = keys.filter((key) => isObject(value[key]) && callNames.includes(folded(key)));
  if (
    body !== undefined &&
    keys.every((key) => callParts.has(folded(key))) &&
    keys.length === Object.keys(value).length
  ) {
    return { step: 'shape.wrapper', inputs: [value[body]], what: `the call in "${body}"` };
  }
  const inner = keys.find((key) => wrappers.has(folded(key)));
  const named = keys.find((key) => callNames.includes(folded(key)) && typeof value[key] === 'string');
  if (inner === undefined || named === undefined || keys.length !== Object.keys(value).length) return undefined;
  const isCall = keys.every((key) => key === inner || callParts.has(folded(key)));
  const spelled = folded(String(value[named]));
  if (!isCall || !spelled.endsWith(folded(tool))) return undefined;
  const input = opened(value[inner], fitting);
  return input && { step: 'shape.wrapper', inputs: [input], what: `the whole call, its input in "${inner}"` };
}

const opened = (value: unknown, { decode }: Fitting): Members | undefined => {
  const inner = typeof value === 'string' && /^\s*[{["]/.test(value) ? decode(value, '') : value;
  if (Array.isArray(inner) && inner.length === 1 && isObject(inner[0])) return inner[0];
  return isObject(inner) ? inner : undefined;
};

/** The schema with values in the place of types. */
function schemaEcho(value: Members, { schema }: Wanted): Reading | undefined {
  const { type, properties, ...rest } = value;
  if (type !== 'object' || !isObject(properties) || Object.hasOwn(propertiesOf(schema), 'properties')) return undefined;
  const isEcho = Object.keys(rest).every((key) =>
    ['required', 'additionalProperties', '$schema', 'description', 'title'].includes(key),
  );
  const isDeclared = Object.keys(properties).every((key) => Object.hasOwn(propertiesOf(schema), key));
  return isEcho && isDeclared
    ? { step: 'shape.schema-echo', inputs: [properties], what: 'values written into the schema' }
    : undefined;
}

/** An undeclared key that holds the input: alone whatever its name, beside others if it is a known wrapper. */
function wrapper(value: Members, wanted: Wanted): Reading | undefined {
  const declared = propertiesOf(wanted.schema);
  const keys = Object.keys(value);
  const key = keys.find((name) => !Object.hasOwn(declared, name) && (keys.length === 1 || wrappers.has(folded(name))));
  if (key === undefined) return undefined;
  const inner = opened(value[key], wanted.fitting) ?? bareIn(value[key], key, wanted);
  if (inner === undefined) return undefined;
  const others = without(value, [key]);
  const collides = Object.entries(others).some(
    ([name, outer]) => Object.hasOwn(inner, name) && !isEqual(outer, inner[name]),
  );
  return collides
    ? undefined
    : { step: 'shape.wrapper', inputs: [{ ...others, ...inner }], what: `the input in "${key}"` };
}

/** `{"input": "ls"}` for a tool that wants one text: a wrapper around what has no name. */
function bareIn(value: unknown, key: string, wanted: Wanted): Members | undefined {
  if (
    typeof value !== 'string' ||
    !(wrappers.has(folded(key)) || /^_*arg_?[01]?$/.test(key)) ||
    /^\s*[[{"]/.test(value)
  )
    return undefined;
  const [reading] = soleParameter(value, wanted, 'string');
  const [input] = reading?.inputs ?? [];
  return isObject(input) ? input : undefined;
}

/** `{path, edits: [{old, new}, {old, new}]}` for a tool that takes one old and new: one call an entry, nothing dropped. */
function batch(value: Members, { schema, fitting }: Wanted): Reading | undefined {
  const { decode } = fitting;
  const missing = requiredOf(schema).some((name) => !Object.hasOwn(value, name));
  const [key, second] = Object.keys(value).filter((name) => !Object.hasOwn(propertiesOf(schema), name));
  if (!missing || key === undefined || second !== undefined) return undefined;
  const given = value[key];
  const entries: unknown = typeof given === 'string' && /^\s*\[/.test(given) ? decode(given, key) : given;
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > callsAtMost || !entries.every(isObject))
    return undefined;
  const others = without(value, [key]);
  const isClear = entries.every((entry) =>
    Object.entries(others).every(([name, outer]) => !Object.hasOwn(entry, name) || isEqual(outer, entry[name])),
  );
  const inputs = entries.map((entry) => ({ ...others, ...entry }));
  return isClear
    ? { step: 'shape.batch', inputs, what: `${inputs.length} calls, one for each of "${key}"` }
    : undefined;
}
