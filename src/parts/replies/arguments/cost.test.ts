import { describe, expect, it } from 'vitest';
import { readCall } from './call.ts';
import { resolveToolName } from './name/resolve.ts';
import { readArguments } from './read.ts';
import type { Schema } from './schema/node.ts';

/** The figures hold on a machine of one's own; beside others a test can only tell slow from hopeless. */
const isStrict = process.env['SMEW_TEST_LONG'] !== undefined;

const size = 100_000;
const fill = (unit: string): string => unit.repeat(Math.ceil(size / unit.length));
const list = (unit: string): string => `[${fill(`${unit},`).slice(0, -1)}]`;

const schema: Schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    note: { type: 'string' },
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { old: { type: 'string' }, new: { type: 'string' }, all: { type: 'boolean' } },
        required: ['old', 'new'],
      },
    },
    ids: { type: 'array', items: { type: 'integer' } },
    tree: { $ref: '#/$defs/tree' },
    either: {
      anyOf: [
        { type: 'array', items: { type: 'array', items: { type: 'array', items: { type: 'integer' } } } },
        { type: 'object', properties: { a: { type: 'array', items: { type: 'integer' } } } },
      ],
    },
  },
  required: ['path'],
  $defs: {
    tree: {
      type: 'object',
      properties: {
        children: { type: 'array', items: { $ref: '#/$defs/tree' } },
        next: { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'array', items: { $ref: '#/$defs/tree' } }] },
      },
    },
  },
};

/** Texts made to be slow for readers that look ahead, go back or recurse. */
const hostile: readonly (readonly [string, string])[] = [
  ['open brackets', fill('[')],
  ['open braces', fill('{"a":')],
  ['closed brackets', fill('[').slice(0, size / 2) + fill(']').slice(0, size / 2)],
  ['quotes', `{"note":"${fill('"')}`],
  ['quotes and blanks', `{"note":"${fill('"  ')}"}`],
  ['quotes before a long blank', `{"note":"${fill('" ').slice(0, 50_000)}${' '.repeat(50_000)}"}`],
  ['quotes and commas', `{"note":"${fill('", ')}"}`],
  ['quotes and closers', `{"note":"${fill('"}')}"}`],
  ['quotes and letters', `{"note":"${fill('"a')}"}`],
  ['quoted words', `{"note":"${fill('say "hi" ')}"}`],
  ['quotes and slashes', `{"note":"${fill('"/')}"}`],
  ['backslashes', `{"note":"${fill('\\')}"}`],
  ['odd escapes', `{"note":"${fill('\\d\\n')}"}`],
  ['single quotes', `{'note':'${fill("it's ")}'}`],
  ['triple quotes', `{"note":${fill('"""')}}`],
  ['triple quotes that stay open', `{"note":${fill('"""a ')}`],
  ['line breaks', `{"note":"${fill('a\n')}"}`],
  ['comments', `{"path":"a" ${fill('/* x */ ')}}`],
  ['comments that stay open', `{"path":"a" ${fill('/* ')}`],
  ['commas', `{${fill(',')}`],
  ['blanks', `{"path":"a"${fill('\u00a0')}}`],
  ['bare words', `{"path":"a","note": ${fill('word ')}}`],
  ['bare keys', `{${fill('a')}`],
  ['many bare keys', `{${fill('key1: 1, ')}}`],
  ['many keys', `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
  ['many null keys', `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":null`).join(',')}}`],
  ['many dotted keys', `{${Array.from({ length: 9_000 }, (_, index) => `"tree.k${index}":1`).join(',')}}`],
  ['many objects', fill('{"path":"a"}')],
  ['a list of a megabyte', `{"path":"a","ids":[${'"5",'.repeat(20_000)}1]}`],
  ['many different objects', Array.from({ length: 9000 }, (_, index) => `{"path":"${index}"}`).join('')],
  ['numbers as text', `{"path":"a","ids":${list('"5"')}}`],
  ['nothing that fits', `{"path":"a","ids":${list('"x"')}}`],
  ['lists as text', `{"path":"a","ids":${JSON.stringify(list('"5"'))}}`],
  ['edits in other words', `{"path":"a","edits":${list('{"old_string":"a","new_string":"b","replace_all":"true"}')}}`],
  ['edits that are wrong', `{"path":"a","edits":${list('{"x":1}')}}`],
  ['a batch', `{"items":${list('{"path":"a"}')}}`],
  ['a long chain', `{"path":"a","tree":${'{"next":['.repeat(45)}{}${']}'.repeat(45)}}`],
  ['a long chain with a fault at its end', `{"path":"a","tree":${'{"next":'.repeat(90)}5${'}'.repeat(90)}}`],
  ['lists in an alternative', `{"path":"a","either":${list('[["1"]]')}}`],
  ['wrappers', `${'{"arguments":'.repeat(90)}{"path":"a"}${'}'.repeat(90)}`],
  [
    'strings in strings',
    Array.from({ length: 12 }).reduce<string>((inner) => JSON.stringify(inner), `{"path":"${'a'.repeat(20)}"}`),
  ],
  ['prose', fill('I will read the file. ')],
  ['prose and brackets', fill('use {a} here ')],
  ['fences', fill('```json\n')],
  ['a valid call', JSON.stringify({ path: 'a', note: fill('line "one"\n\t') })],
];

/** Milliseconds of this thread's own work, the best of some: what else runs on the machine is not what is measured. */
function bestOf(runs: number, work: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

describe('reading 100 KB', () => {
  it.each(hostile)('of %s takes less than 100 ms', (_, text) => {
    const read = () => {
      readArguments(text, schema, { tool: 'tool' });
      resolveToolName(text, ['read', 'write']);
    };
    expect(bestOf(6, read)).toBeLessThan(isStrict ? 100 : 3000);
  });

  it('takes twice the time for twice the text', () => {
    const time = (text: string) => bestOf(5, () => readArguments(text, schema, { tool: 'tool' }));
    const text = (length: number) => `{'path': 'a', "note": "${'say "hi",now\n '.repeat(length)}"}`;
    time(text(1000));
    expect(time(text(16_000))).toBeLessThan(12 * time(text(4_000)) + 5);
  });
});

describe('reading a call of 10 KB', () => {
  it('costs well under a millisecond', () => {
    const text = JSON.stringify({
      path: 'a.ts',
      edits: [{ old: 'line one\n'.repeat(500), new: 'line "two"\n'.repeat(500) }],
    });
    const spec = { name: 'edit', description: '', parameters: { ...schema } };
    const call = () => readCall({ name: 'edit', arguments: text.slice(0, -1) }, [spec]);
    for (let run = 0; run < 200; run++) call();
    const each =
      bestOf(20, () => {
        for (let run = 0; run < 10; run++) call();
      }) / 10;
    expect(each).toBeLessThan(isStrict ? 1 : 30);
    if (process.env['SMEW_FIGURES']) console.log(`one mended call of ${text.length} characters: ${each.toFixed(3)} ms`);
  });
});
