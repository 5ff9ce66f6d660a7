import { describe, expect, test } from 'vitest';
import { compileGlob, filterGlobs, splitGlob } from './patterns.ts';

describe('a glob is split where its first wildcard stands', () => {
  test.each([
    ['*.ts', '', '**/*.ts'],
    ['**/*.ts', '', '**/*.ts'],
    ['./a/b/*.ts', 'a/b', '*.ts'],
    ['a/b.ts', 'a', 'b.ts'],
    ['/w/src/**', '/w/src', '**'],
    ['/*.ts', '/', '*.ts'],
    ['../x/*.ts', '../x', '*.ts'],
    ['a/', 'a', '**'],
    ['{a,b}/c/*.ts', '', '{a,b}/c/*.ts'],
  ])('%s', (pattern, base, rest) => {
    expect(splitGlob(pattern)).toEqual({ base, rest, isNegated: false });
  });

  test('a leading ! turns it round, !( does not', () => {
    expect(splitGlob('!src/*.ts')).toEqual({ base: 'src', rest: '*.ts', isNegated: true });
    expect(splitGlob('!(a).ts').isNegated).toBe(false);
  });
});

test('a compiled glob matches hidden files, and another case only when asked', async () => {
  const options = { isNegated: false, ignoresCase: false };
  const exact = await compileGlob('**/*.yml', options);
  expect([exact('.github/a.yml'), exact('a.YML')]).toEqual([true, false]);
  expect((await compileGlob('**/*.yml', { ...options, ignoresCase: true }))('a.YML')).toBe(true);
});

test.each([
  ['*.ts', ['**/*.ts']],
  ['!*.ts', ['!**/*.ts']],
  ['src/*.ts', ['**/src/*.ts']],
  ['./src/*.ts', ['**/src/*.ts']],
  ['/w/src/*.ts', ['**/src/*.ts']],
  ['*.ts, *.tsx', ['**/*.ts', '**/*.tsx']],
  ['*.{ts,tsx}', ['**/*.{ts,tsx}']],
  [' , !', []],
])('the filter %j', (filter, globs) => {
  expect(filterGlobs(filter, '/w')).toEqual(globs);
});
