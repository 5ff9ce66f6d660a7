/** A schema in a few words, and a value that fits it: what a refusal tells the model. */
import { branchesOf, isObject, kindsOf, propertiesOf, requiredOf, resolve, type Schema } from './node.ts';

const words: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};
const choicesAtMost = 20;

export function wantedOf(schema: Schema, root: Schema): string {
  if ('const' in schema) return shown(schema['const']);
  const choices = schema['enum'];
  if (Array.isArray(choices))
    return `one of ${choices.slice(0, choicesAtMost).map(shown).join(', ')}${choices.length > choicesAtMost ? ', ...' : ''}`;
  const branches = branchesOf(schema);
  if (branches.length > 0)
    return [...new Set(branches.slice(0, 8).map((branch) => shallow(resolve(branch, root))))].join(', or ');
  const kinds = kindsOf(schema) ?? [];
  const named = kinds.map((kind) => (kind === 'array' ? listWords(schema, root) : (words[kind] ?? kind)));
  return named.join(' or ') || 'any value';
}

const shallow = (schema: Schema): string =>
  'const' in schema || Array.isArray(schema['enum'])
    ? wantedOf(schema, {})
    : (kindsOf(schema) ?? []).map((kind) => words[kind] ?? kind).join(' or ') || 'another form';

const plural: Readonly<Record<string, string>> = {
  string: 'strings',
  number: 'numbers',
  integer: 'whole numbers',
  object: 'objects',
  array: 'lists',
};

function listWords(schema: Schema, root: Schema): string {
  const [kind] = kindsOf(resolve(schema['items'], root)) ?? [];
  const items = kind === undefined ? undefined : plural[kind];
  return items ? `a list of ${items}` : 'a list';
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'null';

const depthAtMost = 4;

/** A placeholder where nothing is known: `<path>` for text, the first choice, the smallest number. */
export function exampleOf(
  schemaOrReference: unknown,
  root: Schema,
  { name, depth = 0 }: { name: string; depth?: number },
): unknown {
  const schema = resolve(schemaOrReference, root);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if ('default' in schema) return schema['default'];
  const [branch] = branchesOf(schema);
  if (branch !== undefined && !kindsOf(schema)) return exampleOf(branch, root, { name, depth: depth + 1 });
  switch (kindsOf(schema)?.[0]) {
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return depth > depthAtMost ? [] : [exampleOf(schema['items'], root, { name, depth: depth + 1 })];
    case 'object':
      return depth > depthAtMost ? {} : exampleObject(schema, root, depth);
    default:
      return isObject(schema['properties']) && depth <= depthAtMost ? exampleObject(schema, root, depth) : `<${name}>`;
  }
}

function exampleObject(schema: Schema, root: Schema, depth: number): unknown {
  const properties = propertiesOf(schema);
  const required = requiredOf(schema);
  return Object.fromEntries(
    required.map((name) => [name, exampleOf(properties[name], root, { name, depth: depth + 1 })]),
  );
}

/** `path (string, required), offset (whole number)`. */
export function parameterList(schema: Schema, root: Schema): string {
  const required = new Set(requiredOf(schema));
  const names = Object.entries(propertiesOf(schema)).slice(0, 30);
  if (names.length === 0) return 'none';
  return names
    .map(
      ([name, inner]) => `${name} (${wantedOf(resolve(inner, root), root)}${required.has(name) ? '' : ', optional'})`,
    )
    .join(', ');
}
