import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Output, type Shown } from './output.ts';

const directory = mkdtempSync(join(tmpdir(), 'output-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let count = 0;

function shown(text: string): Shown & { spillPath: string | undefined } {
  const output = new Output(join(directory, `${count++}`));
  output.add(Buffer.from(text));
  const { spillPath } = output;
  const seen = { ...output.shown(), spillPath: output.spillPath ?? spillPath };
  output.close();
  return seen;
}

const progress = Array.from({ length: 20_000 }, (_, at) => `\r${Math.floor(at / 200)}% downloading`).join('');

test('the last line stays after a long progress bar', () => {
  expect(shown(`${progress}\rERROR: checksum mismatch\n`).text).toMatch(
    /^\d+% downloading\n\[\.\.\. the middle of \d+ bytes is left out \.\.\.\]\n99% downloading\nERROR: checksum mismatch\n$/,
  );
});

test('the last line stays after long colours, and no part of a sequence is left', () => {
  for (let shift = 0; shift < 12; shift++) {
    const text = `${'x'.repeat(shift)}${'\u001b[31m\u001b[0m'.repeat(20_000)}\nERROR: x\n`;
    expect(shown(text).text).toMatch(/^x*\n\[\.\.\. the middle of \d+ bytes is left out \.\.\.\]\n\n?ERROR: x\n$/);
  }
});

test('what is repeated stands above the remark that tells so', () => {
  expect(shown('y\n'.repeat(1_000_000)).text).toMatch(
    /^y\n\[the line above \d+ times\]\n\[\.\.\. the middle .*\]\ny\n\[the line above \d+ times\]\n$/,
  );
});

test('where lines are folded the whole is kept in a file', () => {
  const lines = Array.from({ length: 101 }, (_, at) => `Downloading ${at}%\n`).join('');
  expect(shown(lines)).toMatchObject({ isCut: true, spillPath: expect.stringContaining(directory) });
  expect(shown('a\n'.repeat(10))).toMatchObject({ isCut: false, spillPath: undefined });
});
