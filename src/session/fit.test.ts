import { describe, expect, it, test } from 'vitest';
import { estimateTokens } from '../parts/context/estimate.ts';
import { renderPrompt } from '../parts/prompt/render.ts';
import type { ToolSpec } from '../protocol/model.ts';
import { type FitOrder, type Fitted, fitWindow } from './fit.ts';

const tools: ToolSpec[] = ['read', 'list', 'glob', 'grep', 'edit', 'write', 'bash', 'todo'].map((name) => ({
  name,
  description: 'What it does, when to use it, and which of its neighbours to use instead. '.repeat(3),
  parameters: { type: 'object', properties: { path: { type: 'string', description: 'Where.' } } },
}));
const promptWith = (noteBytes: number) =>
  renderPrompt({
    cwd: '/home/me/shop',
    workspaceRoot: '/home/me/shop',
    platform: 'linux',
    date: '2026-01-31',
    tree: 'README.md, src/, test/',
    notes: noteBytes === 0 ? [] : [{ file: 'AGENTS.md', text: 'Write tests. '.repeat(noteBytes / 13) }],
    mode: 'default',
  });
const order = (contextTokens: number, noteBytes = 0): FitOrder => ({
  system: promptWith(noteBytes),
  tools,
  model: 'ollama/small',
  contextTokens,
  reserveTokens: 8192,
});
const weight = ({ system, tools: told }: Pick<Fitted, 'system' | 'tools'>): number =>
  system.reduce((sum, { text }) => sum + estimateTokens(text), 0) + estimateTokens(JSON.stringify(told));
const fitted = (asked: FitOrder): Fitted => {
  const answer = fitWindow(asked);
  if (!answer.ok) throw new Error(answer.fault.message);
  return answer.value;
};

describe('a window', () => {
  it.each([
    [200_000, 16_384, undefined, 8],
    [32_768, 0, undefined, 8],
    [32_768, 16_384, undefined, 8],
    [16_384, 0, undefined, 8],
    [16_384, 16_384, undefined, 8],
    [16_384, 60_000, /notes are cut to/, 8],
    [8192, 0, undefined, 8],
    [8192, 16_384, /notes are cut/, 8],
    [4096, 0, undefined, 8],
    [2048, 0, /shorter prompt is used/, 8],
    [1500, 16_384, /only the tools read, edit, write, bash/, 4],
  ])(
    'of %i tokens holds the prompt with %i bytes of notes (%s, %i tools)',
    (contextTokens, noteBytes, notice, count) => {
      const asked = order(contextTokens, noteBytes);
      const fit = fitted(asked);
      const room = contextTokens - Math.min(8192, contextTokens / 2);
      expect(weight(fit)).toBeLessThanOrEqual(room);
      expect(fit.tools).toHaveLength(count);
      if (notice) expect(fit.notice).toMatch(notice);
      else expect(fit).toEqual({ system: asked.system, tools, notice: undefined });
    },
  );

  test('tells how much of the notes is left, and nothing where all of them are', () => {
    const asked = order(8192, 16_384);
    const fit = fitted(asked);
    const bytes = (all: readonly { name: string; text: string }[]) =>
      Buffer.byteLength(all.find(({ name }) => name === 'notes')?.text ?? '').toLocaleString('en');
    expect(fit.notice).toBe(
      `ollama/small has a window of 8,192 tokens: the project notes are cut to ${bytes(fit.system)} of ${bytes(asked.system)} bytes.`,
    );
    expect(fitted(order(1200, 16_384)).notice).toMatch(/, the project notes are left out\.$/);
    expect(fitted(order(2048, 10)).notice).toMatch(/shorter prompt is used\.$/);
  });

  test('too small for any prompt is refused with what to do', () => {
    const answer = fitWindow(order(800));
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'usage' } });
    expect(!answer.ok && answer.fault.message).toMatch(/800 tokens.*-c 8192.*OLLAMA_CONTEXT_LENGTH.*-m/s);
  });

  test('keeps what the user said for this run, whatever else is cut', () => {
    const asked = order(1500, 16_384);
    const system = [...asked.system, { name: 'appended', text: 'Speak Latin.' }];
    const fit = fitted({ ...asked, system });
    expect(fit.system.at(-1)).toEqual({ name: 'appended', text: 'Speak Latin.' });
    expect(fit.system.map(({ name }) => name)).toContain('environment');
  });

  test('that fits is not made to fit twice', () => {
    const once = fitted(order(2048));
    expect(fitted({ ...order(2048), system: once.system, tools: [...once.tools] }).notice).toBeUndefined();
  });

  test('never cuts notes in the middle of a character', () => {
    const system = [{ name: 'notes', text: 'Größe ✓ '.repeat(5000) }];
    const fit = fitted({ ...order(4096), system, tools: [] });
    expect(fit.system[0]?.text).not.toContain('\uFFFD');
    expect(fit.system[0]?.text).toMatch(/\[cut: read the files/);
  });
});
