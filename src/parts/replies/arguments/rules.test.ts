import { describe, expect, it } from 'vitest';
import { type ArgumentsOptions, readArguments, readInput } from './read.ts';
import { type Case, expectCase, listOf, type ToolName, text, tool, tools, whole } from './samples.ts';
import type { Schema } from './schema/node.ts';

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
