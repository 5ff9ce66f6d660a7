import { expect, it } from 'vitest';
import { longestSeconds } from './connection.ts';

it.each([
  [10, 120, 30],
  [1, 2, 3],
])('A test of %i + %i seconds allowed waits %i in all', (connectSeconds, firstByteSeconds, seconds) => {
  expect(longestSeconds({ connectSeconds, firstByteSeconds })).toBe(seconds);
});
