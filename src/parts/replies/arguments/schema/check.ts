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

export const fits = (value: unknown, schema: unknown, rules: SchemaRules): boolean =>
  check(value, schema, { path: [], rules }).length === 0;

/** Of the alternatives one must fit, of allOf each. */
export function checkBranches(value: unknown, schema: Schema, { path, rules }: Spot): Issue[] {
  const loose = { ...rules, isClosed: false };
  const all = listOf(schema['allOf']).flatMap((part) => check(value, part, { path, rules: loose }));
  if (all.length > 0) return all;
  const branches = branchesOf(schema);
  // Beside properties of its own, an alternative says which of them belong together.
  const inner = isObject(schema['properties']) ? loose : rules;
  if (branches.length === 0 || branches.some((branch) => fits(value, branch, inner))) return [];
  return [{ path, kind: 'union', wanted: wantedOf(schema, rules.root), got: value }];
}

/** What the schema says about the value itself: kind, bounds, wording. */
export function checkOwn(value: unknown, schema: Schema, { path, rules }: Spot): Issue[] {
  const issue = (kind: Issue['kind'], wanted: string): Issue[] => [{ path, kind, wanted, got: value }];
  const kinds = kindsOf(schema);
  const choices = choicesOf(schema);
  if (value === null && schema['nullable'] === true) return [];
  if (kinds && !isKind(value, kinds)) return issue('kind', wantedOf(schema, rules.root));
  if (choices && !choices.some((choice) => isSame(choice, value))) return issue('value', wantedOf(schema, rules.root));
  const broken = brokenBound(value, schema);
  return broken ? issue('value', broken) : [];
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
const boundsOf = (unit: string): readonly Bound[] => [
  { key: `min${unit}`, ...least },
  { key: `max${unit}`, ...most },
];
const units = {
  string: ['Length', 'characters'],
  array: ['Items', 'items'],
  object: ['Properties', 'members'],
} as const;

function brokenBound(value: unknown, schema: Schema): string | undefined {
  if (typeof value === 'number') return firstBroken(schema, value, { bounds: numberBounds, unit: '' });
  if (typeof value === 'string') {
    const pattern = schema['pattern'];
    if (typeof pattern === 'string' && !matches(pattern, value)) return `a text that matches ${pattern}`;
    const needsLength = 'minLength' in schema || 'maxLength' in schema;
    return needsLength ? sized(schema, [...value].length, units.string) : undefined;
  }
  if (Array.isArray(value)) return sized(schema, value.length, units.array);
  return isObject(value) ? sized(schema, Object.keys(value).length, units.object) : undefined;
}

const sized = (schema: Schema, size: number, [suffix, unit]: readonly [string, string]): string | undefined =>
  firstBroken(schema, size, { bounds: boundsOf(suffix), unit: ` ${unit}` });

function firstBroken(
  schema: Schema,
  size: number,
  { bounds, unit }: { bounds: readonly Bound[]; unit: string },
): string | undefined {
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
