import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolAnswer, ToolIo } from '../../loop/ports.ts';
import { editTool } from './edit.ts';
import { createSeenFiles, fingerprint, type SeenFiles } from './seen.ts';
import type { Tool } from './tool.ts';
import { createWorkspace } from './workspace.ts';
import { writeTool } from './write.ts';

let directory: string;
let seen: SeenFiles;
beforeEach(() => {
  directory = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'edit-')));
  seen = createSeenFiles();
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

const at = (name: string) => join(directory, name);
const read = (name: string) => fs.readFileSync(at(name), 'utf8');
const io: ToolIo = { callId: 'c1', signal: new AbortController().signal, emit: () => {} };

async function call(make: (deps: Parameters<typeof editTool>[0]) => Tool, input: unknown): Promise<ToolAnswer> {
  const tool = make({ workspace: createWorkspace({ cwd: directory, roots: [directory] }), seen });
  const prepared = tool.prepare(input);
  return prepared.ok ? await prepared.value.run(io) : prepared.fault;
}
const edit = (path: string, ...edits: { old: string; new: string; all?: boolean }[]) => call(editTool, { path, edits });
const write = (path: string, content: string) => call(writeTool, { path, content });

/** A file that the model has read. */
function known(name: string, content: string | Buffer): void {
  fs.writeFileSync(at(name), content);
  seen.remember({ path: at(name), hash: fingerprint(fs.readFileSync(at(name))) });
}

describe('edit', () => {
  test('says how many changes were made and shows them with their lines', async () => {
    known('a.ts', 'one\ntwo\nthree\nfour\n');
    const { ok, text, data } = await edit('a.ts', { old: 'two', new: 'TWO' }, { old: 'four', new: 'FOUR' });
    expect(ok).toBe(true);
    expect(text).toBe('Edited a.ts: 2 changes, +2 -2 lines.\n1\tone\n2\tTWO\n3\tthree\n...\n3\tthree\n4\tFOUR');
    expect(read('a.ts')).toBe('one\nTWO\nthree\nFOUR\n');
    expect(data).toMatchObject({
      path: 'a.ts',
      changes: 2,
      added: 2,
      removed: 2,
      diff: expect.stringContaining('-two\n+TWO'),
    });
  });

  test('after an edit the file counts as seen, so that the next edit needs no reading', async () => {
    known('a', 'x\n');
    expect((await edit('a', { old: 'x', new: 'y' })).data?.['file']).toEqual({
      path: at('a'),
      hash: fingerprint(Buffer.from('y\n')),
    });
    expect((await edit('a', { old: 'y', new: 'z' })).ok).toBe(true);
  });

  test('a file that was not read is refused with what to do', async () => {
    fs.writeFileSync(at('a'), 'x\n');
    const { ok, text, data } = await edit('a', { old: 'x', new: 'y' });
    expect([ok, data?.['class']]).toEqual([false, 'unread']);
    expect(text).toBe('edit: a was not changed: it was not read in this session. Read it first, then edit.');
    expect(read('a')).toBe('x\n');
  });

  test('a file that changed on disk since is refused with what to do', async () => {
    known('a', 'x\n');
    fs.writeFileSync(at('a'), 'x\nmore\n');
    const { ok, text, data } = await edit('a', { old: 'x', new: 'y' });
    expect([ok, data?.['class']]).toEqual([false, 'stale']);
    expect(text).toContain('Read it again');
  });

  test('one edit that does not fit keeps all of them from the file', async () => {
    known('a', 'x\ny\n');
    const { ok, text } = await edit('a', { old: 'x', new: 'X' }, { old: 'nowhere', new: 'Y' });
    expect(ok).toBe(false);
    expect(text).toContain('edit: a was not changed: Edit 2 of 2: old is not in the file');
    expect(read('a')).toBe('x\ny\n');
  });

  test('an edit sent again is answered as done and nothing is written', async () => {
    known('a', 'a = 2\n');
    const { ok, text, data } = await edit('a', { old: 'a = 1', new: 'a = 2' });
    expect([ok, data?.['class'], data?.['changes']]).toEqual([true, 'already_applied', 0]);
    expect(text).toContain('already applied');
  });

  test('equal old and new are no success', async () => {
    known('a', 'x\n');
    expect(await edit('a', { old: 'x', new: 'x' })).toMatchObject({ ok: false, data: { class: 'noop' } });
  });

  test('an empty anchor makes a missing file with its directories, and fills an empty one', async () => {
    expect(await edit('new/a', { old: '', new: 'x\n' })).toMatchObject({ ok: true, text: 'Created new/a (1 line).' });
    expect(read('new/a')).toBe('x\n');
    fs.writeFileSync(at('empty'), '');
    expect((await edit('empty', { old: '', new: 'x\n' })).ok).toBe(true);
    expect(read('empty')).toBe('x\n');
  });

  test('a missing file is said, and not made by an edit with an anchor', async () => {
    const { ok, text } = await edit('gone.ts', { old: 'x', new: 'y' });
    expect(ok).toBe(false);
    expect(text).toMatch(/^edit: .*gone\.ts/);
    expect(fs.existsSync(at('gone.ts'))).toBe(false);
  });

  test('a path outside of the workspace is refused', async () => {
    expect(await edit('/etc/hostname', { old: 'a', new: 'b' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('outside the workspace'),
    });
  });

  test.each([
    ['binary', Buffer.from('a\0b'), 'a binary file'],
    ['latin', Buffer.from([0x61, 0xe9, 0x0a]), 'not UTF-8'],
    ['utf-16', Buffer.from('\ufeffa\n', 'utf16le'), 'it is UTF-16LE text'],
    ['utf-16 without a letter of Latin', Buffer.from('\ufeff日本語日本語', 'utf16le'), 'it is UTF-16LE text'],
    ['utf-16 big-endian', Buffer.from('\ufeffa\n', 'utf16le').swap16(), 'it is UTF-16BE text'],
    ['utf-16 without a mark', Buffer.from('hello world\n', 'utf16le'), 'it is UTF-16LE text'],
    ['shift-jis', Buffer.from('82b182ea0a78203d20310a', 'hex'), 'not UTF-8'],
  ])('a file in another encoding is refused untouched: %s', async (_, bytes, words) => {
    known('f', bytes);
    const { ok, text } = await edit('f', { old: 'a', new: 'b' });
    expect(ok).toBe(false);
    expect(text).toContain(words);
    expect(fs.readFileSync(at('f')).equals(bytes)).toBe(true);
  });

  test('the way that is named for UTF-16 brings the file back as it was', async () => {
    const bytes = Buffer.from('\ufeffone\r\ntwo\r\n', 'utf16le');
    known("a 'b'.txt", bytes);
    const { text } = await edit("a 'b'.txt", { old: 'a', new: 'b' });
    const [there, back] = [...text.matchAll(/\((iconv [^)]*)\)/g)].map(([, command]) => String(command));
    execFileSync('sh', ['-c', String(there)], { cwd: directory });
    known("a 'b'.txt.utf8", read("a 'b'.txt.utf8"));
    expect((await edit("a 'b'.txt.utf8", { old: 'two', new: 'three' })).ok).toBe(true);
    execFileSync('sh', ['-c', String(back)], { cwd: directory });
    expect(fs.readFileSync(at("a 'b'.txt")).toString('utf16le')).toBe('\ufeffone\r\nthree\r\n');
    expect((await write("a 'b'.txt", 'x\n')).text).toContain('UTF-16LE text');
  });

  test('a byte-order mark is not shown with the changed lines, nor with the nearest ones', async () => {
    known('a', '\ufeffone\ntwo\n');
    expect((await edit('a', { old: 'one', new: 'ONE' })).text).not.toContain('\ufeff');
    expect((await edit('a', { old: 'ONEE\ntwo', new: 'x' })).text).not.toContain('\ufeff');
    expect(read('a')).toBe('\ufeffONE\ntwo\n');
  });

  test('directories and pipes are refused without waiting', async () => {
    fs.mkdirSync(at('d'));
    execFileSync('mkfifo', [at('p')]);
    expect((await edit('d', { old: 'x', new: 'y' })).text).toContain('it is a directory');
    expect((await edit('p', { old: 'x', new: 'y' })).text).toContain('it is a named pipe');
    expect((await write('p', 'x')).text).toContain('it is a named pipe');
    expect((await write('d', 'x')).text).toContain('it is a directory');
  });

  test('mode, link, line ends and byte-order mark stay', async () => {
    known('run.sh', '\uFEFFecho a\r\necho b\r\n');
    fs.chmodSync(at('run.sh'), 0o755);
    fs.symlinkSync('run.sh', at('link'));
    expect((await edit('link', { old: 'echo a\necho b', new: 'echo a\necho c\necho d' })).ok).toBe(true);
    expect(read('run.sh')).toBe('\uFEFFecho a\r\necho c\r\necho d\r\n');
    expect(fs.statSync(at('run.sh')).mode & 0o777).toBe(0o755);
    expect(fs.lstatSync(at('link')).isSymbolicLink()).toBe(true);
  });

  test('a long diff is cut in data, and of many changes the first are shown', async () => {
    known('big', Array.from({ length: 2000 }, (_, index) => `line number ${index}\n`).join(''));
    const { text, data } = await edit('big', { old: 'line', new: 'row', all: true });
    expect(text).toContain('2000 changes, +2000 -2000 lines');
    expect(text.length).toBeLessThan(1500);
    expect(String(data?.['diff']).length).toBeLessThan(8100);
  });

  test('no edits at all are refused by the schema', async () => {
    expect((await edit('a')).ok).toBe(false);
  });
});

describe('write', () => {
  test('makes a new file with the directories above it', async () => {
    expect(await write('a/b.txt', 'x\ny\n')).toMatchObject({ ok: true, text: 'Created a/b.txt (2 lines).' });
    expect(read('a/b.txt')).toBe('x\ny\n');
  });

  test('overwrites a file that was read, and then counts it as seen', async () => {
    known('a', 'x\ny\n');
    const { text, data } = await write('a', 'x\nz\n');
    expect(text).toBe('Overwrote a: 2 lines, +1 -1.');
    expect(data).toMatchObject({ path: 'a', added: 1, removed: 1, file: { path: at('a') } });
    expect((await edit('a', { old: 'z', new: 'w' })).ok).toBe(true);
  });

  test('a file that was not read, or that changed since, stays', async () => {
    fs.writeFileSync(at('a'), 'x\n');
    expect(await write('a', 'y\n')).toMatchObject({ ok: false, text: expect.stringContaining('Read it first') });
    known('b', 'x\n');
    fs.writeFileSync(at('b'), 'z\n');
    expect(await write('b', 'y\n')).toMatchObject({ ok: false, text: expect.stringContaining('Read it again') });
    expect(read('a') + read('b')).toBe('x\nz\n');
  });

  test('the same content is said and not written', async () => {
    fs.writeFileSync(at('a'), 'x\n');
    const before = fs.statSync(at('a'), { bigint: true }).mtimeNs;
    expect(await write('a', 'x\n')).toMatchObject({ ok: true, text: expect.stringContaining('nothing was written') });
    expect(fs.statSync(at('a'), { bigint: true }).mtimeNs).toBe(before);
  });

  test('a file with CRLF and a byte-order mark keeps both', async () => {
    known('a', '\uFEFFx\r\n');
    expect((await write('a', 'y\nz\n')).text).toContain('stay as they were');
    expect(read('a')).toBe('\uFEFFy\r\nz\r\n');
  });

  test('an empty file may be filled unread', async () => {
    fs.writeFileSync(at('a'), '');
    expect((await write('a', 'x\n')).ok).toBe(true);
  });

  test('a binary file is not overwritten, NUL is not written', async () => {
    fs.writeFileSync(at('a'), 'a\0b');
    expect((await write('a', 'x\n')).text).toContain('binary');
    expect((await write('b', 'x\0')).text).toContain('NUL');
  });
});
