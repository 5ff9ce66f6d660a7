import { describe, expect, it } from 'vitest';
import { geminiSchema } from './schema.ts';
import { thinkingConfig } from './thinking.ts';

const field = (schema: object, defs: object = {}) =>
  Reflect.get(
    Reflect.get(geminiSchema({ type: 'object', properties: { x: schema }, ...defs }) ?? {}, 'properties'),
    'x',
  );

describe('a JSON Schema in the words of Gemini', () => {
  it.each([
    ['drops what is unknown there', { type: 'string', pattern: '^a', default: 'a', $comment: 'c' }, { type: 'string' }],
    [
      'keeps bounds, but not those of every whole number',
      { type: 'integer', minimum: 1, maximum: 9007199254740991 },
      { type: 'integer', minimum: 1 },
    ],
    ['makes a constant a choice of one', { const: 'a' }, { type: 'string', enum: ['a'] }],
    [
      'tells of numbers to choose from in words',
      { type: 'integer', description: 'How.', enum: [1, 2] },
      { type: 'integer', description: 'How. One of 1, 2.' },
    ],
    [
      'makes null nullable',
      { type: ['string', 'null'], description: 'd' },
      { type: 'string', description: 'd', nullable: true },
    ],
    [
      'makes null nullable in a choice',
      { anyOf: [{ type: 'null' }, { type: 'number' }] },
      { type: 'number', nullable: true },
    ],
    [
      'puts nothing beside a choice',
      { description: 'd', oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      {
        anyOf: [
          { type: 'string', description: 'd' },
          { type: 'array', items: { type: 'string' } },
        ],
      },
    ],
    ['gives every list its items', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
    ['keeps only formats that are known', { type: 'string', format: 'uri' }, { type: 'string' }],
    [
      'joins parts of which all must fit',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } } },
        ],
      },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
    ],
    [
      'requires no field that is not there',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'], additionalProperties: false },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
  ])('%s', (_, schema, expected) => expect(field(schema)).toEqual(expected));

  it('puts referred schemas where they are referred to, and ends one that contains itself', () => {
    const node = { type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#/$defs/node' } } };
    expect(field({ $ref: '#/$defs/node', description: 'The root.' }, { $defs: { node } })).toEqual({
      type: 'object',
      description: 'The root.',
      properties: { name: { type: 'string' }, child: { type: 'object' } },
    });
  });

  it('takes a reference to nowhere for any object', () => {
    expect(field({ $ref: 'https://elsewhere/schema' })).toEqual({ type: 'object' });
  });
});

describe('how hard Gemini shall think', () => {
  it.each([
    ['gemini-2.5-flash', undefined, undefined],
    ['gemini-2.0-flash', undefined, undefined],
    ['gemini-2.5-pro', undefined, { includeThoughts: true }],
    ['gemini-3-flash-preview', undefined, { includeThoughts: true }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'none', { includeThoughts: true, thinkingBudget: 128 }],
    ['gemini-2.5-flash', 'high', { includeThoughts: true, thinkingBudget: 24_576 }],
    ['gemini-2.5-flash', '4000', { includeThoughts: true, thinkingBudget: 4000 }],
    ['gemini-3-flash-preview', 'none', { includeThoughts: true, thinkingLevel: 'minimal' }],
    ['gemini-3.1-pro-preview', 'minimal', { includeThoughts: true, thinkingLevel: 'low' }],
    ['gemini-3.1-pro-preview', 'max', { includeThoughts: true, thinkingLevel: 'high' }],
  ])('%s with effort %s', (modelId, effort, config) => expect(thinkingConfig(modelId, effort)).toEqual(config));
});
