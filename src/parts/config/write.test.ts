import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setInFile } from './write.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smew-config-'));
  file = join(folder, 'deep', 'config.yaml');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const set = (path: string, value: string) => setInFile(file, { path, value });
const text = () => readFileSync(file, 'utf8');

test('a file is made where there is none, readable by the user alone', async () => {
  expect(await set('provider.ollama.baseUrl', 'http://box:11434')).toEqual({ ok: true, value: undefined });
  expect(text()).toBe('provider:\n  ollama:\n    baseUrl: http://box:11434\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('what else stands in the file stays, comments included', async () => {
  file = join(folder, 'config.yaml');
  writeFileSync(file, '# mine\nmodel: a/b # the usual\nlimits:\n  steps: 3\n');
  expect(await set('limits.steps', '5')).toMatchObject({ ok: true });
  expect(await set('tiers.fast', 'c/d')).toMatchObject({ ok: true });
  expect(text()).toBe('# mine\nmodel: a/b # the usual\nlimits:\n  steps: 5\ntiers:\n  fast: c/d\n');
});

test('a name of a model may hold dots', async () => {
  expect(await set('models.openai/gpt-5.1.contextTokens', '9000')).toMatchObject({ ok: true });
  expect(await set('models.openai/gpt-5.1.price.input', '1.5')).toMatchObject({ ok: false });
  expect(text()).toBe('models:\n  openai/gpt-5.1:\n    contextTokens: 9000\n');
});

test.each([
  ['limits.steps', 'many', /limits\.steps is not set: .*"many".*whole number/],
  ['limits.stepps', '3', /no setting "limits\.stepps".*limits\.steps/],
  ['provider.x.apiKeys', '5', /not of the right kind/],
  ['ollama.endpoint', 'http://x', /no setting "ollama"/],
])('%s: %s is refused, and nothing is written', async (path, value, message) => {
  const answer = await set(path, value);
  expect(answer).toMatchObject({ ok: false, fault: { kind: 'usage', message: expect.stringMatching(message) } });
  expect(() => text()).toThrow();
});

test('a file that is broken is not touched', async () => {
  file = join(folder, 'config.yaml');
  writeFileSync(file, 'model: [a\n');
  expect(await set('model', 'a/b')).toMatchObject({ ok: false, fault: { kind: 'usage' } });
  expect(text()).toBe('model: [a\n');
});
