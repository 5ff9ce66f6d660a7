/** Values of XML forms are text; the tool's schema says what was meant. Text for a string is kept byte for byte. */
import { attemptSync, messageOf } from '../../../base/attempt.ts';
import { isRecord } from './source.ts';

/** The value of `text` under `schema`; the text itself where it does not fit, so that validation can say so. */
export function typed(text: string, schema: unknown, isJson = false): unknown {
  const types = typesOf(schema);
  if (types.has('string')) return text === 'null' && types.has('null') ? null : text;
  if (types.size === 0 && !isJson) return text;
  const bare = text.trim();
  if (types.has('boolean') && /^(?:true|false)$/i.test(bare)) return bare.toLowerCase() === 'true';
  if (types.has('null') && /^(?:null|none)$/i.test(bare)) return null;
  const parsed = attemptSync(() => JSON.parse(bare) as unknown, messageOf);
  if (!parsed.ok) return text;
  // A number in quotes.
  if (typeof parsed.value === 'string' && types.size > 0 && parsed.value !== text) return typed(parsed.value, schema);
  return types.size === 0 || [...typesOfValue(parsed.value)].some((type) => types.has(type)) ? parsed.value : text;
}

/** Whether a value of this schema can never be text, so that its end cannot be missing unseen. */
export const isScalar = (schema: unknown): boolean => {
  const types = typesOf(schema);
  return types.size > 0 && [...types].every((type) => type === 'integer' || type === 'number' || type === 'boolean');
};

function typesOf(schema: unknown, depth = 0): ReadonlySet<string> {
  if (!isRecord(schema) || depth > 4) return new Set();
  const { type, enum: values, anyOf, oneOf } = schema;
  if (typeof type === 'string') return new Set([type]);
  if (Array.isArray(type)) return new Set(type.filter((one): one is string => typeof one === 'string'));
  if (Array.isArray(values)) return new Set(values.flatMap((value) => [...typesOfValue(value)]));
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  return new Set(choices.flatMap((choice) => [...typesOf(choice, depth + 1)]));
}

function typesOfValue(value: unknown): ReadonlySet<string> {
  if (value === null) return new Set(['null']);
  if (Array.isArray(value)) return new Set(['array']);
  if (typeof value === 'number') return new Set(Number.isInteger(value) ? ['integer', 'number'] : ['number']);
  return new Set([typeof value]);
}
