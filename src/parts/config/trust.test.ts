import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trustList, untrustedNotice } from './trust.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smew-trust-'));
  file = join(folder, 'data', 'trust.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a folder is trusted once the user said so, also by the next process', async () => {
  expect(await trustList(file).isTrusted('/ws/a')).toBe(false);
  expect(await trustList(file).trust('/ws/a')).toEqual({ ok: true, value: undefined });
  expect(await trustList(file).isTrusted('/ws/a')).toBe(true);
});

test('trust covers neither parents, nor neighbours, nor what lies inside', async () => {
  const trust = trustList(file);
  await trust.trust('/ws/a');
  for (const other of ['/ws', '/ws/ab', '/ws/a/vendored', '/ws/a/', '/'])
    expect(await trust.isTrusted(other)).toBe(false);
});

test("the list is the user's alone and leaves nothing beside it", async () => {
  await trustList(file).trust('/ws/b');
  await trustList(file).trust('/ws/a');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
  expect(await readdir(join(folder, 'data'))).toEqual(['trust.json']);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ folders: ['/ws/a', '/ws/b'] });
});

test.each(['', '{', '[]', '{"folders": "/ws/a"}', '{"folders": [1]}'])(
  'a damaged list (%j) trusts nothing and is not written over',
  async (text) => {
    await mkdir(join(folder, 'data'));
    await writeFile(file, text);
    expect(await trustList(file).isTrusted('/ws/a')).toBe(false);
    expect(await trustList(file).trust('/ws/a')).toMatchObject({ ok: false, fault: { kind: 'storage' } });
    expect(await readFile(file, 'utf8')).toBe(text);
  },
);

test('a list that cannot be written is a fault', async () => {
  await writeFile(join(folder, 'data'), 'a file where the folder should be');
  expect(await trustList(file).trust('/ws/a')).toMatchObject({ ok: false, fault: { kind: 'storage' } });
});

test('the notice names what was ignored and the way out, and is silent where there is nothing', () => {
  expect(untrustedNotice('/ws/a', [])).toBeUndefined();
  expect(untrustedNotice('/ws/a', ['AGENTS.md', '.smew/config.yaml'])).toBe(
    '/ws/a is not trusted, so its AGENTS.md, .smew/config.yaml were ignored. Use --trust if you trust what it says.',
  );
});
