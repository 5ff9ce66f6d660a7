import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveToolName } from './name/resolve.ts';
import { readArguments, readInput } from './read.ts';
import { check } from './schema/check.ts';
import { isObject, listOf, propertiesOf, requiredOf, type Schema } from './schema/node.ts';

const isLong = process.env['SMEW_TEST_LONG'] !== undefined;
/** The long form: a million texts, and calls to match. */
const scale = isLong ? 20 : 1;
const textScale = isLong ? 250 : 1;
const timeoutMs = isLong ? 1_200_000 : 20_000;

const leaf = fc.constantFrom<Schema>(
  { type: 'string' },
  { type: 'integer' },
  { type: 'number', minimum: 0 },
  { type: 'boolean' },
  { type: ['string', 'null'] },
  { type: 'string', enum: ['fast', 'full', 'in_progress'] },
  { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  {},
);
const names = [
  'path',
  'content',
  'old',
  'new',
  'command',
  'edits',
  'limit',
  'all',
  'pattern',
  'query',
  'file',
  'input',
  'a b',
];

const { schema: anySchema } = fc.letrec<{ schema: Schema; object: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie('object'),
    tie('schema').map((items): Schema => ({ type: 'array', items })),
  ),
  object: objectOf(tie('schema')),
}));
const toolSchema = objectOf(anySchema);

function objectOf(inner: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc
    .dictionary(fc.constantFrom(...names), inner, { maxKeys: 5 })
    .chain((properties) =>
      fc.subarray(Object.keys(properties)).map((required): Schema => ({ type: 'object', properties, required })),
    );
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('null', '5', 'true', '', '[1]', '{"a":1}', 'a.ts', '["x"]', '`a`', 'C:\\temp'),
);

const asSchema = (value: unknown): Schema => (isObject(value) ? value : {});

/** A value that fits the schema. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const choices = listOf(schema['enum']);
  const branches = listOf(schema['anyOf']);
  if (choices.length > 0) return fc.constantFrom(...choices);
  if (branches.length > 0) return fc.oneof(...branches.map((branch) => fitting(asSchema(branch))));
  switch (schema['type']) {
    case 'integer':
      return fc.maxSafeInteger();
    case 'number':
      return fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(asSchema(schema['items'])), { maxLength: 4 });
    case 'object':
      return members(schema);
    case undefined:
      return fc.oneof(text, fc.integer(), fc.constant(null));
    default:
      return text;
  }
}

function members(schema: Schema): fc.Arbitrary<unknown> {
  const inner = Object.entries(propertiesOf(schema)).map(([key, member]) => [key, fitting(asSchema(member))] as const);
  const required = [...requiredOf(schema)];
  return fc.record(Object.fromEntries(inner), { requiredKeys: required });
}

const validCall = toolSchema.chain((schema) => fitting(schema).map((value) => ({ schema, value })));
const options = { tool: 'tool' };

describe('a valid input', () => {
  it(
    'is handed on as it is, and nothing is recorded',
    () => {
      fc.assert(
        fc.property(validCall, ({ schema, value }) => {
          const read = readArguments(JSON.stringify(value), schema, options);
          expect(read).toEqual({ ok: true, value: { inputs: [JSON.parse(JSON.stringify(value))], repairs: [] } });
        }),
        { seed: 41, numRuns: 600 * scale },
      );
    },
    timeoutMs,
  );

  it(
    'is the very same value when it came as one',
    () => {
      fc.assert(
        fc.property(validCall, ({ schema, value }) => {
          const read = readInput(value, schema, options);
          expect(read.ok && read.value.inputs[0] === value).toBe(true);
        }),
        { seed: 42, numRuns: 300 * scale },
      );
    },
    timeoutMs,
  );
});

/** What small models do to JSON and to values. */
const mishap = fc.constantFrom<(value: unknown) => string>(
  (value) => JSON.stringify({ arguments: value }),
  (value) => JSON.stringify(JSON.stringify(value)),
  (value) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``,
  (value) => JSON.stringify(value).replace(/}$/, ',}'),
  (value) => JSON.stringify(value).slice(0, -1),
  (value) => `${JSON.stringify(value)}}`,
  (value) => JSON.stringify(value).replaceAll('\\n', '\n'),
  (value) => JSON.stringify(value).replaceAll('"', "'"),
  (value) => JSON.stringify(value).replaceAll('\\\\', '\\'),
  (value) => JSON.stringify(value).replaceAll('\\"', '"'),
  (value) => JSON.stringify(value).replaceAll(':', ' : ').replaceAll(',', ' '),
  (value) =>
    JSON.stringify(value, (_, inner) =>
      typeof inner === 'number' || typeof inner === 'boolean' ? String(inner) : inner,
    ),
  (value) => JSON.stringify(value, (_, inner) => (Array.isArray(inner) ? JSON.stringify(inner) : inner)),
  (value) => JSON.stringify(value, (_, inner) => (Array.isArray(inner) && inner.length === 1 ? inner[0] : inner)),
);

/** All letters and digits of a text, with its escapes decoded or not: what may never be lost or made up. */
const letters = (source: string): string =>
  source
    .replace(/\\u[0-9a-f]{4}/gi, '')
    .replace(/\\+[nrtbfu]?/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '');

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function expectSound(input: unknown, came: string, schema: Schema): void {
  expect(check(input, schema, { path: [], rules: { root: schema, isClosed: true } })).toEqual([]);
  const haystack = letters(came);
  for (const one of textsIn(input)) expect(haystack).toContain(letters(one));
}

describe('a broken input', () => {
  it(
    'comes out fitting the schema or not at all, with every text of it to be found in what came',
    () => {
      let mended = 0;
      fc.assert(
        fc.property(validCall, mishap, mishap, ({ schema, value }, first, second) => {
          const source = second(JSON.parse(JSON.stringify(value)));
          for (const came of [first(value), source]) {
            const read = readArguments(came, schema, options);
            if (!read.ok) continue;
            if (read.value.repairs.length > 0) mended++;
            for (const input of read.value.inputs) expectSound(input, came, schema);
          }
        }),
        { seed: 43, numRuns: 800 * scale },
      );
      expect(mended).toBeGreaterThan(400);
    },
    timeoutMs,
  );

  it(
    'never loses a text that is written to a file: it arrives whole, or the call is refused',
    () => {
      const schema: Schema = {
        type: 'object',
        properties: { path: { type: 'string' }, content: { type: 'string' } },
        required: ['path', 'content'],
      };
      const ways = [
        (json: string) => json.replaceAll('\\n', '\n').replaceAll('\\t', '\t'),
        (json: string) => json.replaceAll('\\"', '"'),
        (json: string) => json.slice(0, -1),
        (json: string) => json.replace(/}$/, ',}'),
        (json: string) => `Here: ${json} done`,
        (json: string) => json.replace(/"(path|content)":/g, '$1:'),
      ];
      const code = fc.array(
        fc.constantFrom(
          '"',
          "'",
          '\\',
          '\n',
          '\t',
          'a',
          'b: ',
          ', ',
          '{',
          '}',
          '[',
          ']',
          '// ',
          '# ',
          '`',
          '"x": ',
          '\\d+',
        ),
        { maxLength: 20 },
      );
      fc.assert(
        fc.property(code, fc.constantFrom(...ways), (parts, way) => {
          const value = { path: 'a.ts', content: parts.join('') };
          const read = readArguments(way(JSON.stringify(value)), schema, options);
          if (read.ok) expect(read.value.inputs).toEqual([value]);
        }),
        { seed: 44, numRuns: 3000 * scale },
      );
    },
    timeoutMs,
  );
});

describe('any text at all', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      edits: { type: 'array', items: { type: 'object', properties: { old: { type: 'string' } } } },
    },
    required: ['path'],
  };
  const noise = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ':',
      ',',
      '\\',
      'a',
      '1',
      ' ',
      '\n',
      '```',
      '//',
      '/*',
      '"path"',
      'null',
      '`',
      '\u201c',
      '\\u12',
      '<|',
    ),
    { maxLength: 40 },
  );

  it(
    'is read or refused, and never throws',
    () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            noise.map((parts) => parts.join('')),
            noise.map((parts) => `{"path":${parts.join('')}`),
          ),
          (came) => {
            const read = readArguments(came, schema, options);
            if (read.ok)
              for (const input of read.value.inputs)
                expect(check(input, schema, { path: [], rules: { root: schema, isClosed: true } })).toEqual([]);
            else expect(read.fault.message.length).toBeLessThan(4000);
            resolveToolName(came, ['read', 'write']);
          },
        ),
        { seed: 45, numRuns: 4000 * textScale },
      );
    },
    timeoutMs,
  );

  it('is never closed within a string, wherever it was cut', () => {
    const whole = '{"path":"src/a.ts","edits":[{"old":"say \\"hi\\", {b: 1}","all":true}]}';
    for (let length = 1; length < whole.length; length++) {
      const came = whole.slice(0, length);
      const read = readArguments(came, { ...schema, additionalProperties: true }, { tool: 'edit' });
      const isAfterValue =
        /["}\]e]$/.test(came) &&
        isDeepStrictEqual(came.match(/(?<!\\)"/g)?.length, (came.match(/(?<!\\)"/g)?.length ?? 0) & ~1);
      if (!isAfterValue) expect(read.ok, came).toBe(false);
      const cut = readArguments(came, schema, { tool: 'edit', isCut: true });
      expect(cut.ok ? came : cut.fault.class).toBe('cut');
    }
  });
});
