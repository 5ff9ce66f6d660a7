import { describe, expect, it } from 'vitest';
import { cursorOn } from './cursor.ts';
import { isLossless } from './lossless.ts';

const cursor = (text: string, scalars: number) => {
  const rules = { isCut: false, isOff: () => false, isVerbatim: () => false, isDeclared: () => false };
  return { ...cursorOn(text, rules), scalars };
};

const holds = (text: string, value: unknown, scalars = 0): boolean =>
  isLossless(cursor(text, scalars), [0, text.length], value);

describe('the proof that a mend lost nothing', () => {
  it('holds where only quotes, brackets, separators, blanks and escapes differ', () => {
    expect(holds("{'a': 'it said \\u00e9\\n',}", { a: 'it said \u00e9\n' })).toBe(true);
    expect(holds('{a: "C:\\new"', { a: 'C:\\new' })).toBe(true);
    expect(holds('[{"a":["b","c"]}', [{ a: ['b', 'c'] }])).toBe(true);
  });

  it.each<[string, unknown]>([
    ['{"a":"one // two"}', { a: 'one ' }],
    ['{"a":"one","b":"two"}', { a: 'one' }],
    ['{"a":"one"}', { a: 'one', b: '' }],
    ['{"a":"one"}', { a: 'onee' }],
    ['{"a":"x","b":"y"}', { a: 'y', b: 'x' }],
    ['{"a":"\\d+"}', { a: 'd-' }],
  ])('fails for %s read as %j', (text, value) => {
    expect(holds(text, value)).toBe(false);
  });

  it('counts the scalars', () => {
    expect(isLossless({ ...cursor('{"a":1}', 1), passed: [[5, 6]] }, [0, 7], { a: 1 })).toBe(true);
    expect(isLossless({ ...cursor('{"a":1}', 1), passed: [[5, 6]] }, [0, 7], { a: 'x' })).toBe(false);
    expect(isLossless({ ...cursor('{"a":1}', 1), passed: [[5, 6]] }, [0, 7], { a: [] })).toBe(false);
  });
});
