/** Checks one layer: unknown keys are told and dropped, a wrong value is a fault. */
import type * as z from 'zod/mini';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { isTree, type Layer, type Path, valueAt, without } from './layer.ts';
import { nearest } from './nearest.ts';
import { Config, configJsonSchema } from './settings.ts';

export interface Checked {
  readonly layer: Layer;
  readonly notices: readonly string[];
}

export function checkLayer(layer: Layer): Result<Checked, Fault> {
  const parsed = Config.safeParse(layer.value);
  if (parsed.success) return ok({ layer, notices: [] });
  const unknown: Path[] = [];
  for (const issue of parsed.error.issues) {
    if (issue.code !== 'unrecognized_keys') return fail(wrongValue(layer, issue));
    unknown.push(...issue.keys.map((key) => [...pathOf(issue), key]));
  }
  const value = unknown.reduce(without, layer.value);
  return ok({ layer: { ...layer, value }, notices: unknown.map((path) => unknownKey(layer, path)) });
}

/** Symbols cannot stand in a file, so a path has none. */
const pathOf = ({ path }: z.core.$ZodIssue): Path => path.map((key) => (typeof key === 'symbol' ? String(key) : key));

function unknownKey(layer: Layer, path: Path): string {
  const siblings = schemaAt(path.slice(0, -1)).properties ?? {};
  const guess = nearest(String(path.at(-1)), Object.keys(siblings));
  const hint = guess ? ` Did you mean "${[...path.slice(0, -1), guess].join('.')}"?` : '';
  return `${layer.place(path)}: there is no setting "${path.join('.')}"; it is ignored.${hint}`;
}

function wrongValue(layer: Layer, issue: z.core.$ZodIssue): Fault {
  const path = pathOf(issue);
  const schema = schemaAt(path);
  const description = schema.description ? ` (${schema.description})` : '';
  const came = shown(path, valueAt(layer.value, path));
  return fault(
    'usage',
    `${layer.place(path)}: ${path.join('.')} is ${came}; wanted ${wanted(schema)}${description}. Correct the value or remove it.`,
  );
}

/** The part of the JSON Schema that speaks of `path`; empty where none does. */
function schemaAt(path: Path): SchemaPart {
  let here: unknown = configJsonSchema();
  for (const key of path) {
    const properties = valueAt(here, ['properties']);
    const isNamed = isTree(properties) && Object.hasOwn(properties, String(key));
    here = isNamed ? properties[String(key)] : (valueAt(here, ['additionalProperties']) ?? valueAt(here, ['items']));
  }
  return isTree(here) ? here : {};
}

/** What a message needs of a JSON Schema. */
type SchemaPart = Pick<
  z.core.JSONSchema.BaseSchema,
  'type' | 'properties' | 'description' | 'enum' | 'minimum' | 'maximum' | 'anyOf'
>;

function wanted(schema: SchemaPart): string {
  const words = schema.enum;
  if (words) return `one of ${words.join(', ')}`;
  if (schema.anyOf) return schema.anyOf.map((part) => wanted(part as SchemaPart)).join(' or '); // parts of a JSON Schema
  switch (schema.type) {
    case 'integer':
      return `a whole number of at least ${schema.minimum}`;
    case 'number':
      return `a number of at least ${schema.minimum}${'maximum' in schema ? ` and at most ${schema.maximum}` : ''}`;
    case 'string':
      return 'a text';
    case 'array':
      return 'a list of texts';
    case 'boolean':
      return 'true or false';
    case 'object':
      return 'settings below it, as name: value';
    default:
      return 'another value';
  }
}

/** Keys and headers hold secrets, which do not belong on a screen. */
function shown(path: Path, value: unknown): string {
  if (path[0] === 'provider') return 'not of the right kind';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
