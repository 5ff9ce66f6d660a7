import { expect, test } from 'vitest';
import { terminalLine, terminalText } from './terminal-text.ts';

test.each([
  ['plain text\n', 'plain text\n'],
  ['a\tb\n', 'a\tb\n'],
  ['\u001b[31mred', 'red'],
  ['\u001b]0;title\u0007ok', 'ok'],
  ['\u001b]2;title\u001b\\ok', 'ok'],
  ['\u001b]8;id=1;file:///etc/passwd\u0007x\u001b]8;;\u0007', 'x'],
  ['\u001b]1337;File=name=x:AAAA\u0007ok', 'ok'],
  ['\u001bP+q544e\u001b\\ok', 'ok'],
  ['real\u001b[1A\u001b[2Kfake', 'realfake'],
  ['progress 10%\rprogress 99%\n', 'progress 99%\n'],
  ['windows\r\nlines\r\n', 'windows\nlines\n'],
  ['kept\r', 'kept'],
  ['\r\r\n', '\n'],
  ['\u001b[21tx', 'x'],
  ['\u001b[6n\u001b[c\u001b[>qx', 'x'],
  ['\u001b[?1049hx', 'x'],
  ['\u001b[?2004lx', 'x'],
  ['\u009b31mx', 'x'],
  ['\u009d0;t\u009cx', 'x'],
  ['a\u0000b\u0007c\bd', 'abcd'],
  ['x\u001b', 'x'],
  ['x\u001b[3', 'x'],
  ['x\u001b]52;c;never ended', 'x'],
  ['\u001b]0;a\u001b[31mb', 'b'],
  ['\u001b(0x', 'x'],
  ['ls \u202etxt.exe', 'ls ⟨U+202E⟩txt.exe'],
  ['a\u2066b\u2069c\u200f', 'a⟨U+2066⟩b⟨U+2069⟩c⟨U+200F⟩'],
  ['ls\u200b -la\u2060', 'ls⟨U+200B⟩ -la⟨U+2060⟩'],
  ['pass\u00adword g\u200dit \u200c\u200cx', 'pass⟨U+00AD⟩word g⟨U+200D⟩it ⟨U+200C⟩⟨U+200C⟩x'],
  ['a\u{e0061}\u{e0062}b', 'a⟨U+E0061⟩⟨U+E0062⟩b'],
  ['a\u3164b\u2028c', 'a⟨U+3164⟩b⟨U+2028⟩c'],
  ['\ufeffmarked', 'marked'],
  [
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ],
  ['می\u200cخواهم ❤\ufe0f\u200d🔥', 'می\u200cخواهم ❤\ufe0f\u200d🔥'],
  ['naïve 日本 👩‍👩‍👧', 'naïve 日本 👩‍👩‍👧'],
])('%j reaches a terminal as %j', (raw, shown) => {
  expect(terminalText(raw)).toBe(shown);
});

test('nothing that is left can be a control character, whatever came', () => {
  const alphabet = [
    '\u001b',
    '[',
    ']',
    '\\',
    '\u0007',
    '\r',
    '\u009b',
    '\u009d',
    '\u0090',
    '\u009c',
    '3',
    'm',
    'P',
    '\u0085',
  ];
  let seed = 7;
  for (let round = 0; round < 3000; round++) {
    let text = '';
    for (let length = 0; length < 12; length++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      text += alphabet[Math.floor((seed / 2_147_483_648) * alphabet.length)] ?? '';
    }
    expect(terminalText(text), JSON.stringify(text)).not.toMatch(/\p{Cc}/u);
  }
});

test('a megabyte of beginnings is cleaned in a moment', () => {
  const started = performance.now();
  for (const piece of ['\u001b]', '\u009d\n', '\r', 'x', '\u001b[', '\u001b'])
    terminalText(`${piece.repeat(500_000)}y`);
  expect(performance.now() - started).toBeLessThan(3000);
});

test('a line with a hidden turn of direction says so', () => {
  expect(terminalLine('echo \u202eabc', 80)).toBe('echo ⟨U+202E⟩abc');
});

test('a line stays one line of its width, and letters outside the basic plane stay whole', () => {
  expect(terminalLine('echo a\nrm b\t c', 80)).toBe('echo a⏎ rm b c');
  expect(terminalLine('👩'.repeat(10), 5)).toBe(`${'👩'.repeat(4)}…`);
});
