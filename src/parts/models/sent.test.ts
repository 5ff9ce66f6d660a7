import { describe, expect, it } from 'vitest';
import { plainName } from './sent.ts';

describe('a plain name', () => {
  it('is left as it is where it fits', () => expect(plainName('call_1-a', 64)).toBe('call_1-a'));

  it('keeps apart what was apart', () => {
    const names = ['a.b', 'a:b', 'a_b', 'aüb', 'a b', 'a😀b', ''];
    expect(new Set(names.map((name) => plainName(name, 64))).size).toBe(names.length);
    for (const name of names) expect(plainName(name, 64)).toMatch(/^[\w-]+$/);
  });

  it('is cut to its length, and still tells apart', () => {
    const [one, other] = ['x', 'y'].map((end) => plainName('n'.repeat(80) + end, 64));
    expect(one).toHaveLength(64);
    expect(one).not.toBe(other);
  });
});
