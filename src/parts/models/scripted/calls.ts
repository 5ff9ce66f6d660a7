/** Neutral calls in the words of whatever tools a request offers, read from their names and JSON Schemas. */
import { isObject, listOf, loose, textOf } from '../loose.ts';
import { callIdOf, type ScriptedCall } from './turn.ts';

export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

interface Offered {
  readonly name: string;
  readonly schema: unknown;
}

/** Names in use for each operation and field, the commonest first. */
const toolNames: Readonly<Record<Exclude<ScriptedCall['op'], 'raw'>, readonly string[]>> = {
  read: ['read', 'read_file', 'view', 'view_file'],
  list: ['list', 'ls', 'list_directory', 'list_dir', 'list_files'],
  glob: ['glob', 'find', 'find_files', 'file_search'],
  grep: ['grep', 'search', 'search_files', 'search_file_content'],
  edit: ['edit', 'replace', 'edit_file', 'str_replace'],
  write: ['write', 'write_file', 'create_file'],
  bash: ['bash', 'shell', 'run_shell_command', 'run_command', 'execute_command'],
  todo: ['todo', 'todo_write', 'todowrite', 'update_plan'],
};
const fieldNames: Readonly<Record<string, readonly string[]>> = {
  path: ['path', 'file_path', 'filePath', 'absolute_path', 'file', 'filename', 'dir_path'],
  content: ['content', 'contents', 'file_text', 'text'],
  old: ['old', 'old_string', 'oldString', 'oldText', 'old_str'],
  new: ['new', 'new_string', 'newString', 'newText', 'new_str'],
  command: ['command', 'cmd'],
  pattern: ['pattern', 'query', 'regex'],
  glob: ['glob', 'include'],
  items: ['items', 'todos', 'plan'],
};

type ToolField = 'function' | 'name' | 'parameters' | 'input_schema' | 'parametersJsonSchema';

/** `tools` is the list of a request: each tool an object, or inside a `function`, with its schema under any known name. */
export function wireCalls(calls: readonly ScriptedCall[], turn: number, tools: unknown): WireCall[] {
  const offered = listOf(tools).map((tool): Offered => {
    const inner = loose<ToolField>(tool).function ?? tool;
    const { name, parameters, input_schema: input, parametersJsonSchema: json } = loose<ToolField>(inner);
    return { name: textOf(name), schema: parameters ?? input ?? json };
  });
  return calls.map((call, index) => ({ id: callIdOf(turn, index), ...wireCall(call, offered) }));
}

function wireCall(call: ScriptedCall, offered: readonly Offered[]): Omit<WireCall, 'id'> & { id?: string } {
  if (call.op === 'raw') {
    const { name, args = {}, rawArguments, id } = call;
    return { name, arguments: rawArguments ?? JSON.stringify(args), ...(id === undefined ? {} : { id }) };
  }
  const { op, ...fields } = call;
  const tool = toolNames[op].flatMap((name) => offered.filter((one) => one.name === name))[0];
  if (!tool) return { name: op, arguments: JSON.stringify(fields) };
  return { name: tool.name, arguments: JSON.stringify(inWordsOf(tool.schema, fields)) };
}

/** Renames fields to what the schema calls them; moves the pair of an edit into a list where the schema has one. */
function inWordsOf(schema: unknown, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = propertiesOf(schema);
  const { edits } = loose<'edits'>(properties);
  if ('old' in fields && isObject(edits)) {
    const { old, new: replacement, ...rest } = fields;
    const pair = inWordsOf(loose<'items'>(edits).items, { old, new: replacement });
    return { ...inWordsOf(schema, rest), edits: [pair] };
  }
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [nameIn(properties, field), value]));
}

const propertiesOf = (schema: unknown): unknown => loose<'properties'>(schema).properties;

const nameIn = (properties: unknown, field: string): string =>
  (isObject(properties) && fieldNames[field]?.find((name) => Object.hasOwn(properties, name))) || field;
