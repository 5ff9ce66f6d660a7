import { expect, test } from 'vitest';
import { ok } from '../base/result.ts';
import type { ToolBox, ToolIo } from '../loop/ports.ts';
import { answerBytes, shortAnswers } from './short-answers.ts';

const box = (text: string): ToolBox => ({
  specs: [],
  prepare: () => ok({ effect: 'reads', subject: 'x', run: async () => ({ ok: true, text }) }),
});
const io: ToolIo = { callId: '1', signal: new AbortController().signal, emit: () => {} };
async function answerOf(text: string, bytes: number | undefined): Promise<string> {
  const prepared = shortAnswers(box(text), bytes).prepare({ id: '1', name: 'read', input: {} });
  if (!prepared.ok) throw new Error('refused');
  return (await prepared.value.run(io)).text;
}

test.each([
  [200_000, undefined],
  [32_768, undefined],
  [16_384, 12_288],
  [8192, 6144],
  [1000, 1000],
])('in a window of %i tokens an answer may have %s bytes', (contextTokens, bytes) => {
  expect(answerBytes(contextTokens)).toBe(bytes);
});

test('a long answer keeps its beginning and its end, and says how much is left out and what to do', async () => {
  const text = `first\n${'x'.repeat(5000)}\nlast`;
  const cut = await answerOf(text, 1000);
  expect(cut).toMatch(/^first\n/);
  expect(cut).toMatch(/\nlast$/);
  expect(cut).toMatch(/\[4011 bytes left out here.*Ask for less/);
  expect(cut.length).toBeLessThan(1200);
});

test('an answer that is short enough stays as it is, and so does every one in a roomy window', async () => {
  expect(await answerOf('short', 1000)).toBe('short');
  expect(await answerOf('x'.repeat(50_000), undefined)).toHaveLength(50_000);
});

test('no character is cut in half', async () => {
  expect(await answerOf('✓'.repeat(1000), 1000)).not.toContain('\uFFFD');
});
