import { expect, test } from 'vitest';
import { readable } from './mixed.ts';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const gbk = Buffer.from('b4edcef33a20d5d2b2bbb5bdcec4bcfe0a', 'hex');
const random = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256));
const ascii = Buffer.from('line of text\n'.repeat(500));

const text = (...parts: readonly (Buffer | string)[]) =>
  readable(Buffer.concat(parts.map((part) => Buffer.from(part))));

test.each([
  ['GBK', gbk, '错误: 找不到文件\n'],
  ['Latin-1', Buffer.from('Größe unzulässig\n', 'latin1'), 'Größe unzulässig\n'],
  ['UTF-8', Buffer.from('Größe 5 €\n'), 'Größe 5 €\n'],
  ['UTF-16', utf16('hello\n\nworld 漢字\n'), 'hello\n\nworld 漢字\n'],
  ['UTF-16 with a mark', utf16('\uFEFF漢字 上下\nhello\n'), '漢字 上下\nhello\n'],
  ['UTF-16, the other way round', utf16('hello\n').swap16(), 'hello\n'],
] as const)('%s behind and before ASCII is read', (_, bytes, expected) => {
  expect(text(ascii, bytes).text).toBe(ascii + expected);
  expect(text('header\n', bytes, 'error: x\n')).toEqual({ text: `header\n${expected}error: x\n`, hasBinary: false });
});

test('UTF-8 and another encoding in one output are both read', () => {
  expect(text('Größe €\n', gbk, 'ende ü\n').text).toBe('Größe €\n错误: 找不到文件\nende ü\n');
});

test('halves of characters at the ends are dropped', () => {
  const bytes = Buffer.from('€uro 漢');
  expect(text(bytes.subarray(1, -1)).text).toBe('uro ');
});

test('messages around binary bytes stay', () => {
  const read = text('begin\n', random, 'error: real message\n', random, '\nmore text\n');
  expect(read.hasBinary).toBe(true);
  expect(read.text).toMatch(/^begin\n\[Binary output, \d+ bytes: not shown\.\]\n/);
  expect(read.text).toContain('error: real message\n');
  expect(read.text).toMatch(/more text\n$/);
});

test('binary bytes alone are told in one line', () => {
  expect(text(random)).toEqual({ text: '[Binary output, 4096 bytes: not shown.]\n', hasBinary: true });
});
