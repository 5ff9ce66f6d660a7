/** Whether a value fits a schema, and where it does not. */
import {
  branchesOf,
  type Issue,
  isKind,
  isObject,
  itemSchema,
  kindsOf,
  listOf,
  matches,
  memberSchema,
  never,
  requiredOf,
  resolve,
  type Schema,
  type SchemaRules,
} from './node.ts';
import { wantedOf } from './wanted.ts';

export interface Spot {
  readonly path: readonly string[];
  readonly rules: SchemaRules;
}

const depthAtMost = 120;

/** All that is wrong with `value`; empty if it fits. */
export function check(value: unknown, schemaOrReference: unknown, spot: Spot): Issue[] {
  const schema = resolve(schemaOrReference, spot.rules.root);
  if (schema === never || spot.path.length > depthAtMost)
    return [{ path: spot.path, kind: 'never', wanted: 'must not be there', got: value }];
  const own = checkOwn(value, schema, spot);
  if (own.length > 0) return own;
  const parts = checkParts(value, schema, spot);
  return parts.length > 0 ? parts : checkBranches(value, schema, spot);
}

/** The same as one answer, and without a word said: most values fit, and alternatives are only tried. */
export function fits(value: unknown, schemaOrReference: unknown, rules: SchemaRules, depth = 0): boolean {
  const schema = resolve(schemaOrReference, rules.root);
  if (schema === never || depth > depthAtMost || ownFault(value, schema) !== undefined) return false;
  return partsFit(value, schema, { rules, depth: depth + 1 }) && branchesFit(value, schema, { rules, depth });
}

interface Level {
  readonly rules: SchemaRules;
  readonly depth: number;
}

function partsFit(value: unknown, schema: Schema, { rules, depth }: Level): boolean {
  if (Array.isArray(value)) return value.every((item, index) => fits(item, itemSchema(schema, index), rules, depth));
  if (!isObject(value)) return true;
  if (!requiredOf(schema).every((name) => Object.hasOwn(value, name))) return false;
  return Object.keys(value).every((key) => {
    const inner = memberSchema(schema, key, rules);
    return inner !== undefined && fits(value[key], inner, rules, depth);
  });
}

function branchesFit(value: unknown, schema: Schema, { rules, depth }: Level): boolean {
  if (branchesOf(schema).length === 0 && schema['allOf'] === undefined) return true;
  const loose = { ...rules, isClosed: false };
  if (!listOf(schema['allOf']).every((part) => fits(value, part, loose, depth))) return false;
  const branches = branchesOf(schema);
  const inner = isObject(schema['properties']) ? loose : rules;
  return branches.length === 0 || branches.some((branch) => fits(value, branch, inner, depth));
}

/** Of the alternatives one must fit, of allOf each. */
export function checkBranches(value: unknown, schema: Schema, { path, rules }: Spot): Issue[] {
  if (branchesOf(schema).length === 0 && schema['allOf'] === undefined) return [];
  const loose = { ...rules, isClosed: false };
  const all = listOf(schema['allOf']).flatMap((part) => check(value, part, { path, rules: loose }));
  if (all.length > 0) return all;
  // Beside properties of its own, an alternative says which of them belong together.
  const inner = isObject(schema['properties']) ? loose : rules;
  const branches = branchesOf(schema);
  if (branches.length === 0 || branches.some((branch) => fits(value, branch, inner))) return [];
  return [{ path, kind: 'union', wanted: wantedOf(schema, rules.root), got: value }];
}

/** What the schema says about the value itself: kind, bounds, wording. */
export function checkOwn(value: unknown, schema: Schema, { path, rules }: Spot): Issue[] {
  const fault = ownFault(value, schema);
  if (!fault) return [];
  return [{ path, kind: fault.kind, wanted: fault.wanted ?? wantedOf(schema, rules.root), got: value }];
}

export const fitsOwn = (value: unknown, schema: Schema): boolean => ownFault(value, schema) === undefined;

const wrongKind = { kind: 'kind' } as const;
const wrongChoice = { kind: 'value' } as const;

function ownFault(value: unknown, schema: Schema): { kind: 'kind' | 'value'; wanted?: string } | undefined {
  const kinds = kindsOf(schema);
  if (value === null && schema['nullable'] === true) return undefined;
  if (kinds && !isKind(value, kinds)) return wrongKind;
  const choices = choicesOf(schema);
  if (choices && !choices.some((choice) => isSame(choice, value))) return wrongChoice;
  const wanted = brokenBound(value, schema);
  return wanted === undefined ? undefined : { kind: 'value', wanted };
}

/** The values of enum or const. */
export const choicesOf = (schema: Schema): readonly unknown[] | undefined =>
  'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : undefined;

const isSame = (left: unknown, right: unknown): boolean =>
  left === right || (typeof left === 'object' && left !== null && JSON.stringify(left) === JSON.stringify(right));

interface Bound {
  readonly key: string;
  readonly wanted: string;
  holds(size: number, limit: number): boolean;
}

const least = { wanted: 'at least', holds: (size: number, limit: number) => size >= limit };
const most = { wanted: 'at most', holds: (size: number, limit: number) => size <= limit };
const numberBounds: readonly Bound[] = [
  { key: 'minimum', ...least },
  { key: 'maximum', ...most },
  { key: 'exclusiveMinimum', wanted: 'more than', holds: (size, limit) => size > limit },
  { key: 'exclusiveMaximum', wanted: 'less than', holds: (size, limit) => size < limit },
  {
    key: 'multipleOf',
    wanted: 'a multiple of',
    holds: (size, limit) => limit <= 0 || Math.abs(size / limit - Math.round(size / limit)) < 1e-9,
  },
];
const sizeBounds = (suffix: string): readonly Bound[] => [
  { key: `min${suffix}`, ...least },
  { key: `max${suffix}`, ...most },
];
const numbers: Bounds = { bounds: numberBounds, unit: '' };
const lengths: Bounds = { bounds: sizeBounds('Length'), unit: ' characters' };
const items: Bounds = { bounds: sizeBounds('Items'), unit: ' items' };
const members: Bounds = { bounds: sizeBounds('Properties'), unit: ' members' };

function brokenBound(value: unknown, schema: Schema): string | undefined {
  if (typeof value === 'number') return firstBroken(schema, value, numbers);
  if (typeof value === 'string') {
    const pattern = schema['pattern'];
    if (typeof pattern === 'string' && !matches(pattern, value)) return `a text that matches ${pattern}`;
    const hasBound = 'minLength' in schema || 'maxLength' in schema;
    return hasBound ? firstBroken(schema, [...value].length, lengths) : undefined;
  }
  if (Array.isArray(value)) return firstBroken(schema, value.length, items);
  const hasBound = 'minProperties' in schema || 'maxProperties' in schema;
  return hasBound && isObject(value) ? firstBroken(schema, Object.keys(value).length, members) : undefined;
}

interface Bounds {
  readonly bounds: readonly Bound[];
  readonly unit: string;
}

function firstBroken(schema: Schema, size: number, { bounds, unit }: Bounds): string | undefined {
  for (const { key, wanted, holds } of bounds) {
    const limit = schema[key];
    if (typeof limit === 'number' && !holds(size, limit)) return `${wanted} ${limit}${unit}`;
  }
  return undefined;
}

function checkParts(value: unknown, schema: Schema, { path, rules }: Spot): Issue[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) =>
      check(item, itemSchema(schema, index), { path: [...path, `${index}`], rules }),
    );
  }
  if (!isObject(value)) return [];
  const absent = requiredOf(schema).filter((name) => !Object.hasOwn(value, name));
  return [
    ...absent.map((name) => missing(schema, name, { path, rules })),
    ...Object.entries(value).flatMap(([key, member]) => {
      const inner = memberSchema(schema, key, rules);
      const at = [...path, key];
      return inner === undefined ? [unknown(at, member)] : check(member, inner, { path: at, rules });
    }),
  ];
}

export const unknown = (path: readonly string[], got: unknown): Issue => ({
  path,
  kind: 'unknown',
  wanted: 'no such parameter',
  got,
});

export function missing(schema: Schema, name: string, { path, rules }: Spot): Issue {
  const inner = memberSchema(schema, name, rules);
  return { path: [...path, name], kind: 'missing', wanted: wantedOf(resolve(inner, rules.root), rules.root) };
}
