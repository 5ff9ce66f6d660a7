/**
 * JSON Schema in the words that Gemini's `parameters` knows: a subset of OpenAPI's. Every server of this wire takes it, of
 * any age; what it cannot say is left out and checked when the call arrives.
 */
import { isObject, listOf, loose, textOf } from '../loose.ts';

type Keyword =
  | '$ref'
  | 'allOf'
  | 'anyOf'
  | 'const'
  | 'description'
  | 'enum'
  | 'format'
  | 'items'
  | 'nullable'
  | 'oneOf'
  | 'properties'
  | 'required'
  | 'type';

interface Place {
  readonly root: unknown;
  /** The references on the way here: a type that contains itself ends as a plain object. */
  readonly refs: readonly string[];
}

/** Undefined for a tool without parameters: an object without properties is refused. */
export function geminiSchema(schema: unknown): object | undefined {
  const { properties } = loose<Keyword>(schema);
  if (!isObject(properties) || Object.keys(properties).length === 0) return undefined;
  return simplified(schema, { root: schema, refs: [] });
}

function simplified(schema: unknown, place: Place): object {
  const { $ref: ref, ...own } = loose<Keyword>(schema);
  if (textOf(ref)) return referred(textOf(ref), own, place);
  const all = listOf(own.allOf);
  if (all.length > 0) return simplified(merged([{ ...own, allOf: undefined }, ...all]), place);
  const variants = variantsOf(own);
  return variants.length > 0 ? alternatives(own, variants, place) : plain(own, place);
}

function referred(ref: string, own: object, place: Place): object {
  const target = place.refs.includes(ref) ? undefined : resolved(ref, place.root);
  if (!isObject(target)) return { type: 'object', ...described(own) };
  return simplified({ ...target, ...own }, { ...place, refs: [...place.refs, ref] });
}

/** `#/$defs/name` and the like; nothing outside of the schema. */
function resolved(ref: string, root: unknown): unknown {
  if (!ref.startsWith('#/')) return undefined;
  const steps = ref.slice(2).split('/');
  return steps.reduce<unknown>((at, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(at) && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
  }, root);
}

function merged(schemas: readonly unknown[]): object {
  const objects = schemas.filter(isObject);
  const properties = objects.map((one) => loose<Keyword>(one).properties).filter(isObject);
  const required = objects.flatMap((one) => listOf(loose<Keyword>(one).required));
  return {
    ...Object.assign({}, ...objects),
    ...(properties.length > 0 ? { properties: Object.assign({}, ...properties) } : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
    allOf: undefined,
  };
}

/** The schemas of which one must fit: listed as such, or as several types. */
function variantsOf({ anyOf, oneOf, ...own }: ReturnType<typeof loose<Keyword>>): readonly unknown[] {
  const listed = [...listOf(anyOf), ...listOf(oneOf)];
  if (listed.length > 0) return listed;
  return Array.isArray(own.type) ? own.type.map((type: unknown) => ({ ...own, description: undefined, type })) : [];
}

const isNull = (variant: unknown): boolean => loose<Keyword>(variant).type === 'null';

/** A choice stands alone: beside `anyOf` no other field is allowed, so the description moves into its first branch. */
function alternatives(own: object, variants: readonly unknown[], place: Place): object {
  const branches = variants.filter((variant) => !isNull(variant)).map((variant) => simplified(variant, place));
  const nullable = variants.some(isNull) ? { nullable: true } : {};
  const [first = { type: 'string' }, ...others] = branches;
  const told = { ...first, ...described(own), ...nullable };
  return others.length === 0 ? told : { anyOf: [told, ...others] };
}

function plain(own: ReturnType<typeof loose<Keyword>>, place: Place): object {
  const type = typeOf(own);
  const { nullable } = own;
  return {
    type,
    ...described(own, otherValues(own, type)),
    ...(nullable === true ? { nullable } : {}),
    ...valuesOf(own, type),
    ...formatOf(own, type),
    ...bounds(own),
    ...(type === 'object' ? fieldsOf(own, place) : {}),
    ...(type === 'array' ? { items: simplified(own.items ?? {}, place) } : {}),
  };
}

function typeOf({ type, properties, items, enum: values, const: only }: ReturnType<typeof loose<Keyword>>): string {
  if (textOf(type)) return textOf(type);
  if (properties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  const [value] = only === undefined ? listOf(values) : [only];
  return typeof value === 'number' || typeof value === 'boolean' ? typeof value : 'string';
}

const allowed = ({ enum: values, const: only }: ReturnType<typeof loose<Keyword>>): readonly unknown[] =>
  only === undefined ? listOf(values) : [only];

/** Only texts may be listed. */
const valuesOf = (own: ReturnType<typeof loose<Keyword>>, type: string): object =>
  type === 'string' && allowed(own).length > 0 ? { enum: allowed(own).filter((value) => value !== null) } : {};

const otherValues = (own: ReturnType<typeof loose<Keyword>>, type: string): string =>
  type !== 'string' && allowed(own).length > 0 ? `One of ${allowed(own).map(String).join(', ')}.` : '';

function described(own: object, more = ''): object {
  const text = [textOf(loose<Keyword>(own).description), more].filter((part) => part !== '').join(' ');
  return text === '' ? {} : { description: text };
}

const formats: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time'],
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

const formatOf = ({ format }: ReturnType<typeof loose<Keyword>>, type: string): object =>
  formats[type]?.includes(textOf(format)) ? { format } : {};

function bounds(own: object): object {
  const kept = ['minimum', 'maximum', 'minItems', 'maxItems'];
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => kept.includes(name) && isSmall(value)));
}

const isSmall = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function fieldsOf({ properties, required }: ReturnType<typeof loose<Keyword>>, place: Place): object {
  if (!isObject(properties)) return {};
  const fields = Object.entries(properties).map(([name, field]) => [name, simplified(field, place)] as const);
  if (fields.length === 0) return {};
  const needed = listOf(required).filter((name) => typeof name === 'string' && Object.hasOwn(properties, name));
  return { properties: Object.fromEntries(fields), ...(needed.length > 0 ? { required: needed } : {}) };
}
