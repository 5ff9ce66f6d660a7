/** Tools and a small strict validator for tests of the salvage. */
import { attemptSync, messageOf } from '../../../../base/attempt.ts';
import type { ToolSpec } from '../../../../protocol/model.ts';
import type { Admit } from '../part.ts';
import { isRecord, propertiesOf } from '../source.ts';

const tool = (name: string, properties: Record<string, unknown>, required: readonly string[]): ToolSpec => ({
  name,
  description: '',
  parameters: { type: 'object', properties, required, additionalProperties: false },
});
const text = { type: 'string' };

export const tools: readonly ToolSpec[] = [
  tool('read', { path: text, limit: { type: 'integer' }, raw: { type: 'boolean' } }, ['path']),
  tool('write', { path: text, content: text }, ['path', 'content']),
  tool('bash', { command: text, timeout: { type: 'number' } }, ['command']),
  tool('list', { dir: text }, []),
  tool('multi_edit', { path: text, edits: { type: 'array', items: { type: 'object' } } }, ['path', 'edits']),
];

export function admitFor(specs: readonly ToolSpec[]): Admit {
  return (name, rawArguments) => {
    const spec = specs.find((one) => one.name === name);
    const parsed = attemptSync(() => JSON.parse(rawArguments) as unknown, messageOf);
    return spec && parsed.ok && fits(parsed.value, spec.parameters) ? { input: parsed.value } : undefined;
  };
}

function fits(value: unknown, parameters: Readonly<Record<string, unknown>>): boolean {
  const properties = propertiesOf(parameters);
  const { required } = parameters;
  if (!isRecord(value)) return false;
  const names = Array.isArray(required) ? required : [];
  if (names.some((name) => typeof name === 'string' && !Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([key, member]) => isOfType(member, properties[key]));
}

function isOfType(value: unknown, schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  if (schema['type'] === 'integer') return Number.isInteger(value);
  if (schema['type'] === 'array') return Array.isArray(value);
  return schema['type'] === undefined || typeof value === schema['type'];
}
