/** Tools for models that have none: declared in the prompt, called in text, answered as text. Read back by the salvage. */
import type { Fragment, ToolSpec } from '../../../protocol/model.ts';
import { isRecord, propertiesOf } from './source.ts';

/** The prompt's part: how to call, and what there is. Tags and not JSON, so that code needs no escapes. */
export function toolsAsText(tools: readonly ToolSpec[]): Fragment {
  const [first] = tools;
  if (!first) return { name: 'tools.as-text', text: '' };
  const lines = [
    'You act by calling tools. To call one, end your reply with exactly this form, each value on lines of its own and written as it is:',
    '',
    exampleOf(first),
    '',
    'Several calls may follow each other. Write nothing after them: the results come in the next message, between <tool_response> ' +
      'and </tool_response>. Never write a result yourself. When the task is finished, answer without a call.',
    '',
    'The tools (? marks a parameter that may be left out):',
    ...tools.map(declared),
  ];
  return { name: 'tools.as-text', text: lines.join('\n') };
}

const declared = ({ name, description, parameters }: ToolSpec): string => {
  const { required } = parameters;
  const needed = Array.isArray(required) ? required : [];
  const list = Object.entries(propertiesOf(parameters)).map(
    ([key, schema]) => `${key}${needed.includes(key) ? '' : '?'}: ${typeOf(schema)}`,
  );
  return `- ${name}(${list.join(', ')})${description ? `: ${description.replace(/\s+/g, ' ').trim()}` : ''}`;
};

function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return 'any';
  const { type, enum: values, items } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return `JSON list of ${typeOf(items)}`;
  if (type === 'object') return `JSON object {${Object.keys(propertiesOf(schema)).join(', ')}}`;
  return typeof type === 'string' ? type : 'any';
}

const exampleOf = ({ name, parameters }: ToolSpec): string => {
  const keys = Object.keys(propertiesOf(parameters)).slice(0, 2);
  return callAsText({ name, input: Object.fromEntries(keys.map((key) => [key, `the ${key}`])) });
};

/** A call of the history in the form that the model was told. */
export function callAsText({ name, input }: { readonly name: string; readonly input?: unknown }): string {
  const members = isRecord(input) ? Object.entries(input) : [];
  const values = members.map(([key, value]) => `<parameter=${key}>\n${valueAsText(value)}\n</parameter>\n`);
  return `<tool_call>\n<function=${name}>\n${values.join('')}</function>\n</tool_call>`;
}

const valueAsText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

export interface AnsweredCall {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
}

/** The results of one reply's calls, in their order, as the next user message. */
export const resultsAsText = (results: readonly AnsweredCall[]): string =>
  results
    .map(({ name, ok, text }) => `<tool_response>\n${name} ${ok ? 'succeeded' : 'failed'}:\n${text}\n</tool_response>`)
    .join('\n');
