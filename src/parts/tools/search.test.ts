import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { recordReader } from './search/records.ts';
import { type FindRipgrep, ripgrepFinder } from './search/ripgrep.ts';
import { call, scratch } from './testing/scratch.ts';
import { createWorkspace } from './workspace.ts';

const finders: readonly (readonly [string, FindRipgrep])[] = [
  ['ripgrep', ripgrepFinder(undefined)],
  ['our own search', () => undefined],
  ['a ripgrep that does not run', () => '/dev/null'],
];

const tools = (root: string, findRipgrep: FindRipgrep, roots = [root]) => {
  const workspace = createWorkspace({ cwd: root, roots });
  const glob = globTool({ workspace, findRipgrep });
  const grep = grepTool({ workspace, findRipgrep });
  return {
    glob: (pattern: string, more: object = {}, signal?: AbortSignal) => call(glob, { pattern, ...more }, signal),
    grep: (pattern: string, more: object = {}, signal?: AbortSignal) => call(grep, { pattern, ...more }, signal),
    names: async (pattern: string, more: object = {}) =>
      (await call(glob, { pattern, ...more })).text
        .split('\n')
        .filter((line) => !line.startsWith('('))
        .sort(),
  };
};

test('the platform package of ripgrep is found here, and a relative PATH is not searched', () => {
  expect(ripgrepFinder(undefined)()).toMatch(/rg$/);
});

describe.each(finders)('glob with %s', (_name, find) => {
  test('finds by pattern, at any depth without a slash', async () => {
    const root = scratch({ 'a.ts': '', 'src/b.ts': '', 'src/c.tsx': '', 'src/deep/d.ts': '', '.github/w.yml': '' });
    const { names } = tools(root, find);
    expect(await names('*.ts')).toEqual(['a.ts', 'src/b.ts', 'src/deep/d.ts']);
    expect(await names('**/*.ts')).toEqual(['a.ts', 'src/b.ts', 'src/deep/d.ts']);
    expect(await names('src/*.{ts,tsx}')).toEqual(['src/b.ts', 'src/c.tsx']);
    expect(await names('./src/**/*.ts')).toEqual(['src/b.ts', 'src/deep/d.ts']);
    expect(await names('*.ts', { path: 'src/deep' })).toEqual(['src/deep/d.ts']);
    expect(await names('!**/*.ts')).toEqual(['.github/w.yml', 'src/c.tsx']);
    expect(await names('src/!(b)*.ts*')).toEqual(['src/c.tsx']);
    expect(await names('*.yml')).toEqual(['.github/w.yml']);
    expect(await names(`${root}/src/**/*.tsx`)).toEqual(['src/c.tsx']);
    expect(await names('src/b.ts')).toEqual(['src/b.ts']);
    expect(await names('src/')).toEqual(['src/b.ts', 'src/c.tsx', 'src/deep/d.ts']);
  });

  test('a directory whose name looks like a pattern is meant literally', async () => {
    const { names } = tools(scratch({ 'app/[id]/page.tsx': '', 'app/i/page.tsx': '' }), find);
    expect(await names('app/[id]/*.tsx')).toEqual(['app/[id]/page.tsx']);
  });

  test('shows the newest first', async () => {
    const root = scratch({ 'a.x': '', 'b.x': '', 'c.x': '' });
    for (const [index, name] of ['b.x', 'c.x', 'a.x'].entries()) utimesSync(join(root, name), 0, 1000 - index);
    expect((await tools(root, find).glob('*.x')).text).toBe('b.x\nc.x\na.x');
  });

  test('leaves out what is ignored, nested rules and exceptions included, and .git', async () => {
    const root = scratch({
      '.gitignore': 'dist/\n*.log\n/top.txt\n!keep.log\n',
      'dist/a.txt': '',
      'b.log': '',
      'keep.log': '',
      'top.txt': '',
      'sub/top.txt': '',
      'sub/.gitignore': 'x.txt\n',
      'sub/x.txt': '',
      'sub/sub/x.txt': '',
      '.git/config.txt': '',
      '.ignore': 'hidden.txt\n',
      'hidden.txt': '',
    });
    const { names } = tools(root, find);
    expect(await names('*.{txt,log}')).toEqual(['keep.log', 'sub/top.txt']);
  });

  test('in a directory that is ignored as a whole the files are shown, and it is said', async () => {
    const root = scratch({ '.gitignore': 'build/**\n', 'build/out/a.js': '', '.git/': '' });
    const { text } = await tools(root, find).glob('*.js', { path: 'build/out' });
    expect(text).toBe('build/out/a.js\n(all of these are ignored by .gitignore)');
  });

  test('tells an empty result from a wrong path and from another case', async () => {
    const root = scratch({ 'src/Main.ts': '', 'empty/': '' });
    const { glob } = tools(root, find);
    expect(await glob('*.go')).toMatchObject({
      ok: true,
      text: expect.stringContaining('No file matches "*.go" (1 files'),
    });
    expect((await glob('main.ts')).text).toContain('With other letter case: src/Main.ts');
    expect(await glob('*.ts', { path: 'scr' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('Did you mean src?'),
    });
    expect(await glob('scr/**/*.ts')).toMatchObject({ ok: false, text: expect.stringContaining('Did you mean src?') });
    expect((await glob('*.ts', { path: 'src/Main.ts' })).text).toContain('is a file');
    expect((await glob('*', { path: 'empty' })).text).toBe('There are no files below empty.');
    expect((await glob('../**')).text).toContain('outside');
    expect((await glob('/etc/*.conf')).text).toContain('outside');
    expect((await glob(' ')).text).toContain('pattern is empty');
  });

  test('does not follow links, not in circles and not out', async () => {
    const outside = scratch({ 'o.ts': '' });
    const root = scratch({ 'a/b.ts': '' });
    symlinkSync('..', join(root, 'a/loop'));
    symlinkSync(outside, join(root, 'a/out'));
    expect(await tools(root, find).names('**/*.ts')).toEqual(['a/b.ts']);
  });

  test('odd names come whole, a newline as JSON', async () => {
    const root = scratch({ 'a b.q': '', 'n\nl.q': '', '文.q': '', '-d.q': '', "it's.q": '' });
    expect(await tools(root, find).names('*.q')).toEqual(['"n\\nl.q"', '-d.q', 'a b.q', "it's.q", '文.q'].sort());
  });

  test('ends when it is called off', async () => {
    expect(await tools(scratch({ a: '' }), find).glob('*', {}, AbortSignal.abort())).toMatchObject({ ok: false });
  });
});

describe('a tree of 5,000 files', () => {
  let root = '';
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'smew-tree-')));
    for (let directory = 0; directory < 50; directory++) {
      mkdirSync(join(root, `d${directory}`));
      for (let file = 0; file < 100; file++) writeFileSync(join(root, `d${directory}`, `f${file}.ts`), '');
    }
  }, 60_000);
  afterAll(() => rmSync(root, { recursive: true, force: true }), 60_000);

  test.each(finders)('shows the newest 100 and counts all with %s', async (_name, find) => {
    const answer = await tools(root, find).glob('**/*.ts');
    expect(answer.data).toEqual({ hits: 5000 });
    expect(answer.text.split('\n')).toHaveLength(101);
    expect(answer.text).toMatch(/\(the 100 newest of 5000; narrow the pattern or the path\)$/);
  });
});

describe.each(finders)('grep with %s', (_name, find) => {
  test('gives file, line number and text, grouped and in order', async () => {
    const root = scratch({ 'b.ts': 'no\nfoo(1)\n', 'a.ts': 'foo(2)\nx\nfoo(3)\n' });
    expect((await tools(root, find).grep('foo\\(\\d')).text).toBe(
      'a.ts\n1:foo(2)\n3:foo(3)\nb.ts\n2:foo(1)\n(3 matches in 2 files)',
    );
  });

  test('shows lines around, with gaps marked', async () => {
    const root = scratch({ a: '1\n2\n3 x\n4\n5\n6\n7\n8 x\n9\n' });
    expect((await tools(root, find).grep('x', { context: 1 })).text).toBe(
      'a\n2-2\n3:3 x\n4-4\n--\n7-7\n8:8 x\n9-9\n(2 matches in 1 file)',
    );
  });

  test('searches one file, one directory, files by glob, either case', async () => {
    const root = scratch({ 'src/a.ts': 'Hit\n', 'src/b.js': 'hit\n', 'c.ts': 'hit\n', 'src/sub/d.ts': 'hit\n' });
    const { grep } = tools(root, find);
    expect((await grep('hit', { path: 'src' })).data).toEqual({ matches: 2, files: 2 });
    expect((await grep('hit', { path: 'src/b.js' })).text).toBe('src/b.js\n1:hit\n(1 match in 1 file)');
    expect((await grep('hit', { ignoreCase: true })).data).toEqual({ matches: 4, files: 4 });
    for (const glob of ['*.ts', '**/*.ts', '*.{ts,tsx}', '*.ts,*.tsx', '!*.js', `${root}/**/*.ts`])
      expect((await grep('hit', { glob })).data).toEqual({ matches: 2, files: 2 });
    expect((await grep('hit', { glob: 'src/**/*.ts', path: 'src' })).data).toEqual({ matches: 1, files: 1 });
    expect((await grep('hit', { glob: 'sub/*.ts', path: 'src' })).data).toEqual({ matches: 1, files: 1 });
  });

  test('a pattern may begin with a dash', async () => {
    expect((await tools(scratch({ a: '--flag\n' }), find).grep('--flag')).data).toMatchObject({ matches: 1 });
  });

  test('a pattern that is no regex is searched as plain text, with the reason', async () => {
    const root = scratch({ a: 'call foo(x)\nitems[\n' });
    const { grep } = tools(root, find);
    expect((await grep('foo(')).text).toMatch(
      /^a\n1:call foo\(x\)\n\(1 match in 1 file; not a valid regex \(.+\), so searched as plain text\)$/,
    );
    expect((await grep('foo\\(x)')).text).toContain('1:call foo(x)');
    expect((await grep('zzz(')).text).toMatch(/No line matches "zzz\(".*not a valid regex/);
  });

  test('a pattern that matches nothing as a regex but does as text is shown so', async () => {
    const { text } = await tools(scratch({ a: 'f(a, b)\n' }), find).grep('f(a, b)');
    expect(text).toBe('a\n1:f(a, b)\n(1 match in 1 file; no match as a regex; these match as plain text)');
  });

  test('no match tells what was searched', async () => {
    const root = scratch({ 'a.ts': 'x\n', 'b.ts': 'y\n', 'c.md': 'z\n' });
    const { grep } = tools(root, find);
    expect((await grep('nope')).text).toBe('No line matches "nope" (3 files searched in .).');
    expect((await grep('nope', { glob: '*.ts' })).text).toBe(
      'No line matches "nope" (2 files searched in ., glob *.ts).',
    );
    expect((await grep('x', { glob: '*.go' })).text).toContain('No file there fits the glob');
    expect((await grep('p\\|q')).text).toContain('a|b here, without a backslash');
  });

  test('a wrong path is told with the nearest, an outer one is refused', async () => {
    const { grep } = tools(scratch({ 'src/a': '' }), find);
    expect(await grep('x', { path: 'scr' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('Did you mean src?'),
    });
    expect((await grep('x', { path: '/etc' })).text).toContain('outside');
    expect((await grep('')).text).toContain('pattern is empty');
  });

  test('ignored files are left out, unless there is nothing else', async () => {
    const root = scratch({ '.gitignore': 'lib/**\n', 'lib/a.js': 'hit\n', 'b.js': 'hit\n', '.git/c': 'hit\n' });
    const { grep } = tools(root, find);
    expect((await grep('hit')).text).toBe('b.js\n1:hit\n(1 match in 1 file)');
    expect((await grep('hit', { path: 'lib' })).text).toBe(
      'lib/a.js\n1:hit\n(1 match in 1 file; only files that .gitignore names are there)',
    );
  });

  test('a glob lets no ignored file in', async () => {
    const root = scratch({
      '.gitignore': 'a.txt\n*.min.js\nbuild/\n/dist\n',
      'a.txt': 'hit\n',
      'b.txt': 'hit\n',
      'x.min.js': 'hit\n',
      'y.js': 'other\n',
      'build/c.txt': 'hit\n',
      'dist/d.txt': 'hit\n',
      'sub/a.txt': 'hit\n',
      'sub/dist/e.txt': 'hit\n',
    });
    const { grep } = tools(root, find);
    expect((await grep('hit', { glob: '*.txt' })).text).toBe(
      'b.txt\n1:hit\nsub/dist/e.txt\n1:hit\n(2 matches in 2 files)',
    );
    expect((await grep('hit', { glob: '*.js' })).data).toEqual({ matches: 0, files: 0 });
    expect((await grep('hit', { glob: '*.txt', path: 'build' })).data).toEqual({ matches: 1, files: 1 });
    expect((await grep('hit', { glob: '*.txt', path: 'a.txt' })).data).toEqual({ matches: 1, files: 1 });
  });

  test('binary files with a match are counted, not shown', async () => {
    const root = scratch({ 'a.bin': Buffer.from('\0\0hit\n'), 'b.bin': Buffer.from('hit\0'), c: 'other\n' });
    const { grep } = tools(root, find);
    expect((await grep('hit')).text).toMatch(/^No line matches "hit" \(3 files .*\(2 binary files match\)$/);
    expect((await grep('hit', { path: 'a.bin' })).text).toContain('(1 binary file matches)');
    expect((await grep('other')).text).toBe('c\n1:other\n(1 match in 1 file)');
  });

  test('many matches are cut, fairly between files, and counted', async () => {
    const root = scratch({ 'a.txt': 'hit\n'.repeat(400), 'b.txt': 'hit\n'.repeat(3) });
    const { text } = await tools(root, find).grep('hit');
    expect(text).toContain('30:hit\n(370 more in this file)\nb.txt\n1:hit');
    expect(text).toContain('(33 shown (2 files) of 403 matches in 2 files; narrow it');
    const one = await tools(root, find).grep('hit', { path: 'a.txt' });
    expect(one.text).toContain('100:hit\n(300 more in this file)');
    const endless = scratch({ a: 'hit\n'.repeat(9000) });
    expect((await tools(endless, find).grep('hit')).text).toContain('of 5000 or more matches');
  });

  test('a long line is shown around its match', async () => {
    const root = scratch({ 'min.js': `${'é'.repeat(5000)}needle${'b'.repeat(5000)}\n` });
    const { text } = await tools(root, find).grep('needle');
    expect(text.length).toBeLessThan(400);
    expect(text).toMatch(/1:\[4920 characters\] \.\.\. é+needleb+ \.\.\. \[\d+ characters\]/);
  });

  test('CRLF, UTF-16, odd bytes and binaries', async () => {
    const root = scratch({
      crlf: 'foo\r\nbar\r\n',
      utf16: Buffer.from('\ufefffoo wide\n', 'utf16le'),
      latin: Buffer.from('foo caf\xe9\n', 'latin1'),
      binary: Buffer.concat([Buffer.alloc(100), Buffer.from('foo\n')]),
    });
    const { text } = await tools(root, find).grep('foo');
    expect(text).toBe(
      'crlf\n1:foo\nlatin\n1:foo caf\ufffd\nutf16\n1:foo wide\n(3 matches in 3 files; 1 binary file matches)',
    );
    expect((await tools(root, find).grep('foo$')).data).toEqual({ matches: 1, files: 1 });
  });

  test('FIFOs and circles of links do not hold it', async () => {
    const root = scratch({ 'a/b': 'hit\n' });
    execFileSync('mkfifo', [join(root, 'a/pipe')]);
    symlinkSync('..', join(root, 'a/loop'));
    const { grep } = tools(root, find);
    expect((await grep('x', { path: 'a/pipe' })).text).toContain('neither file nor directory');
    expect((await grep('hit', { path: 'a' })).data).toEqual({ matches: 1, files: 1 });
  }, 10_000);

  test('odd names come whole', async () => {
    const root = scratch({ 'n\nl:3:x': 'hit\n', '-d': 'hit\n', '文 件': 'hit\n' });
    expect((await tools(root, find).grep('hit')).text).toBe(
      '-d\n1:hit\n"n\\nl:3:x"\n1:hit\n文 件\n1:hit\n(3 matches in 3 files)',
    );
  });

  test('ends when it is called off', async () => {
    expect(await tools(scratch({ a: 'x' }), find).grep('x', {}, AbortSignal.abort())).toMatchObject({ ok: false });
  });
});

test('the number of an over-long line is found wherever the pieces of the output are parted', () => {
  const said: string[] = [];
  const read = recordReader(10, (record, isCut) => said.push(`${isCut} ${record.subarray(-20)}`) > 0);
  const rest = '"},"line_number":77,"absolute_offset":5,"submatches":[]}\n';
  for (let at = 1; at < rest.length; at += 3) {
    for (const piece of ['x'.repeat(1 << 20), 'y'.repeat(100), rest.slice(0, at), rest.slice(at)])
      read(Buffer.from(piece));
    expect(said.at(-1), String(at)).toMatch(/^true .*"line_number":77,$/);
  }
  for (let over = 0; over < rest.length; over++) {
    read(Buffer.from(`${'x'.repeat((1 << 20) - over)}${rest}`));
    expect(said.at(-1), String(over)).toMatch(over < rest.length - 1 ? /^true .*"line_number":77,$/ : /^false/);
  }
  read(Buffer.from('short\n'));
  expect(said.at(-1)).toBe('false short');
});

describe('ripgrep alone', () => {
  const find = ripgrepFinder(undefined);

  test('matches over several lines and looks around', async () => {
    const { grep } = tools(scratch({ a: 'one\ntwo\nthree\nfour\n' }), find);
    expect((await grep('one\\ntwo')).text).toBe('a\n1:one\n2-two\n(1 match in 1 file)');
    expect((await grep('t(?=wo)')).data).toMatchObject({ matches: 1 });
  });

  test('where only ignored files fit the glob and match, one is named', async () => {
    const { grep } = tools(scratch({ '.gitignore': '*.min.js\n', 'x.min.js': 'hit\n', 'y.js': '' }), find);
    expect((await grep('hit', { glob: '*.js' })).text).toContain(
      '(an ignored file matches: to search one, give it as path, such as x.min.js)',
    );
  });

  test('of a long text with a NUL byte far behind the lines before it are shown', async () => {
    const root = scratch({ log: `hit\n${'line\n'.repeat(3000)}\0\nhit\n` });
    expect((await tools(root, find).grep('hit')).text).toBe('log\n1:hit\n(1 match in 1 file; 1 binary file matches)');
  });

  test('takes no configuration from the environment', async () => {
    const root = scratch({ a: 'hit\n', config: '--files-with-matches\n' });
    process.env['RIPGREP_CONFIG_PATH'] = join(root, 'config');
    const { text } = await tools(root, find).grep('hit', { path: 'a' });
    delete process.env['RIPGREP_CONFIG_PATH'];
    expect(text).toContain('1:hit');
  });

  test('a match in a line of 30 MB is named, not held', async () => {
    const { text } = await tools(scratch({ a: `one\n\n${'y'.repeat(30e6)}hit\n` }), find).grep('hit');
    expect(text).toContain('\n3:[a match in a line of more than a megabyte');
    expect(text.length).toBeLessThan(300);
  });
});

test('an ignore file that is a FIFO does not hold our own walk', async () => {
  const root = scratch({ a: 'hit\n' });
  execFileSync('mkfifo', [join(root, '.gitignore')]);
  expect((await tools(root, () => undefined).grep('hit')).data).toEqual({ matches: 1, files: 1 });
}, 10_000);

test('a pattern that backtracks without end does not hold our own search', async () => {
  const root = scratch({ a: `${'a'.repeat(40)}!\n`, b: 'aab\n' });
  const started = performance.now();
  const { data } = await tools(root, () => undefined).grep('^(a+)+b?$|b$');
  expect(data).toMatchObject({ files: 1 });
  expect(performance.now() - started).toBeLessThan(8000);
}, 20_000);
