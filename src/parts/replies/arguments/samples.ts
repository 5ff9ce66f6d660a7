/** Tools, and how a case about their arguments is checked. */
import { expect } from 'vitest';
import { type ArgumentsOptions, readArguments } from './read.ts';
import type { Schema } from './schema/node.ts';

export const text: Schema = { type: 'string' };
export const whole: Schema = { type: 'integer' };
const truth: Schema = { type: 'boolean' };
export const tool = (
  properties: Record<string, Schema>,
  required: readonly string[] = Object.keys(properties),
): Schema => ({
  type: 'object',
  properties,
  required,
});
export const listOf = (items: Schema): Schema => ({ type: 'array', items });

export const tools = {
  read: tool({ path: text, offset: whole, limit: whole }, ['path']),
  write: tool({ path: text, content: text }),
  edit: tool({
    path: text,
    edits: { ...listOf(tool({ old: text, new: text, all: truth }, ['old', 'new'])), minItems: 1 },
  }),
  replace: tool({ path: text, old: text, new: text }),
  bash: tool({ command: text, timeout_ms: whole, background: truth }, ['command']),
  task: tool({ prompt: text, mode: { type: 'string', enum: ['fast', 'in_progress'] } }, ['prompt']),
  grep: tool({ pattern: text, path: text, glob: text }, ['pattern']),
  sum: tool({ ids: listOf(whole) }),
  tags: tool({ tags: listOf(text) }),
  user: tool({ user: tool({ name: text, age: whole }), note: { type: ['string', 'null'] } }, ['user']),
  none: tool({}),
  price: tool({ price: { type: 'number', minimum: 0, maximum: 100 }, version: text }, []),
  union: tool({ to: { anyOf: [text, listOf(text)] } }),
  scale: tool({ level: { type: 'integer', default: 3 }, name: text }),
  page: tool({ content: { anyOf: [text, listOf(text)] } }),
  line: tool({ content: { type: 'string', pattern: '^[^\\u0000-\\u001f]*$' } }),
  local: tool({ path: { type: 'string', pattern: '^[^\\u0000-\\u001f`\\[]+$' } }),
} satisfies Record<string, Schema>;
export type ToolName = keyof typeof tools;

export type Case = readonly [tool: ToolName, came: string, wanted: object | 'cut' | 'syntax' | 'schema'];

/** `wanted` is the one input, an array of inputs, or the class of the refusal. */
export function expectCase([name, came, wanted]: Case, options: Partial<ArgumentsOptions> = {}): void {
  const read = readArguments(came, tools[name], { tool: name, ...options });
  if (typeof wanted === 'string') expect(read.ok ? read.value : read.fault.class).toBe(wanted);
  else expect(read.ok ? read.value.inputs : read.fault.message).toEqual(Array.isArray(wanted) ? wanted : [wanted]);
}
