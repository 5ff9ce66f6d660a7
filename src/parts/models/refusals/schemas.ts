/**
 * JSON Schemas for servers that know little of it. Whatever is left out only widens what a model may send: the tool's own
 * schema has the last word when the call comes. Nested objects become dotted names where they are refused; see `unflattened`.
 */
import { isObject } from '../loose.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What every vendor knows. */
const plainKeys: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'properties', 'required', 'items']);
const depthAtMost = 32;

/** References are resolved, unions reduced to what their members share, everything but the plainest words left out. */
export function simpleSchema(schema: Schema): Schema {
  const simple = simplified(schema, { root: schema, depth: 0, open: [] });
  return simple['type'] === 'object' ? simple : { type: 'object', properties: {} };
}

interface Place {
  readonly root: Schema;
  readonly depth: number;
  /** References that are being resolved: one that leads to itself ends as anything. */
  readonly open: readonly string[];
}

function simplified(value: unknown, place: Place): Schema {
  if (!isRecord(value) || place.depth > depthAtMost) return {};
  const reference = value['$ref'];
  if (typeof reference === 'string') {
    if (place.open.includes(reference)) return {};
    const target = targetOf(reference, place.root);
    const { $ref: _, ...beside } = value;
    return simplified({ ...target, ...beside }, { ...place, open: [...place.open, reference] });
  }
  const deeper = { ...place, depth: place.depth + 1 };
  const merged = withUnion(value, place);
  const kept = Object.fromEntries(Object.entries(merged).filter(([key]) => plainKeys.has(key)));
  const { properties, items, required } = kept;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  return {
    ...kept,
    ...typeOf(merged),
    ...(isRecord(properties) ? { properties: mapped(properties, (inner) => simplified(inner, deeper)) } : {}),
    ...(items === undefined ? {} : { items: simplified(Array.isArray(items) ? items[0] : items, deeper) }),
    ...(Array.isArray(required) ? { required: required.filter((name) => names.includes(String(name))) } : {}),
  };
}

function targetOf(reference: string, root: Schema): Schema {
  let target: unknown = root;
  for (const step of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = decodeURIComponent(step.replaceAll('~1', '/').replaceAll('~0', '~'));
    target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return isRecord(target) ? target : {};
}

/** One member beside null is that member; constants are an enum; members of one type keep it; others may be anything. */
function withUnion(schema: Schema, place: Place): Schema {
  const { anyOf, oneOf, allOf, const: constant, ...rest } = schema;
  if (constant !== undefined) return { ...rest, enum: [constant] };
  if (Array.isArray(allOf)) {
    const parts = allOf.filter(isRecord).map((part) => simplified(part, { ...place, depth: place.depth + 1 }));
    return parts.reduce<Schema>(joined, rest);
  }
  const members = [anyOf, oneOf].find(Array.isArray)?.filter(isRecord);
  if (!members) return rest;
  const real = members.map((part) => simplified(part, { ...place, depth: place.depth + 1 })).filter(isNotNull);
  const [first, ...others] = real;
  if (!first) return rest;
  if (others.length === 0) return { ...first, ...rest };
  if (real.every((member) => Array.isArray(member['enum'])))
    return { ...rest, ...sameType(real), enum: real.flatMap((member) => member['enum'] as unknown[]) }; // just tested
  return { ...rest, ...sameType(real) };
}

const isNotNull = ({ type }: Schema): boolean => type !== 'null';

const sameType = ([first, ...others]: readonly Schema[]): Schema =>
  first?.['type'] !== undefined && others.every(({ type }) => type === first['type']) ? { type: first['type'] } : {};

const joined = (left: Schema, right: Schema): Schema => ({
  ...left,
  ...right,
  ...(isRecord(left['properties']) && isRecord(right['properties'])
    ? { properties: { ...left['properties'], ...right['properties'] } }
    : {}),
  ...(Array.isArray(left['required']) && Array.isArray(right['required'])
    ? { required: [...new Set([...left['required'], ...right['required']])] }
    : {}),
});

function typeOf({ type, enum: values }: Schema): Schema {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null' && one !== undefined);
  if (types.length === 1) return { type: types[0] };
  if (types.length > 1) return {};
  return Array.isArray(values) && values.every((one) => typeof one === 'string') ? { type: 'string' } : {};
}

/** Without nested objects: `{user: {name}}` is asked for as `user.name`. Lists keep what is in them. */
export function flatSchema(schema: Schema): Schema {
  const simple = simpleSchema(schema);
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  collect(simple, { path: '', isRequired: true }, { properties, required });
  return { ...simple, properties, required };
}

interface Flat {
  readonly properties: Record<string, unknown>;
  readonly required: string[];
}

function collect(schema: Schema, { path, isRequired }: { path: string; isRequired: boolean }, flat: Flat): void {
  const needed = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [name, inner] of Object.entries(isRecord(schema['properties']) ? schema['properties'] : {})) {
    const at = path === '' ? name : `${path}.${name}`;
    const isNeeded = isRequired && needed.includes(name);
    if (isNested(name, inner)) collect(inner, { path: at, isRequired: isNeeded }, flat);
    else {
      flat.properties[at] = inner;
      if (isNeeded) flat.required.push(at);
    }
  }
}

/** An object with properties of its own, none of whose names holds the separator. */
const isNested = (name: string, schema: unknown): schema is Schema =>
  isRecord(schema) &&
  schema['type'] === 'object' &&
  isRecord(schema['properties']) &&
  Object.keys(schema['properties']).length > 0 &&
  ![name, ...Object.keys(schema['properties'])].some((key) => key.includes('.'));

/** An input in the words of the flat schema. An empty optional object is the same as none. */
export function flattened(input: unknown, schema: Schema): unknown {
  if (!isRecord(input)) return input;
  const flat: [string, unknown][] = [];
  const walk = (value: Schema, node: Schema, path: string): void => {
    const properties = isRecord(node['properties']) ? node['properties'] : {};
    for (const [name, inner] of Object.entries(value)) {
      const at = path === '' ? name : `${path}.${name}`;
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (isRecord(inner) && isNested(name, own)) walk(inner, own, at);
      else flat.push([at, inner]);
    }
  };
  walk(input, simpleSchema(schema), '');
  return Object.fromEntries(flat);
}

/** The way back: dotted names become objects again where the schema nests them. */
export function unflattened(input: unknown, schema: Schema): unknown {
  return isRecord(input) ? nested(input, simpleSchema(schema), '') : input;
}

function nested(input: Schema, node: Schema, path: string): Schema {
  const properties = isRecord(node['properties']) ? node['properties'] : {};
  const needed = Array.isArray(node['required']) ? node['required'] : [];
  const own: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(properties)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (!isNested(name, inner)) {
      if (Object.hasOwn(input, at)) own.push([name, input[at]]);
    } else if (Object.hasOwn(input, at)) own.push([name, input[at]]);
    else {
      const value = nested(input, inner, at);
      if (hasLeaf(value) || needed.includes(name)) own.push([name, value]);
    }
  }
  if (path !== '') return Object.fromEntries(own);
  // What the schema does not know stays where it is: the tool says what it thinks of it.
  const taken = namesIn(node, '');
  return Object.fromEntries([...own, ...Object.entries(input).filter(([name]) => !taken.has(name))]);
}

/** Something beside objects within objects. */
const hasLeaf = (value: unknown): boolean => (isRecord(value) ? Object.values(value).some(hasLeaf) : true);

function namesIn(node: Schema, path: string): Set<string> {
  const names = new Set<string>();
  for (const [name, inner] of Object.entries(isRecord(node['properties']) ? node['properties'] : {})) {
    const at = path === '' ? name : `${path}.${name}`;
    names.add(at);
    if (isNested(name, inner)) for (const one of namesIn(inner, at)) names.add(one);
  }
  return names;
}

const isRecord = (value: unknown): value is Schema => isObject(value);

const mapped = (object: Schema, change: (value: unknown) => unknown): Schema =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
