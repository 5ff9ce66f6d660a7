import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saveText } from './save.ts';

let directory: string;
beforeEach(() => {
  directory = fs.mkdtempSync(join(tmpdir(), 'save-'));
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));
const at = (...names: string[]) => join(directory, ...names);
const read = (name: string) => fs.readFileSync(at(name), 'utf8');

test('a new file is made with the directories above it', async () => {
  expect(await saveText(at('a', 'b', 'c.txt'), 'x\n')).toEqual({ ok: true, value: { created: true } });
  expect(read('a/b/c.txt')).toBe('x\n');
  expect(fs.statSync(at('a/b/c.txt')).mode & 0o777).toBe(0o666 & ~process.umask());
});

test('a file is replaced by another one with the same mode, and nothing else stays behind', async () => {
  fs.writeFileSync(at('run.sh'), 'old, and longer\n');
  fs.chmodSync(at('run.sh'), 0o755);
  const before = fs.statSync(at('run.sh')).ino;
  expect(await saveText(at('run.sh'), 'new\n')).toEqual({ ok: true, value: { created: false } });
  expect(read('run.sh')).toBe('new\n');
  expect(fs.statSync(at('run.sh')).mode & 0o777).toBe(0o755);
  expect(fs.statSync(at('run.sh')).ino).not.toBe(before);
  expect(fs.readdirSync(directory)).toEqual(['run.sh']);
});

test('a link stays a link and its target gets the text', async () => {
  fs.writeFileSync(at('real.txt'), 'a\n');
  fs.symlinkSync('real.txt', at('link.txt'));
  await saveText(at('link.txt'), 'b\n');
  expect(fs.readlinkSync(at('link.txt'))).toBe('real.txt');
  expect(read('real.txt')).toBe('b\n');
});

test('hard links keep showing one file', async () => {
  fs.writeFileSync(at('one'), 'a long text\n');
  fs.linkSync(at('one'), at('two'));
  await saveText(at('one'), 'b\n');
  expect(read('two')).toBe('b\n');
});

test('directories and pipes are refused by name', async () => {
  expect(await saveText(directory, 'x')).toMatchObject({ ok: false, fault: expect.stringContaining('a directory') });
  execFileSync('mkfifo', [at('pipe')]);
  expect(await saveText(at('pipe'), 'x')).toMatchObject({ ok: false, fault: expect.stringContaining('a named pipe') });
});

test('names left behind by a crash are stepped over', async () => {
  fs.writeFileSync(at(`.smew-${process.pid}-1.tmp`), 'half');
  expect((await saveText(at('a'), 'x')).ok).toBe(true);
  expect(read(`.smew-${process.pid}-1.tmp`)).toBe('half');
});

/** Runs `saveText` in a process of its own, so that mounts and users can be changed around it. */
const saveScript = (path: string) =>
  `import { saveText } from ${JSON.stringify(join(import.meta.dirname, 'save.ts'))}; console.log(JSON.stringify(await saveText(${JSON.stringify(path)}, 'new')));`;

const inMountNamespace = (command: string) =>
  execFileSync('unshare', ['--mount', 'sh', '-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const canMount = (() => {
  try {
    inMountNamespace('true');
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!canMount)('a file that is mounted by itself is written in place (needs the right to mount)', () => {
  fs.writeFileSync(at('source'), 'the old and longer text');
  fs.writeFileSync(at('mounted'), '');
  fs.writeFileSync(at('save.mjs'), saveScript(at('mounted')));
  const out = inMountNamespace(
    `mount --bind ${at('source')} ${at('mounted')} && ${process.execPath} --no-warnings ${at('save.mjs')}`,
  );
  expect(JSON.parse(out)).toEqual({ ok: true, value: { created: false } });
  expect(read('source')).toBe('new');
  expect(fs.readdirSync(directory).sort()).toEqual(['mounted', 'save.mjs', 'source']);
});

test.skipIf(!canMount)('a full disk leaves the old file whole (needs the right to mount)', () => {
  fs.mkdirSync(at('disk'));
  fs.writeFileSync(at('save.mjs'), saveScript(at('disk', 'file')).replace("'new'", "'n'.repeat(100_000)"));
  const out = inMountNamespace(
    `mount -t tmpfs -o size=64k none ${at('disk')} && printf old > ${at('disk/file')} && ${process.execPath} --no-warnings ${at('save.mjs')} && cat ${at('disk/file')} && ls -A ${at('disk')}`,
  );
  expect(out).toContain('ENOSPC');
  expect(out).toMatch(/\noldfile\n$/);
});

const isRoot = process.getuid?.() === 0;
test.skipIf(isRoot && !fs.existsSync('/usr/bin/setpriv'))('a read-only file is not replaced behind its back', () => {
  fs.chmodSync(directory, 0o777);
  fs.writeFileSync(at('locked'), 'old');
  fs.chmodSync(at('locked'), 0o444);
  if (isRoot) fs.chownSync(at('locked'), 65534, 65534);
  fs.writeFileSync(at('save.mjs'), saveScript(at('locked')));
  const node = [process.execPath, '--no-warnings', at('save.mjs')];
  const command = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...node] : node;
  const [program = '', ...rest] = command;
  const out = execFileSync(program, rest, { encoding: 'utf8' });
  expect(JSON.parse(out)).toMatchObject({ ok: false, fault: expect.stringContaining('permission denied') });
  expect(read('locked')).toBe('old');
});

test('a process killed while it saves leaves one of the two texts whole', async () => {
  const texts = ['a'.repeat(3_000_000), 'b'.repeat(2_000_000)];
  fs.writeFileSync(at('file'), texts[0] ?? '');
  const save = `import { saveText } from ${JSON.stringify(join(import.meta.dirname, 'save.ts'))};`;
  const loop = `for (;;) for (const text of ['b'.repeat(2_000_000), 'a'.repeat(3_000_000)]) await saveText(${JSON.stringify(at('file'))}, text);`;
  fs.writeFileSync(at('save.mjs'), `${save} console.log('ready'); ${loop}`);
  for (let round = 0; round < 6; round++) {
    const child = spawn(process.execPath, ['--no-warnings', at('save.mjs')], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 7 * round));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(texts.includes(read('file'))).toBe(true);
  }
});
