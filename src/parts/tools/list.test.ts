import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listTool } from './list.ts';
import { call, scratch } from './testing/scratch.ts';
import { createWorkspace } from './workspace.ts';

const list = (root: string, input: object = {}) =>
  call(listTool({ workspace: createWorkspace({ cwd: root, roots: [root] }) }), input);

test('directories come first and with a slash, files with their size', async () => {
  const root = scratch({ 'b.ts': 'x'.repeat(1500), 'a.md': '', 'z/': '', '.git/': '', 'node_modules/x/y.js': '' });
  expect((await list(root)).text).toBe('.git/\nnode_modules/\nz/\na.md  0 B\nb.ts  1.5 KB');
});

test('links show where they lead', async () => {
  const root = scratch({ 'd/f': 'x' });
  symlinkSync('d', join(root, 'to-dir'));
  symlinkSync('d/f', join(root, 'to-file'));
  symlinkSync('gone', join(root, 'to-nothing'));
  expect((await list(root)).text).toBe('d/\nto-dir -> d/\nto-file -> d/f\nto-nothing -> gone (leads nowhere)');
});

test('odd names and odd files keep to one line each', async () => {
  const root = scratch({ 'two\nlines': '', 文件: '', '-x': '' });
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect((await list(root)).text.split('\n')).toEqual(['-x  0 B', 'pipe (FIFO)', '"two\\nlines"  0 B', '文件  0 B']);
});

test('of 1,200 entries the first are shown and the rest is counted', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1200 }, (_, index) => [`f${String(index).padStart(4, '0')}`, '']),
  );
  const { text } = await list(scratch({ ...files, 'sub/': '' }));
  expect(text.split('\n')).toHaveLength(301);
  expect(text).toMatch(/^sub\/\nf0000/);
  expect(text).toMatch(/\(901 files more are not shown: narrow it down with glob\)$/);
});

test('says what it cannot list', async () => {
  const root = scratch({ 'a.txt': 'x', 'empty/': '' });
  expect(await list(root, { path: 'empty' })).toMatchObject({ ok: true, text: 'empty is an empty directory.' });
  expect(await list(root, { path: 'a.txt' })).toMatchObject({
    ok: false,
    text: 'a.txt is a file, not a directory: use read.',
  });
  expect((await list(root, { path: 'emty' })).text).toContain('Did you mean empty?');
  expect((await list(root, { path: '..' })).text).toContain('outside');
  expect((await list(root, { path: '' })).text).toContain('empty/');
});
