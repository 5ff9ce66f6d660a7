import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flatSchema, flattened, simpleSchema, unflattened } from './schemas.ts';

/** Objects within objects, with values that fit. */
const name = fc.constantFrom('a', 'b', 'c', 'd');
interface Made {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}
const leaf: fc.Arbitrary<Made> = fc.oneof(
  fc.string().map((value) => ({ schema: { type: 'string' }, value })),
  fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
  fc
    .array(fc.string(), { maxLength: 3 })
    .map((value) => ({ schema: { type: 'array', items: { type: 'string' } }, value })),
);
const object = (inner: fc.Arbitrary<Made>): fc.Arbitrary<Made> =>
  fc
    .uniqueArray(fc.record({ name, made: inner, isRequired: fc.boolean(), isThere: fc.boolean() }), {
      selector: (one) => one.name,
      minLength: 1,
    })
    .map((members) => ({
      schema: {
        type: 'object',
        properties: Object.fromEntries(members.map((one) => [one.name, one.made.schema])),
        required: members.filter(({ isRequired }) => isRequired).map((one) => one.name),
        additionalProperties: false,
      },
      value: Object.fromEntries(
        members.filter(({ isRequired, isThere }) => isRequired || isThere).map((one) => [one.name, one.made.value]),
      ),
    }));
const nested = object(fc.oneof(leaf, object(fc.oneof(leaf, object(leaf)))));

const hasLeaf = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.values(value).some(hasLeaf) : true;

/** An optional object without anything in it is the same as none. */
function withoutEmpty(value: unknown, schema: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { properties = {}, required = [] } = schema as { properties?: Record<string, unknown>; required?: string[] }; // made above
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const clean = withoutEmpty(inner, properties[key]);
    return hasLeaf(clean) || required.includes(key) ? [[key, clean] as const] : [];
  });
  return Object.fromEntries(entries);
}

describe('a flat schema', () => {
  it('asks for inner fields by dotted names', () => {
    const schema = {
      type: 'object',
      properties: {
        user: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'number' } }, required: ['name'] },
      },
      required: ['user'],
    };
    expect(flatSchema(schema)).toEqual({
      type: 'object',
      properties: { 'user.name': { type: 'string' }, 'user.age': { type: 'number' } },
      required: ['user.name'],
    });
    expect(unflattened({ 'user.name': 'x' }, schema)).toEqual({ user: { name: 'x' } });
  });

  it('holds no nested object, and every input finds its way back', () => {
    fc.assert(
      fc.property(nested, ({ schema, value }) => {
        const flat = flatSchema(schema);
        for (const inner of Object.values(flat['properties'] as object))
          expect(inner).not.toMatchObject({ type: 'object' });
        expect(unflattened(flattened(value, schema), schema)).toEqual(withoutEmpty(value, schema));
      }),
      { seed: 5, numRuns: 400 },
    );
  });

  it('leaves what it does not know for the tool to judge', () => {
    const schema = { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'string' } } } } };
    expect(unflattened({ 'a.b': 'x', odd: 1 }, schema)).toEqual({ a: { b: 'x' }, odd: 1 });
    expect(unflattened({ a: { b: 'x' } }, schema)).toEqual({ a: { b: 'x' } });
    expect(unflattened('text', schema)).toBe('text');
  });
});

describe('a simple schema', () => {
  it.each([
    ['a reference', { $ref: '#/$defs/x' }, { type: 'string' }],
    ['a member beside null', { anyOf: [{ type: 'number' }, { type: 'null' }] }, { type: 'number' }],
    ['types with null', { type: ['string', 'null'] }, { type: 'string' }],
    ['constants', { oneOf: [{ const: 'a' }, { const: 'b' }] }, { type: 'string', enum: ['a', 'b'] }],
    ['a union', { anyOf: [{ type: 'number' }, { type: 'string' }] }, {}],
    ['limits and forms', { type: 'string', format: 'uri', minLength: 3, pattern: '^h' }, { type: 'string' }],
    [
      'parts',
      { allOf: [{ type: 'object', properties: { a: { type: 'string' } } }] },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
  ])('says %s in plain words', (_, property, plain) => {
    const schema = { type: 'object', properties: { p: property }, $defs: { x: { type: 'string' } } };
    expect(simpleSchema(schema)['properties']).toEqual({ p: plain });
  });

  it('ends references that lead to themselves, and is an object whatever came', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' } } };
    expect(JSON.stringify(simpleSchema(tree)).length).toBeLessThan(400);
    expect(simpleSchema({ type: 'array' })).toEqual({ type: 'object', properties: {} });
  });
});
