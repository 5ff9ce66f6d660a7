import { expect, test } from 'vitest';
import { decode, encodingOf, liveDecoder } from './decode.ts';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => utf16(text).swap16();
const gbk = Buffer.from('b4edcef33a20d5d2b2bbb5bdcec4bcfe0a', 'hex');

test.each([
  ['plain ASCII', Buffer.from('hi\n'), 'utf-8', 'hi\n'],
  ['UTF-8', Buffer.from('Größe: 5 €\n'), 'utf-8', 'Größe: 5 €\n'],
  ['UTF-8 with a mark', Buffer.from('\uFEFFhi\n'), 'utf-8', 'hi\n'],
  [
    'UTF-8 with one broken byte',
    Buffer.concat([Buffer.from('äöü €€ '), Buffer.of(0xff), Buffer.from(' ok')]),
    'utf-8',
    'äöü €€ \uFFFD ok',
  ],
  ['UTF-16', utf16('hi\n'), 'utf-16le', 'hi\n'],
  ['UTF-16 with a mark', utf16('\uFEFFhi\n'), 'utf-16le', 'hi\n'],
  ['UTF-16, the other way round', big('hello\n'), 'utf-16be', 'hello\n'],
  ['GBK', gbk, 'gb18030', '错误: 找不到文件\n'],
  ['Latin-1', Buffer.from('Größe der Datei: unzulässig\n', 'latin1'), 'windows-1252', 'Größe der Datei: unzulässig\n'],
  [
    'French Latin-1',
    Buffer.from('Fichier non trouvé, déjà effacé\n', 'latin1'),
    'windows-1252',
    'Fichier non trouvé, déjà effacé\n',
  ],
  ['a list parted by NUL', Buffer.from('a.ts\0src/b.ts\0'), 'utf-8', 'a.ts\0src/b.ts\0'],
  ['colours', Buffer.from('\u001b[31mred\u001b[0m\n'), 'utf-8', '\u001b[31mred\u001b[0m\n'],
  ['nothing', Buffer.alloc(0), 'utf-8', ''],
] as const)('%s', (_, bytes, encoding, text) => {
  expect(encodingOf(bytes)).toBe(encoding);
  expect(decode(bytes, encoding)).toBe(text);
});

test('a program, a picture and random bytes are binary', () => {
  const random = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256));
  for (const bytes of [random, Buffer.from('7f454c4602010100000000000000000003003e0001000000', 'hex')])
    expect(encodingOf(bytes)).toBe('binary');
});

test('the live decoder puts characters together that chunks part, in every encoding', () => {
  const bytesOf = { 'utf-8': Buffer.from('ab €uro 漢字'), 'utf-16le': utf16('ab €uro 漢字') };
  for (const bytes of Object.values(bytesOf)) {
    for (let cut = 4; cut < bytes.length; cut++) {
      const decodeNext = liveDecoder();
      expect(decodeNext(bytes.subarray(0, cut)) + decodeNext(bytes.subarray(cut))).toBe('ab €uro 漢字');
    }
  }
});
