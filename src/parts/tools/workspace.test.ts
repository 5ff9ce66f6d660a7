import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scratch } from './testing/scratch.ts';
import { createWorkspace, isInside, type Workspace } from './workspace.ts';

const at = (root: string, more: { roots?: string[]; dataDirs?: string[]; home?: string } = {}): Workspace =>
  createWorkspace({ cwd: root, roots: [root], ...more });

const read = async (workspace: Workspace, path: string): Promise<string> => {
  const place = await workspace.resolveForRead(path);
  return place.ok ? place.value.shown : `refused: ${place.fault}`;
};
const write = async (workspace: Workspace, path: string): Promise<string> => {
  const place = await workspace.resolveForWrite(path);
  return place.ok ? place.value.absolute : `refused: ${place.fault}`;
};

describe('one file has one place', () => {
  test.each([
    ['src/a b.ts'],
    ['./src/a b.ts'],
    ['src/../src/./a b.ts'],
    [' src/a b.ts\n'],
    ['"src/a b.ts"'],
    ['`src/a b.ts`'],
    ["'src/a b.ts'"],
    ['src/a\\ b.ts'],
    ['src\\a b.ts'],
    ['src//a b.ts'],
    ['src/a b.ts:12'],
    ['src/a b.ts:12:5'],
    ['~/src/a b.ts'],
    ['$HOME/src/a b.ts'],
    ['link/a b.ts'],
    ['ROOT/src/a b.ts'],
    ['file://ROOT/src/a%20b.ts'],
  ])('%j', async (written) => {
    const root = scratch({ 'src/a b.ts': 'x' });
    symlinkSync('src', join(root, 'link'));
    const workspace = at(root, { home: root });
    expect(await read(workspace, written.replace('ROOT', root))).toBe('src/a b.ts');
    expect(workspace.subject(written.replace('ROOT', root))).toBe('src/a b.ts');
  });

  test('a file whose name truly holds quotes, a line number or spaces is reached as it is written', async () => {
    const root = scratch({ '"q"': '', 'a:1': '', a: '', ' s ': '', s: '', 'b\\c': '', 'b/c': '' });
    const workspace = at(root);
    for (const name of ['"q"', 'a:1', ' s ', 'b\\c']) expect(await read(workspace, name)).toBe(name);
  });

  test('odd names work: leading dash, newline, CJK, emoji', async () => {
    const names = ['-rf', 'two\nlines', '文件.txt', 'é🎉', '%41', '#x', 'a?b'];
    const root = scratch(Object.fromEntries(names.map((name) => [name, ''])));
    for (const name of names) expect(await read(at(root), name)).toBe(name);
  });
});

describe('outside', () => {
  test('is refused with what is allowed and how to allow more', async () => {
    const outside = scratch({ 'secret.txt': 'x' });
    const root = scratch({ 'a.txt': '' });
    const text = await read(at(root), join(outside, 'secret.txt'));
    expect(text).toContain('is outside the workspace');
    expect(text).toContain(root);
    expect(text).toContain('--add-dir');
  });

  test.each(['..', '../x', '/', '/etc/passwd', '~', 'a/../../x', '/proc/self/root/etc/passwd'])('%s', async (path) => {
    const root = scratch({ 'a/b': '' });
    const workspace = at(root, { home: '/root' });
    expect(await read(workspace, path)).toMatch(/^refused/);
    expect(await write(workspace, path)).toMatch(/^refused/);
  });

  test('a directory whose name only begins like the root is outside', async () => {
    const parent = scratch({ 'work/a': '', 'work-2/b': '' });
    expect(await read(at(join(parent, 'work')), '../work-2/b')).toMatch(/outside/);
  });

  test('links out are followed and refused: of a file, of a directory, of one that leads nowhere, of a parent', async () => {
    const outside = scratch({ 'secret.txt': 'x', 'dir/': '' });
    const root = scratch({ 'sub/': '' });
    symlinkSync(join(outside, 'secret.txt'), join(root, 'file'));
    symlinkSync(outside, join(root, 'dir'));
    symlinkSync(join(outside, 'not-yet'), join(root, 'dangling'));
    symlinkSync('../dir', join(root, 'sub', 'twice'));
    for (const path of ['file', 'dir/secret.txt', 'dangling', 'dir/new/deep.txt', 'sub/twice/x', 'dir/dir/..']) {
      expect(await read(at(root), path)).toMatch(/outside/);
      expect(await write(at(root), path)).toMatch(/outside/);
    }
  });

  test('.. after a link means the parent of its target, as the system sees it', async () => {
    const outside = scratch({ 'dir/x': '', b: 'outside' });
    const root = scratch({ b: 'inside' });
    symlinkSync(join(outside, 'dir'), join(root, 'link'));
    expect(await read(at(root), 'link/../b')).toMatch(/outside/);
  });

  test('a missing part and .. fold away, and what is left is followed again', async () => {
    const outside = scratch({ x: '' });
    const root = scratch({ a: '' });
    symlinkSync(join(outside, 'x'), join(root, 'out'));
    expect(await read(at(root), 'nowhere/../a')).toBe('a');
    expect(await read(at(root), 'nowhere/../out')).toMatch(/outside/);
  });

  test('an added directory may be read and written; a data directory only read', async () => {
    const added = scratch({ 'b.txt': '' });
    const data = scratch({ 'output.txt': '' });
    const root = scratch();
    const workspace = at(root, { roots: [root, added], dataDirs: [data] });
    expect(await read(workspace, join(added, 'b.txt'))).toBe(join(added, 'b.txt'));
    expect(await write(workspace, join(added, 'new.txt'))).toBe(join(added, 'new.txt'));
    expect(await read(workspace, join(data, 'output.txt'))).toBe(join(data, 'output.txt'));
    expect(await write(workspace, join(data, 'output.txt'))).toMatch(/outside/);
  });

  test('roots given through a link count by their real place', async () => {
    const root = scratch({ 'real/a': '' });
    symlinkSync('real', join(root, 'link'));
    const workspace = createWorkspace({ cwd: join(root, 'link'), roots: [join(root, 'link')] });
    expect(workspace.cwd).toBe(join(root, 'real'));
    expect(await read(workspace, 'a')).toBe('a');
  });
});

describe('missing', () => {
  test('a new file may be written, through new directories and through a link that leads nowhere yet', async () => {
    const root = scratch();
    symlinkSync('later/target.txt', join(root, 'link'));
    expect(await write(at(root), 'x/y/z.txt')).toBe(join(root, 'x/y/z.txt'));
    expect(await write(at(root), 'link')).toBe(join(root, 'later/target.txt'));
    expect(await read(at(root), 'link')).toMatch(/There is no "link"/);
  });

  test('names the nearest real files', async () => {
    const root = scratch({ 'src/Parser.ts': '', 'src/deep/lexer.ts': '', 'docs/intro.md': '' });
    expect(await read(at(root), 'src/parser.ts')).toContain('Did you mean src/Parser.ts?');
    expect(await read(at(root), 'src/Parsr.ts')).toContain('Did you mean src/Parser.ts?');
    expect(await read(at(root), 'lexer.ts')).toContain('Did you mean src/deep/lexer.ts?');
    expect(await read(at(root), 'source/deep/lexer.ts')).toContain('Did you mean src/deep/lexer.ts?');
    expect(await read(at(root), '/src/Parser.ts')).toContain('Did you mean src/Parser.ts?');
    expect(await read(at(root), 'nothing-like-it.xyz')).toContain('use list or glob');
  });

  test('says how far the path is right', async () => {
    const root = scratch({ 'src/a.ts': '' });
    expect(await read(at(root), 'src/new/b.ts')).toContain('The directory src is there');
  });

  test('an edit wants an existing file inside the roots', async () => {
    const root = scratch({ a: '' });
    expect(await at(root).resolveForEdit('a')).toMatchObject({ ok: true });
    expect(await at(root).resolveForEdit('b')).toMatchObject({ ok: false });
  });
});

describe('paths that cannot be followed are told apart', () => {
  test.each([
    ['', /empty/],
    ['  ', /empty/],
    ['a\0b', /NUL/],
    ['file/below', /is a file, not a directory/],
    ['loop/x', /circle of symbolic links/],
    ['x'.repeat(5000), /too long/],
  ])('%j', async (path, said) => {
    const root = scratch({ file: '' });
    symlinkSync('loop', join(root, 'loop'));
    expect(await read(at(root), path)).toMatch(said);
    expect(await write(at(root), path)).toMatch(said);
  });
});

describe('whatever is written', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      'in',
      'out',
      'up',
      'loop',
      'dangling',
      'a',
      'sub',
      'file',
      'missing',
      '~',
      ' ',
      '"',
      '\\',
    ),
    fc.string({ maxLength: 3 }),
  );

  test('no resolved path lies outside the roots', async () => {
    const outside = scratch({ 'a/file': '', file: '' });
    const root = scratch({ 'root/sub/a/file': '', 'root/file': '' });
    const inside = join(root, 'root');
    for (const directory of [inside, join(inside, 'sub'), join(inside, 'sub/a')]) {
      symlinkSync(outside, join(directory, 'out'));
      symlinkSync('..', join(directory, 'up'));
      symlinkSync('loop', join(directory, 'loop'));
      symlinkSync(join(inside, 'sub'), join(directory, 'in'));
      symlinkSync('missing/../../../../new', join(directory, 'dangling'));
    }
    const workspace = at(inside, { home: outside });
    const prefix = fc.constantFrom('', '/', `${inside}/`, `${outside}/`, 'file://', `file://${inside}/`, '~/', '"');
    const path = fc.tuple(prefix, fc.array(part, { maxLength: 8 })).map(([start, parts]) => start + parts.join('/'));
    await fc.assert(
      fc.asyncProperty(path, async (written) => {
        for (const place of [await workspace.resolveForRead(written), await workspace.resolveForWrite(written)]) {
          if (!place.ok) continue;
          const { absolute } = place.value;
          expect(isInside(inside, absolute)).toBe(true);
          // What the system would open is the very path that was checked.
          let existing = absolute;
          while (!existsSync(existing)) existing = dirname(existing);
          expect(realpathSync(existing)).toBe(existing);
        }
      }),
      { numRuns: 400, seed: 7 },
    );
  });

  test('resolving twice changes nothing', async () => {
    const root = scratch({ 'x/y': '' });
    mkdirSync(join(root, 'z'));
    writeFileSync(join(root, 'z', 'f'), '');
    symlinkSync('../x', join(root, 'z', 'l'));
    const workspace = at(root);
    const path = fc.array(fc.constantFrom('x', 'y', 'z', 'l', 'f', '..', 'n'), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(path, async (parts) => {
        const once = await workspace.resolveForWrite(parts.join('/'));
        if (once.ok) expect(await workspace.resolveForWrite(once.value.absolute)).toEqual(once);
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});
