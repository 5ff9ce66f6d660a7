import { expect, test } from 'vitest';
import { plain, plainText } from './clean.ts';

test.each([
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b(B\u001b[?25lx\u001b[2K\u001b[1G', 'x'],
  ['10%\r50%\r100% done\n', '100% done\n'],
  ['a\r\nb\r\n', 'a\nb\n'],
  ['last state stays\r', 'last state stays'],
  ['tab\tand bell\u0007', 'tab\tand bell'],
  ['line1\rline2\rline3\r', 'line1\nline2\nline3'],
  ['name,age\rAda,36\rBob,40\r', 'name,age\nAda,36\nBob,40'],
  ['99% downloading\rERROR: checksum mismatch\n', '99% downloading\nERROR: checksum mismatch\n'],
  ['Loading\rLoading.\rLoading..\rLoading done', 'Loading done'],
  ['fetching a\r\u001b[Kfetching b\r\u001b[Kall done\n', 'all done\n'],
  ['\u001b]0;title', '0;title'],
  ['\u001b]0;titleError: important\nnext\u0007\n', '0;titleError: important\nnext\n'],
  ['\u001bPq never ended\nError: x\n', 'q never ended\nError: x\n'],
  ['cut inside \u001b[3', 'cut inside '],
  ['cut inside \u001b', 'cut inside '],
  ['moved\b\b', 'moved'],
  ['|\b/\b-\bx', 'x'],
  ['N\bNA\bAM\bME\bE', 'NAME'],
  ['plain [32m stays', 'plain [32m stays'],
])('%j reads %j', (output, text) => {
  expect(plainText(output)).toBe(text);
});

test('many states that differ in their numbers alone are folded, and that is said', () => {
  const states = Array.from({ length: 100 }, (_, at) => `row ${at}\r`).join('');
  expect(plain(states)).toEqual({
    text: 'row 0\n[98 more, each written over the one before]\nrow 99',
    isFolded: true,
  });
});
