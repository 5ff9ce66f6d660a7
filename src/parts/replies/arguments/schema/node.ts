/** JSON Schema, as far as tools and MCP servers use it: what one schema says about one value, its parts left out. */
import { attemptSync, messageOf } from '../../../../base/attempt.ts';

export type Schema = Readonly<Record<string, unknown>>;
export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

export interface SchemaRules {
  readonly root: Schema;
  /** Where a schema names its properties and does not say whether others are allowed, none are. */
  readonly isClosed: boolean;
}

/** `wanted` is what the model is told. */
export interface Issue {
  readonly path: readonly string[];
  readonly kind: 'missing' | 'unknown' | 'kind' | 'value' | 'union' | 'never';
  readonly wanted: string;
  readonly got?: unknown;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const always: Schema = {};
export const never: Schema = { not: {} };
const referencesAtMost = 16;

/** The schema that `schema` stands for: local references followed, true and nonsense are "anything". */
export function resolve(schema: unknown, root: Schema): Schema {
  let at = schema;
  for (let step = 0; step < referencesAtMost; step++) {
    if (at === false) return never;
    if (!isObject(at)) return always;
    const reference = at['$ref'];
    if (typeof reference !== 'string') return at;
    at = reference.startsWith('#') ? lookUp(root, reference) : always;
  }
  return always;
}

function lookUp(root: Schema, reference: string): unknown {
  let at: unknown = root;
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined; // any object has any key
  }
  return at;
}

const decoded = (part: string): string =>
  /%[0-9a-f]{2}/i.test(part)
    ? part.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : part;

/** The kinds that `type` allows; undefined where it says nothing. */
export function kindsOf(schema: Schema): readonly string[] | undefined {
  const { type, nullable } = schema;
  const kinds =
    typeof type === 'string'
      ? [type]
      : Array.isArray(type)
        ? type.filter((kind) => typeof kind === 'string')
        : undefined;
  return kinds && nullable === true ? [...kinds, 'null'] : kinds;
}

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value === 'string' ? 'string' : 'boolean';
  return 'object';
}

export const isKind = (value: unknown, kinds: readonly string[]): boolean => {
  const kind = kindOf(value);
  return kinds.includes(kind) || (kind === 'integer' && kinds.includes('number'));
};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const propertiesOf = (schema: Schema): Schema =>
  isObject(schema['properties']) ? schema['properties'] : always;
export const requiredOf = (schema: Schema): readonly string[] => {
  const required = listOf(schema['required']);
  return required.every((name) => typeof name === 'string')
    ? required
    : required.filter((name) => typeof name === 'string');
};
/** The alternatives of anyOf and oneOf. */
export const branchesOf = (schema: Schema): readonly unknown[] => {
  const { anyOf, oneOf } = schema;
  return anyOf === undefined || oneOf === undefined ? listOf(anyOf ?? oneOf) : [...listOf(anyOf), ...listOf(oneOf)];
};

/** The schema of the member `key`; undefined where there may be none. */
export function memberSchema(schema: Schema, key: string, rules: SchemaRules): unknown {
  const properties = propertiesOf(schema);
  if (Object.hasOwn(properties, key)) return properties[key];
  const patterns = schema['patternProperties'];
  if (isObject(patterns)) {
    for (const [pattern, member] of Object.entries(patterns)) if (matches(pattern, key)) return member;
  }
  const additional = schema['additionalProperties'];
  if (additional === false) return isAlternative(schema, key, rules) ? always : undefined;
  if (additional !== undefined) return additional;
  const isOpen = !rules.isClosed || !isObject(schema['properties']) || isObject(patterns);
  return isOpen || isAlternative(schema, key, rules) ? always : undefined;
}

/** Named by one of the alternatives beside `properties`. */
const isAlternative = (schema: Schema, key: string, { root }: SchemaRules): boolean =>
  [...branchesOf(schema), ...listOf(schema['allOf'])].some((branch) =>
    Object.hasOwn(propertiesOf(resolve(branch, root)), key),
  );

/** The schema of item `index`. */
export function itemSchema(schema: Schema, index: number): unknown {
  const { items, prefixItems, additionalItems } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  if (!first) return items;
  return index < first.length ? first[index] : Array.isArray(items) ? additionalItems : items;
}

const patternTextAtMost = 4000;

/** A pattern that this engine does not know, or a text too long to try it on, matches. */
export function matches(pattern: string, text: string): boolean {
  // Nested repetition, by which a server's schema could hold the process, is not run.
  if (text.length > patternTextAtMost || /[+*}]\)[+*{]/.test(pattern)) return true;
  const expression = attemptSync(() => new RegExp(pattern), messageOf);
  return !expression.ok || expression.value.test(text);
}
