import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distance, nearestPaths } from './nearest.ts';
import { scratch } from './testing/scratch.ts';

const near = async (root: string, path: string) =>
  (await nearestPaths({ wanted: join(root, path), start: root })).map((found) => found.slice(root.length + 1));

test('other spellings beside it come before the same name elsewhere', async () => {
  const root = scratch({ 'src/main.ts': '', 'src/Main.tsx': '', 'lib/mian.ts': '', 'src/other.ts': '' });
  expect(await near(root, 'src/mian.ts')).toEqual(['src/main.ts', 'lib/mian.ts']);
});

test('of several with the same name the one that shares most of the path comes first, three at most', async () => {
  const root = scratch({
    'a/index.ts': '',
    'b/x/index.ts': '',
    'c/y/x/index.ts': '',
    'd/index.ts': '',
    'e/index.ts': '',
  });
  const found = await near(root, 'z/y/x/index.ts');
  expect(found).toHaveLength(3);
  expect(found.slice(0, 2)).toEqual(['c/y/x/index.ts', 'b/x/index.ts']);
});

test('composed letters and odd spaces are no other name', async () => {
  const root = scratch({ 'caf\u0065\u0301.md': '', 'Shot at 5\u202fPM.png': '' });
  expect(await near(root, 'café.md')).toEqual(['caf\u0065\u0301.md']);
  expect(await near(root, 'Shot at 5 PM.png')).toEqual(['Shot at 5\u202fPM.png']);
});

test('node_modules is not looked through', async () => {
  expect(await near(scratch({ 'node_modules/x/util.js': '' }), 'util.js')).toEqual([]);
});

test('a tree of 1,500 directories costs bounded time', async () => {
  const root = scratch();
  for (let index = 0; index < 1500; index++) mkdirSync(join(root, `d${index}`));
  writeFileSync(join(root, 'd1', 'x'), '');
  const started = performance.now();
  await near(root, 'deep/er/none.ts');
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('distance is symmetric, zero for equals, and never more than one past its limit', () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat(5), (left, right, limit) => {
      const far = distance(left, right, limit);
      expect(far).toBe(distance(right, left, limit));
      expect(far === 0).toBe(left === right);
      expect(far).toBeLessThanOrEqual(limit + 1);
    }),
    { seed: 7 },
  );
  expect([distance('scr', 'src', 2), distance('kitten', 'sitting', 9)]).toEqual([1, 3]);
});
