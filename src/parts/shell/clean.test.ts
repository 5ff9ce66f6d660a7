import { expect, test } from 'vitest';
import { plainText } from './clean.ts';

test.each([
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b(B\u001b[?25lx\u001b[2K\u001b[1G', 'x'],
  ['10%\r50%\r100% done\n', '100% done\n'],
  ['a\r\nb\r\n', 'a\nb\n'],
  ['last state stays\r', 'last state stays'],
  ['tab\tand bell\u0007', 'tab\tand bell'],
  ['plain [32m stays', 'plain [32m stays'],
])('%j reads %j', (output, text) => {
  expect(plainText(output)).toBe(text);
});
