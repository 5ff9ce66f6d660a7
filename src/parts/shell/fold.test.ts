import { expect, test } from 'vitest';
import { foldLines } from './fold.ts';

test('equal lines are told once, with their number', () => {
  expect(foldLines(`a\n${'warning\n'.repeat(500)}b`).text).toBe('a\nwarning\n[the line above 500 times]\nb');
});

test('of progress lines the first and the last stay', () => {
  const lines = Array.from({ length: 101 }, (_, at) => `Downloading [${'#'.repeat(at / 10)}] ${at}% ${at * 3} kB`);
  expect(foldLines(lines.join('\n'))).toEqual({
    text: `${lines[0]}\n[99 progress lines]\n${lines[100]}`,
    isFolded: true,
  });
});

test.each([
  ['few repeats', 'a\na\na'],
  ['numbers', '1\n2\n3\n4\n5\n6\n7\n8'],
  ['empty lines', 'a\n\n\n\n\n\n\nb'],
  ['a coverage table', 'a.ts 10%\nb.ts 20%\nc.ts 30%\nd.ts 40%\ne.ts 50%\nf.ts 60%\ng.ts 70%'],
  ['rows of numbered files', Array.from({ length: 10 }, (_, at) => `src/mod${at}.py 100 ${at} 93%`).join('\n')],
  ['rows of numbered names', Array.from({ length: 10 }, (_, at) => `module${at} 93%`).join('\n')],
  ['a table whose numbers jump', '1 90%\n2 10%\n3 95%\n4 20%\n5 99%\n6 30%\n7 98%'],
])('%s stay as they are', (_, text) => {
  expect(foldLines(text)).toEqual({ text, isFolded: false });
});
