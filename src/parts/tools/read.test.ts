import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, openSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readTool } from './read.ts';
import { createSeenFiles, fingerprint, seenFromResults } from './seen.ts';
import { call, scratch } from './testing/scratch.ts';
import { createWorkspace } from './workspace.ts';

function reader(root: string) {
  const seen = createSeenFiles();
  const tool = readTool({ workspace: createWorkspace({ cwd: root, roots: [root] }), seen });
  return { seen, read: (path: string, more: object = {}) => call(tool, { path, ...more }) };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('a text file', () => {
  test('comes with line numbers, a tab, and its extent', async () => {
    const { read } = reader(scratch({ 'a.ts': 'one\n\n  three\n' }));
    expect(await read('a.ts')).toMatchObject({ ok: true, text: '1\tone\n2\t\n3\t  three\n(all 3 lines)' });
  });

  test('is known from then on, also after a resume', async () => {
    const root = scratch({ a: 'x\n' });
    const { read, seen } = reader(root);
    const fact = { path: join(root, 'a'), hash: fingerprint(Buffer.from('x\n')) };
    expect(seen.check(fact)).toBe('never read');
    const { data } = await read('a');
    expect(seen.check(fact)).toBe('fresh');
    expect(data).toMatchObject({ path: 'a', first: 1, last: 1, lines: 1, file: fact });
    expect(seenFromResults([{ ...(data ? { data } : {}) }])).toEqual(new Map([[fact.path, fact.hash]]));
  });

  test('reached through a link is known as the file behind it', async () => {
    const root = scratch({ real: 'x\n' });
    symlinkSync('real', join(root, 'link'));
    expect(await reader(root).read('link')).toMatchObject({
      data: { path: 'real', file: { path: join(root, 'real') } },
    });
  });

  test('of 2,310 lines comes in pages that say how to go on', async () => {
    const { read } = reader(scratch({ a: numbered(2310) }));
    const first = await read('a');
    expect(first.text).toMatch(/^1\tline 1\n/);
    expect(first.text).toMatch(/\n500\tline 500\n\(lines 1-500 of 2310; go on with offset 501\)$/);
    const next = await read('a', { offset: 501, limit: 3 });
    expect(next.text).toBe(
      '501\tline 501\n502\tline 502\n503\tline 503\n(lines 501-503 of 2310; go on with offset 504)',
    );
    expect((await read('a', { offset: 2309 })).text).toMatch(/\(lines 2309-2310 of 2310, the end\)$/);
    expect((await read('a', { offset: -2 })).text).toMatch(/^2309\t/);
    expect((await read('a', { limit: 100_000 })).text).toContain('go on with offset 2001');
  });

  test('with wide lines stops at the byte limit, between two lines', async () => {
    const { read } = reader(scratch({ a: `${'w'.repeat(900)}\n`.repeat(100) }));
    const { text } = await read('a');
    expect(Buffer.byteLength(text)).toBeLessThan(31_000);
    expect(text).toMatch(/\(lines 1-33 of 100; go on with offset 34\)$/);
  });

  test('with a line of 100,000 characters shows its beginning and how to see the rest', async () => {
    const { read } = reader(scratch({ 'min file.js': `a\n${'é'.repeat(100_000)}\nb\n` }));
    const { text } = await read('min file.js');
    expect(text.length).toBeLessThan(1500);
    expect(text).toContain(`2\t${'é'.repeat(1000)} ... [99000 more characters]\n3\tb\n`);
    expect(text).toContain("sed -n 2p 'min file.js' | cut -c1001-");
  });

  test.each([0, -100])('from offset %i starts at its first line', async (offset) => {
    expect((await reader(scratch({ a: 'x\ny\n' })).read('a', { offset })).text).toMatch(/^1\tx/);
  });

  test('past its end says how long it is', async () => {
    const answer = await reader(scratch({ a: 'x\ny\n' })).read('a', { offset: 50 });
    expect(answer).toMatchObject({
      ok: false,
      text: 'a has 2 lines: there is nothing at offset 50. Use an offset up to 2.',
    });
  });

  test('that is empty says so', async () => {
    expect(await reader(scratch({ a: '' })).read('a')).toMatchObject({ ok: true, text: 'a is empty (0 bytes).' });
  });
});

describe('what an editor must know is said', () => {
  const utf16 = (text: string, order: 'le' | 'be', mark = '\ufeff') => {
    const bytes = Buffer.from(mark + text, 'utf16le');
    return order === 'le' ? bytes : bytes.swap16();
  };
  test.each([
    ['CRLF line ends', 'a\r\nb\r\n', '1\ta\n2\tb\n(all 2 lines; CRLF line ends)'],
    ['mixed line ends', 'a\r\nb\n', '1\ta\n2\tb\n(all 2 lines; mixed CRLF and LF line ends)'],
    ['no last newline', 'a', '1\ta\n(all 1 line; no newline at the end)'],
    ['a byte order mark', '\ufeffa\n', '1\ta\n(all 1 line; starts with a byte order mark)'],
    ['UTF-16 LE', utf16('grüße\n', 'le'), '1\tgrüße\n(all 1 line; UTF-16LE, decoded; starts with a byte order mark)'],
    ['UTF-16 BE', utf16('hi\n', 'be'), '1\thi\n(all 1 line; UTF-16BE, decoded; starts with a byte order mark)'],
    ['UTF-16 unmarked', utf16('hello you\n', 'le', ''), '1\thello you\n(all 1 line; UTF-16LE, decoded)'],
    [
      'Latin-1',
      Buffer.from('caf\xe9\n', 'latin1'),
      '1\tcaf\ufffd\n(all 1 line; not valid UTF-8: bytes that do not fit are shown as \ufffd)',
    ],
  ])('%s', async (_name, content, text) => {
    expect((await reader(scratch({ a: content })).read('a')).text).toBe(text);
  });
});

describe('what is no text is named, not dumped', () => {
  test.each([
    ['PNG image', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'an image (PNG image, 16 B)'],
    ['ELF', Buffer.from(`\x7fELF${'\0'.repeat(100)}`, 'latin1'), 'binary (ELF program or library, 104 B)'],
    ['zeros', Buffer.alloc(65_536), 'binary (unknown format, 66 KB)'],
    [
      'noise',
      Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 73) % 32)),
      'binary (unknown format, 2.0 KB)',
    ],
    ['PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3'), 'binary (PDF document'],
  ])('%s', async (_name, content, said) => {
    const { read, seen } = reader(scratch({ x: content }));
    const answer = await read('x');
    expect(answer.ok).toBe(false);
    expect(answer.text).toContain(said);
    expect(answer.text.length).toBeLessThan(300);
    expect(seen.check({ path: 'x', hash: '' })).toBe('never read');
  });

  test.each([
    'BZh is how bzip2 begins\n',
    'GIF89a is a format\n',
    'RIFF raff\n',
    'ID3 tags\n',
    '\u001b[31mred\u001b[0m\n',
  ])('text that begins like a format stays text: %j', async (content) => {
    expect((await reader(scratch({ a: content })).read('a')).ok).toBe(true);
  });
});

describe('what is no file', () => {
  test('a directory points to list', async () => {
    expect((await reader(scratch({ 'd/': '' })).read('d')).text).toBe('d is a directory: use list.');
  });

  test('a FIFO is refused and never waited for', async () => {
    const root = scratch();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await reader(root).read('pipe')).toMatchObject({ ok: false, text: expect.stringContaining('FIFO') });
  });

  test('a socket is refused', async () => {
    const root = scratch();
    const server = createServer().listen(join(root, 'socket'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await reader(root).read('socket')).toMatchObject({ ok: false, text: expect.stringContaining('socket') });
  });

  test('a device is refused', async () => {
    const workspace = createWorkspace({ cwd: '/dev', roots: ['/dev'] });
    const answer = await call(readTool({ workspace, seen: createSeenFiles() }), { path: '/dev/zero' });
    expect(answer).toMatchObject({ ok: false, text: expect.stringContaining('device') });
  });

  test.skipIf(process.getuid?.() === 0)(
    'a file without permission says so (as root permission bits mean nothing)',
    async () => {
      const root = scratch({ a: 'x' });
      execFileSync('chmod', ['000', join(root, 'a')]);
      expect((await reader(root).read('a')).text).toContain('permission denied');
    },
  );
});

describe('large files', () => {
  test('50 MB: the page at the end comes, memory does not grow with the file', async () => {
    const root = scratch({ big: '' });
    const block = numbered(100_000); // about 1.1 MB
    for (let count = 0; count < 46; count++) appendFileSync(join(root, 'big'), block);
    const { read } = reader(root);
    const before = process.memoryUsage().rss;
    const answer = await read('big', { offset: 4_599_999 });
    expect(answer.text).toBe('4599999\tline 99999\n4600000\tline 100000\n(lines 4599999-4600000 of 4600000, the end)');
    expect(process.memoryUsage().rss - before).toBeLessThan(90e6);
    expect((await read('big', { offset: 5_000_000 })).text).toContain('has 4600000 lines');
    expect((await read('big', { offset: -5 })).text).toContain('tail');
  });

  test('2 GB with a hole: the beginning comes at once, without counting what follows', async () => {
    const root = scratch({ huge: `first\nsecond\n${'x\n'.repeat(5000)}` });
    truncateSync(join(root, 'huge'), 2 ** 31);
    const started = performance.now();
    const { text } = await reader(root).read('huge', { limit: 2 });
    expect(text).toBe('1\tfirst\n2\tsecond\n(lines 1-2 of a file of 2.1 GB; go on with offset 3)');
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('one line of 20 MB is not held', async () => {
    const root = scratch({ line: 'start\n' });
    const file = openSync(join(root, 'line'), 'a');
    for (let count = 0; count < 20; count++) writeSync(file, 'y'.repeat(1e6));
    closeSync(file);
    const { text } = await reader(root).read('line');
    expect(text.length).toBeLessThan(1500);
    expect(text).toContain('[19999000 more characters]');
  });

  test('a changed large file is another one', async () => {
    const root = scratch({ big: 'x'.repeat(9 << 20) });
    const { read } = reader(root);
    const first = await read('big');
    writeFileSync(join(root, 'big'), 'y'.repeat((9 << 20) + 1));
    const second = await read('big');
    expect(first.data?.['file']).not.toEqual(second.data?.['file']);
  });

  test('a call that was called off ends', async () => {
    const root = scratch({ big: 'x\n'.repeat(6 << 20) });
    const tool = readTool({ workspace: createWorkspace({ cwd: root, roots: [root] }), seen: createSeenFiles() });
    expect(await call(tool, { path: 'big' }, AbortSignal.abort())).toMatchObject({ ok: false });
  });
});
