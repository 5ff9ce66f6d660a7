import { describe, expect, it } from 'vitest';
import { type ArgumentsOptions, readArguments, readInput } from './read.ts';
import type { Schema } from './schema/node.ts';

const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer' };
const truth: Schema = { type: 'boolean' };
const tool = (properties: Record<string, Schema>, required: readonly string[] = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});
const listOf = (items: Schema): Schema => ({ type: 'array', items });

const tools = {
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
  local: tool({ path: { type: 'string', pattern: '^[^\\u0000-\\u001f`\\[]+$' } }),
} satisfies Record<string, Schema>;
type ToolName = keyof typeof tools;

type Case = readonly [tool: ToolName, came: string, wanted: object | 'cut' | 'syntax' | 'schema'];

/** `wanted` is the one input, an array of inputs, or the class of the refusal. */
function expectCase([name, came, wanted]: Case, options: Partial<ArgumentsOptions> = {}): void {
  const read = readArguments(came, tools[name], { tool: name, ...options });
  if (typeof wanted === 'string') expect(read.ok ? read.value : read.fault.class).toBe(wanted);
  else expect(read.ok ? read.value.inputs : read.fault.message).toEqual(Array.isArray(wanted) ? wanted : [wanted]);
}

const mended: readonly Case[] = [
  // JSON
  ['write', '{"path":"a","content":"one\ntwo\tthree"}', { path: 'a', content: 'one\ntwo\tthree' }],
  ['write', '{"path":"a","content":"x",}', { path: 'a', content: 'x' }],
  ['write', '{"path":"a",,"content":"x"}', { path: 'a', content: 'x' }],
  ['write', '{"path":"a","content":"x"', { path: 'a', content: 'x' }],
  ['write', '{"path":"a","content":"x"}}}', { path: 'a', content: 'x' }],
  ['write', '{"path":"a"},"content":"x"}', { path: 'a', content: 'x' }],
  ['write', '"path":"a","content":"x"}', { path: 'a', content: 'x' }],
  ['write', "{'path': 'a', 'content': 'say \"hi\"'}", { path: 'a', content: 'say "hi"' }],
  ['write', "{'path': 'a', 'content': 'it\\'s'}", { path: 'a', content: "it's" }],
  ['write', '{"path":"a","content":"""x = "1"\ny"""}', { path: 'a', content: 'x = "1"\ny' }],
  ['write', '{"path":"a","content":`x = "1"`}', { path: 'a', content: 'x = "1"' }],
  ['write', '{"path":"a","content":"/\\d+/"}', { path: 'a', content: '/\\d+/' }],
  ['write', '{path:"a",content:"x"}', { path: 'a', content: 'x' }],
  ['write', '{"path":"a" "content":"x"}', { path: 'a', content: 'x' }],
  ['write', '{\u201cpath\u201d: \u201ca\u201d, \u201ccontent\u201d: \u201cx\u201d}', { path: 'a', content: 'x' }],
  ['write', '\ufeff{"path":"a",\u00a0"content":"x"}', { path: 'a', content: 'x' }],
  ['write', '{"path":"a", // where\n "content":"x" /* what */}', { path: 'a', content: 'x' }],
  ['write', '```json\n{"path":"a","content":"```\\nx"}\n```', { path: 'a', content: '```\nx' }],
  ['write', 'Here is the call:\n{"path":"a","content":"x"}\nDone.', { path: 'a', content: 'x' }],
  ['write', '{"path":"a","content":"x"}</tool_call>', { path: 'a', content: 'x' }],
  ['write', JSON.stringify('{"path":"a","content":"x"}'), { path: 'a', content: 'x' }],
  ['write', JSON.stringify(JSON.stringify('{"path":"a","content":"x"}')), { path: 'a', content: 'x' }],
  ['write', '{}{"path":"a","content":"x"}', { path: 'a', content: 'x' }],
  ['read', '{"path":"a"}{"path":"a"}', { path: 'a' }],
  ['read', '{"path":"a"}\n{"path":"b"}', [{ path: 'a' }, { path: 'b' }]],
  ['read', '{"path":"a"]}', { path: 'a' }],
  ['read', '{"path": src/a.ts, "limit": 5}', { path: 'src/a.ts', limit: 5 }],
  ['read', '{"path":"C:\\Docs\\new"}', { path: 'C:\\Docs\\new' }],
  ['read', '{"path"\uff1a"a"\uff0c"limit"\uff1a5}', { path: 'a', limit: 5 }],
  ['read', '{"path":"a"\n"limit":5}', { path: 'a', limit: 5 }],
  ['sum', '{"ids":[1,2,3}', { ids: [1, 2, 3] }],
  ['sum', '{"ids":[1 2 3]}', { ids: [1, 2, 3] }],
  ['sum', '{"ids":[1, 2,\n 3,]}', { ids: [1, 2, 3] }],
  ['bash', '{"command":"ls","background":True}', { command: 'ls', background: true }],
  ['bash', '{"command":"ls","background":None}', { command: 'ls' }],
  ['bash', '{"command":"grep \'\\.ts\' a"}', { command: "grep '\\.ts' a" }],
  ['task', '{"prompt":"say "hi" now"}', { prompt: 'say "hi" now' }],
  ['task', "{'prompt': 'it's here'}", { prompt: "it's here" }],
  ['none', '', {}],
  ['none', '  \n', {}],
  ['none', 'null', {}],
  ['none', '""', {}],
  ['none', '[]', {}],
  ['tags', '{"tags":"[\\"a\\""}', { tags: ['a'] }],
  // Shapes
  ['bash', '{"arguments":{"command":"ls"}}', { command: 'ls' }],
  ['bash', '{"kwargs":{"command":"ls"},"background":true}', { command: 'ls', background: true }],
  ['bash', '{"bash":{"command":"ls"}}', { command: 'ls' }],
  ['bash', '{"name":"bash","arguments":{"command":"ls"}}', { command: 'ls' }],
  ['bash', '{"type":"function","function":{"name":"bash","arguments":"{\\"command\\":\\"ls\\"}"}}', { command: 'ls' }],
  ['bash', '[{"command":"ls"}]', { command: 'ls' }],
  ['bash', '[{"command":"ls"},{"command":"pwd"}]', [{ command: 'ls' }, { command: 'pwd' }]],
  ['bash', '{"input":"ls -la"}', { command: 'ls -la' }],
  ['bash', '{"__arg1":"ls -la"}', { command: 'ls -la' }],
  ['sum', JSON.stringify({ ids: JSON.stringify(JSON.stringify([1, 2])) }), { ids: [1, 2] }],
  ['bash', '"ls -la"', { command: 'ls -la' }],
  ['tags', '["a","b"]', { tags: ['a', 'b'] }],
  ['task', '{"type":"object","properties":{"prompt":"go"},"required":["prompt"]}', { prompt: 'go' }],
  // Names
  ['write', '{"file_path":"a","file_text":"x"}', { path: 'a', content: 'x' }],
  ['write', '{"Path":"a","CONTENT":"x"}', { path: 'a', content: 'x' }],
  ['bash', '{"cmd":"ls","timeoutMs":5}', { command: 'ls', timeout_ms: 5 }],
  ['grep', '{"query":"x","directory":"src"}', { pattern: 'x', path: 'src' }],
  ['grep', '{"patern":"x"}', { pattern: 'x' }],
  ['replace', '{"filename":"a","old_string":"x","new_string":"y"}', { path: 'a', old: 'x', new: 'y' }],
  ['replace', '{"path":"a","search":"x","replace":"y"}', { path: 'a', old: 'x', new: 'y' }],
  ['replace', '{"path":"a","file_path":"a","old":"x","new":"y"}', { path: 'a', old: 'x', new: 'y' }],
  [
    'edit',
    '{"file":"a","old_str":"x","new_str":"y","replace_all":"true"}',
    { path: 'a', edits: [{ old: 'x', new: 'y', all: true }] },
  ],
  ['edit', '{"path":"a","edits":{"old":"x","new":"y"}}', { path: 'a', edits: [{ old: 'x', new: 'y' }] }],
  ['edit', '{"path":"a","changes":[{"search":"x","replace":"y"}]}', { path: 'a', edits: [{ old: 'x', new: 'y' }] }],
  ['edit', '{"edits":[{"path":"a","old":"x","new":"y"}]}', { path: 'a', edits: [{ old: 'x', new: 'y' }] }],
  ['edit', '{"path":"a","edits[0].old":"x","edits[0].new":"y"}', { path: 'a', edits: [{ old: 'x', new: 'y' }] }],
  [
    'replace',
    '{"path":"a","changes":[{"old":"x","new":"y"},{"old":"p","new":"q"}]}',
    [
      { path: 'a', old: 'x', new: 'y' },
      { path: 'a', old: 'p', new: 'q' },
    ],
  ],
  ['user', '{"user.name":"Ann","user.age":5}', { user: { name: 'Ann', age: 5 } }],
  ['bash', '{"command":"ls","description":"lists"}', { command: 'ls' }],
  ['bash', '{"command":"ls","cwd":""}', { command: 'ls' }],
  // Values
  ['read', '{"path":"a","offset":null,"limit":"50"}', { path: 'a', limit: 50 }],
  ['read', '{"path":"a","limit":"null"}', { path: 'a' }],
  ['read', '{"path":"a","limit":""}', { path: 'a' }],
  ['read', '{"path":"a","limit":"1,000"}', { path: 'a', limit: 1000 }],
  ['read', '{"path":"a","limit":"200 lines"}', { path: 'a', limit: 200 }],
  ['read', '{"path":"a","limit":[5]}', { path: 'a', limit: 5 }],
  ['read', '{"path":["a"]}', { path: 'a' }],
  ['read', '{"path":5}', { path: '5' }],
  ['read', '{"path":{"type":"string","value":"a"}}', { path: 'a' }],
  [
    'bash',
    '{"command":"ls","timeout_ms":"30s","background":"False"}',
    { command: 'ls', timeout_ms: 30_000, background: false },
  ],
  ['bash', '{"command":["bash","-lc","ls | wc"]}', { command: 'ls | wc' }],
  ['bash', '{"command":["git","status","--short"]}', { command: 'git status --short' }],
  ['task', '{"prompt":"go","mode":"In Progress"}', { prompt: 'go', mode: 'in_progress' }],
  ['sum', '{"ids":"[1, 2]"}', { ids: [1, 2] }],
  ['sum', '{"ids":7}', { ids: [7] }],
  ['sum', '{"ids":["7","8"]}', { ids: [7, 8] }],
  ['sum', '{"ids":{}}', { ids: [] }],
  ['sum', '{"ids":{"item":[1,2]}}', { ids: [1, 2] }],
  ['tags', '{"tags":"one two"}', { tags: ['one two'] }],
  ['tags', '{"tags":"[\'a\', \'b\']"}', { tags: ['a', 'b'] }],
  ['user', '{"user":"{\\"name\\":\\"Ann\\",\\"age\\":\\"5\\"}"}', { user: { name: 'Ann', age: 5 } }],
  ['price', '{"version":1.10,"price":"9.5"}', { version: '1.10', price: 9.5 }],
  ['price', '{"version":12345678901234567890}', { version: '12345678901234567890' }],
  ['union', '{"to":"[\\"a\\",\\"b\\"]"}', { to: ['a', 'b'] }],
  ['scale', '{"name":"x","level":null}', { name: 'x', level: 3 }],
  ['local', '{"path":"`a.ts`"}', { path: 'a.ts' }],
  ['local', '{"path":"[a.ts](a.ts)"}', { path: 'a.ts' }],
  ['local', '{"path":"C:\\temp\\a.txt"}', { path: 'C:\\temp\\a.txt' }],
];

/** Taken as they are: no mend may touch them. */
const valid: readonly (readonly [ToolName, object])[] = [
  ['write', { path: 'a', content: '{"a": [1, 2,]}' }],
  ['write', { path: 'a', content: '["x"]' }],
  ['write', { path: '`a`', content: '"quoted"' }],
  ['write', { path: 'C:\temp', content: 'C:\temp' }],
  ['write', { path: '[a](a)', content: '```json\n{}\n```' }],
  ['write', { path: '', content: '' }],
  ['write', { path: 'a', content: 'null' }],
  ['bash', { command: 'echo "[1]" \\d \u201cx\u201d', background: false }],
  ['bash', { command: '["ls"]' }],
  ['bash', { command: '{"command":"ls"}' }],
  ['read', { path: ' a ', offset: 0, limit: -1 }],
  ['task', { prompt: '[label]: text {draft} and more' }],
  ['task', { prompt: 'null', mode: 'fast' }],
  ['union', { to: '[not, json]' }],
  ['union', { to: '[1, 2]' }],
  ['union', { to: '[]' }],
  ['union', { to: ['["a"]'] }],
  ['user', { user: { name: 'Ann', age: 1 }, note: null }],
  ['user', { user: { name: '{"a":1}', age: 1 }, note: '' }],
  ['tags', { tags: ['["a"]', '', 'a, b'] }],
  ['tags', { tags: [] }],
  ['price', {}],
  ['none', {}],
];

const refused: readonly Case[] = [
  // An open string, number or bracket is a cut, whatever stands in it.
  ['write', '{"path":"a","content":"first half', 'cut'],
  ['write', '{"path":"a","content":"ends in a brace }', 'cut'],
  ['write', '{"path":"a","content":"ends in a quote \\"', 'cut'],
  ['write', '{"path":"a","content":"ends in a backslash \\', 'cut'],
  ['write', "{'path':'a','content':'half", 'cut'],
  ['write', '{"path":"a","content":`half', 'cut'],
  ['write', '{"path":"a",', 'cut'],
  ['write', '{"path":"a","content":', 'cut'],
  ['write', '{"path":"a","content"', 'cut'],
  ['write', '{"path":"a","con', 'cut'],
  ['write', '{', 'cut'],
  ['read', '{"path":"a","limit":10', 'cut'],
  ['bash', '{"command":"ls","background":tr', 'cut'],
  // Two readings.
  ['write', '{"path":"a","content":"say "hi" now"}', 'syntax'],
  ['write', '{"path":"a","content":"a", "b": "c"}', 'schema'],
  ['write', '{"path":"a","content":"x = "1", y"}', 'syntax'],
  ['write', "{'path':'a','content':'it's'}", 'syntax'],
  ['write', '{"path":"a","content":"\\d\\n"}', 'syntax'],
  ['write', '{"path":"a","content":"C:\\Docs\\new"}', 'syntax'],
  ['write', '{"path":"a","content":"it\\\'s"}', 'syntax'],
  ['write', '{"path":"a","content":hello world}', 'syntax'],
  ['write', '{"path":"a","content":`\\d`}', 'syntax'],
  ['write', `{"path":"a","content":\`\${x}\`}`, 'syntax'],
  ['write', '{"path":"a","content":"x" + "y"}', 'syntax'],
  ['write', '{"path":"a","content":open("x").read()}', 'syntax'],
  ['write', '{"path":"a","content":"x","content":"y"}', 'syntax'],
  ['task', '{"prompt":"say "a", then "b""}', 'syntax'],
  ['tags', '{"tags":["a" "b"]}', 'syntax'],
  ['tags', '{"tags":["a""b"]}', 'syntax'],
  ['read', 'I will read the file a.ts now.', 'syntax'],
  ['read', '{"path":"a"} and {"limit":5}', 'syntax'],
  ['read', '{"path":"a"},"b"', 'syntax'],
  ['read', 'read("a")', 'syntax'],
  // Nothing that fits.
  ['read', '', 'schema'],
  ['read', '{}', 'schema'],
  ['read', '{"path":null}', 'schema'],
  ['read', '{"path":{"a":1}}', 'schema'],
  ['read', '{"path":["a","b"]}', 'schema'],
  ['read', '{"path":"a","limit":"many"}', 'schema'],
  ['read', '{"path":"a","limit":5.5}', 'schema'],
  ['read', '{"path":"a","limit":true}', 'schema'],
  ['read', '{"path":"a","limit":"12345678901234567890"}', 'schema'],
  ['read', '{"path":"a","encoding":"utf-8"}', 'schema'],
  ['read', '{"a":"x","b":"y"}', 'schema'],
  ['write', '{"path":"a","content":{"name":"x"}}', 'schema'],
  ['write', '{"path":"a","content":["one","two"]}', 'schema'],
  ['write', '{"path":"a","content":5}', 'schema'],
  ['write', '{"path":"a","content":"x","text":"y"}', 'schema'],
  ['write', '{"path":"a","contents":"x","text":"y"}', 'schema'],
  ['replace', '{"path":"a","old":"x"}', 'schema'],
  ['replace', '{"path":"a","edits":[{"old":"x"},{"old":"p","new":"q"}]}', 'schema'],
  ['edit', '{"path":"a","edits":[]}', 'schema'],
  ['edit', '{"path":"a","edits":[{"path":"b","old":"x","new":"y"}]}', 'schema'],
  ['edit', '{"edits":[{"path":"a","old":"x","new":"y"},{"path":"b","old":"x","new":"y"}]}', 'schema'],
  ['edit', '{"path":"a","edits":"[{\\"old\\":\\"x\\",\\"new\\":\\"y"}', 'schema'],
  ['bash', '{"command":["ls","|","wc"]}', 'schema'],
  ['bash', '{"command":"ls","timeout":5}', 'schema'],
  ['bash', '{"command":"ls","background":"maybe"}', 'schema'],
  ['bash', '{"name":"write","arguments":{"command":"ls"}}', 'schema'],
  ['bash', '["ls","-la"]', 'schema'],
  ['task', '{"prompt":"go","mode":"slow"}', 'schema'],
  ['tags', '{"tags":"a.ts, b.ts"}', 'schema'],
  ['write', '{"content":"x" "path":"a"}', 'syntax'],
  ['tags', '{"tags":"[\\"a\\", \\"b"}', 'schema'],
  ['sum', '{"ids":[1,"x"]}', 'schema'],
  ['sum', '{"ids":"1 and 2"}', 'schema'],
  ['user', '{"user":{"name":"Ann","age":5,"role":"admin"}}', 'schema'],
  ['price', '{"price":101}', 'schema'],
  ['price', '{"price":"1,5"}', 'schema'],
  ['none', '{"a":1}', 'schema'],
  ['none', '5', 'schema'],
  ['bash', '{"foo":"ls"}', 'schema'],
  ['replace', '{"input":"x"}', 'schema'],
  ['bash', '{"input":{"command":"ls"},"command":"rm a"}', 'schema'],
];

describe('arguments that can be mended', () => {
  it.each(mended)('%s %s', (...row) => expectCase(row));

  it('are refused with a cut reply unless they are whole', () => {
    expectCase(['read', '{"path":"a"', 'cut'], { isCut: true });
    expectCase(['read', '', 'cut'], { isCut: true });
    expectCase(['read', '{"path":"a"}', { path: 'a' }], { isCut: true });
  });
});

describe('arguments that are right', () => {
  it.each(valid)('%s %j', (name, input) => {
    const read = readArguments(JSON.stringify(input), tools[name], { tool: name });
    expect(read).toEqual({ ok: true, value: { inputs: [input], repairs: [] } });
    const asValue = readInput(input, tools[name], { tool: name });
    expect(asValue.ok && asValue.value.inputs[0]).toBe(input);
  });
});

describe('arguments that nobody can read for sure', () => {
  it.each(refused)('%s %s', (...row) => expectCase(row));
});

describe('a schema of a server', () => {
  it('lets through what it does not name, where it is open', () => {
    expectCase(['read', '{"path":"a","extra":1}', { path: 'a', extra: 1 }], { isClosed: false });
    expectCase(['read', '{"filePath":"a","extra":1}', { path: 'a', extra: 1 }], { isClosed: false });
  });

  it.each<[string, Schema, unknown, object | 'refused']>([
    [
      'a reference',
      { ...tool({ at: { $ref: '#/$defs/point' } }), $defs: { point: tool({ x: whole }) } },
      { at: '{"x":"1"}' },
      { at: { x: 1 } },
    ],
    [
      'an endless reference',
      { ...tool({ at: { $ref: '#/$defs/a' } }), $defs: { a: { $ref: '#/$defs/a' } } },
      { at: 1 },
      { at: 1 },
    ],
    ['alternatives', tool({ at: { anyOf: [whole, { type: 'null' }] } }), { at: '5' }, { at: 5 }],
    [
      'alternatives of objects',
      tool({ at: { oneOf: [tool({ kind: { const: 'a' }, x: whole }), tool({ kind: { const: 'b' }, y: whole })] } }),
      { at: { kind: 'b', y: '5' } },
      { at: { kind: 'b', y: 5 } },
    ],
    [
      'required alternatives',
      { ...tool({ a: text, b: text }, []), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      'refused',
    ],
    ['parts of one', { allOf: [tool({ a: text }), tool({ b: whole })] }, { a: 'x', b: 1 }, { a: 'x', b: 1 }],
    ['nullable', tool({ a: { type: 'string', nullable: true } }), { a: null }, { a: null }],
    ['a fixed value', tool({ a: { const: 'yes' } }), { a: 'YES' }, { a: 'yes' }],
    ['a pattern that cannot be compiled', tool({ a: { type: 'string', pattern: '(' } }), { a: 'x' }, { a: 'x' }],
    ['a map', { type: 'object', additionalProperties: whole }, { a: '1' }, { a: 1 }],
    [
      'members by pattern',
      { type: 'object', properties: {}, patternProperties: { '^x': whole } },
      { x1: 'y' },
      'refused',
    ],
    ['a tuple', tool({ a: { type: 'array', prefixItems: [text, whole] } }), { a: ['x', '1'] }, { a: ['x', 1] }],
    ['no type at all', {}, { a: 1 }, { a: 1 }],
    [
      'a name that is dangerous in JavaScript',
      tool({ a: text }),
      JSON.parse('{"a":"x","__proto__":{"b":1}}'),
      'refused',
    ],
    ['a length', tool({ a: { type: 'string', minLength: 3 } }), { a: 'x' }, 'refused'],
    ['a number of items', tool({ a: { ...listOf(text), maxItems: 1 } }), { a: ['x', 'y'] }, 'refused'],
  ])('may hold %s', (_, schema, input, wanted) => {
    const read = readInput(input, schema, { tool: 'tool' });
    expect(read.ok ? read.value.inputs : 'refused').toEqual(wanted === 'refused' ? wanted : [wanted]);
  });
});

describe('what a tool calls verbatim', () => {
  it('is what it names, and nothing else', () => {
    expectCase(['task', '{"prompt":"say "hi" now"}', 'syntax'], { verbatim: ['prompt'] });
    expectCase(['write', '{"path":"a","content":"say "hi" now"}', { path: 'a', content: 'say "hi" now' }], {
      verbatim: [],
    });
  });
});

describe('a step', () => {
  it.each<[NonNullable<ArgumentsOptions['disabled']>, Case]>([
    [new Set(['json.commas']), ['read', '{"path":"a",}', 'syntax']],
    [new Set(['json.missing-closers']), ['read', '{"path":"a"', 'syntax']],
    [new Set(['json.quotes']), ['read', "{'path':'a'}", 'syntax']],
    [new Set(['json.inner-quotes']), ['task', '{"prompt":"say "hi" now"}', 'syntax']],
    [new Set(['json.empty']), ['read', '', 'schema']],
    [new Set(['shape.wrapper']), ['read', '{"input":{"path":"a"}}', 'schema']],
    [new Set(['key.alias']), ['bash', '{"cmd":"ls"}', 'schema']],
    [new Set(['key.narration']), ['bash', '{"command":"ls","description":"x"}', 'schema']],
    [new Set(['value.number']), ['read', '{"path":"a","limit":"5"}', 'schema']],
    [new Set(['value.union-list']), ['union', '{"to":"[\\"a\\"]"}', { to: '["a"]' }]],
    [new Set(['value.null']), ['read', '{"path":"a","limit":null}', 'schema']],
  ])('can be switched off (%#)', (disabled, row) => expectCase(row, { disabled }));
});

describe('a refusal', () => {
  const message = (name: ToolName, came: string): string => {
    const read = readArguments(came, tools[name], { tool: name });
    return read.ok ? '' : read.fault.message;
  };

  it('names the field, what came, what is wanted, and shows this very call', () => {
    expect(message('read', '{"path":"a.ts","limit":"many"}')).toBe(
      'read was not run. "limit" wants a whole number, got "many". Send it like this: {"path":"a.ts","limit":1}',
    );
    expect(message('replace', '{"path":"a.ts","old":"x"}')).toBe(
      'replace was not run. "new" is missing: it wants a string. Send it like this: {"path":"a.ts","old":"x","new":"<new>"}',
    );
    expect(message('read', '{"path":"a.ts","encoding":"utf-8"}')).toBe(
      'read was not run. There is no parameter "encoding" (got "utf-8"). Parameters of read: path (a string), offset (a whole number, optional), limit (a whole number, optional). Send it like this: {"path":"a.ts"}',
    );
    expect(message('task', '{"prompt":"go","mode":"slow"}')).toContain(
      '"mode" wants one of "fast", "in_progress", got "slow".',
    );
  });

  it('does not quote long text in part, lest it comes back in part', () => {
    const refusal = message('write', JSON.stringify({ path: 5.5, content: 'x'.repeat(500), mode: 1 }));
    expect(refusal).toContain('"content":"<content, as before>"');
    expect(refusal.length).toBeLessThan(400);
  });

  it('says where the text stops being JSON', () => {
    expect(message('write', '{"path":"a","content":"say "hi" now"}')).toMatch(
      /quotes in "content" that are not escaped .* at character \d+\. Send one JSON object, like this: \{"path":"<path>","content":"<content>"\}$/,
    );
  });
});
