import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';
import { configJsonSchema } from './settings.ts';

test('every setting has a one-line description', () => {
  const silent: string[] = [];
  const visit = (path: string, node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties, additionalProperties, description } = node as Record<string, unknown>; // JSON Schema is plain data
    if (properties === undefined && path !== '' && (typeof description !== 'string' || description.includes('\n'))) {
      silent.push(path);
    }
    for (const [key, inner] of Object.entries(properties ?? {})) visit(`${path}.${key}`, inner);
    if (!path.endsWith('headers')) visit(`${path}.*`, additionalProperties);
  };
  visit('', configJsonSchema());
  expect(silent).toEqual([]);
});

test.each([
  ['modle', 'model'],
  ['base-url', 'baseUrl'],
  ['BASEURL', 'baseUrl'],
  ['stepz', 'steps'],
  ['zebra', undefined],
  ['', undefined],
])('the known name nearest to "%s" is %s', (name, known) => {
  expect(nearest(name, ['model', 'baseUrl', 'steps'])).toBe(known);
});
