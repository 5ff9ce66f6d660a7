import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { scratch } from './testing/scratch.ts';

const isRoot = process.getuid?.() === 0;
/** Permission bits mean nothing to root, so the search runs as nobody. */
const canDrop = !isRoot || existsSync('/usr/bin/setpriv');

const Answers = z.array(z.object({ ok: z.boolean(), text: z.string() }));

/** What the tools answer, as somebody without rights of their own, to `[tool, input]` each. */
function answers(root: string, find: string, calls: readonly (readonly ['grep' | 'glob', object])[]) {
  const program = `
    const { grepTool } = await import(${JSON.stringify(new URL('./grep.ts', import.meta.url).href)});
    const { globTool } = await import(${JSON.stringify(new URL('./glob.ts', import.meta.url).href)});
    const { ripgrepFinder } = await import(${JSON.stringify(new URL('./search/ripgrep.ts', import.meta.url).href)});
    const { createWorkspace } = await import(${JSON.stringify(new URL('./workspace.ts', import.meta.url).href)});
    const workspace = createWorkspace({ cwd: ${JSON.stringify(root)}, roots: [${JSON.stringify(root)}] });
    const findRipgrep = ${find};
    const tools = { grep: grepTool({ workspace, findRipgrep }), glob: globTool({ workspace, findRipgrep }) };
    const said = [];
    for (const [name, input] of ${JSON.stringify(calls)}) {
      const io = { callId: 'c', signal: new AbortController().signal, emit: () => {} };
      said.push(await tools[name].prepare(input).value.run(io));
    }
    console.log(JSON.stringify(said));`;
  const node = [process.execPath, '--input-type=module', '-e', program];
  const command = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...node] : node;
  const [name = '', ...args] = command;
  return Answers.parse(JSON.parse(execFileSync(name, args, { cwd: '/', encoding: 'utf8' })));
}

const finders = [
  ['ripgrep', 'ripgrepFinder(undefined)'],
  ['our own search', '() => undefined'],
] as const;

describe.skipIf(!canDrop).each(finders)('without the right to read, %s', (_name, find) => {
  function tree(files: Record<string, string>, closed: readonly string[]): string {
    const root = scratch(files);
    chmodSync(root, 0o755);
    for (const path of closed) chmodSync(join(root, path), 0);
    return root;
  }

  test('says how many files and folders it could not read, and names the first ones', () => {
    const files = { 'a.ts': 'hit', 'open.ts': 'hit\n', 'pattern.ts': 'hit', 'sub/c.ts': 'hit', 'z.ts': 'hit' };
    const [grep, none, glob, noFile] = answers(tree(files, ['a.ts', 'pattern.ts', 'sub', 'z.ts']), find, [
      ['grep', { pattern: 'hit' }],
      ['grep', { pattern: 'miss' }],
      ['glob', { pattern: '*.ts' }],
      ['glob', { pattern: '*.py' }],
    ]);
    expect(grep?.ok).toBe(true);
    expect(grep?.text).toContain('open.ts\n1:hit');
    expect(grep?.text).toContain('4 could not be read: a.ts, pattern.ts, sub, ...');
    expect(none?.text).toContain('1 file searched');
    expect(none?.text).toContain('4 could not be read: a.ts, pattern.ts, sub, ...');
    expect(glob?.text).toContain('z.ts');
    expect(glob?.text).toContain('1 could not be read: sub');
    expect(noFile?.text).toContain('1 could not be read: sub');
  });

  test('is no success where nothing at all could be read', () => {
    const [grep, glob] = answers(tree({ 'sub/a': 'hit' }, ['sub']), find, [
      ['grep', { pattern: 'hit' }],
      ['glob', { pattern: '*' }],
    ]);
    expect(grep).toMatchObject({ ok: false });
    expect(grep?.text).toContain('1 could not be read: sub');
    expect(glob).toMatchObject({ ok: false });
    expect(glob?.text).toContain('1 could not be read: sub');
    expect(glob?.text).not.toContain('There are no files');
  });

  test('fails where the path itself cannot be read', () => {
    const root = tree({ 'sub/a': 'hit', file: 'hit' }, ['sub', 'file']);
    const told = answers(root, find, [
      ['grep', { pattern: 'hit', path: 'sub' }],
      ['grep', { pattern: 'hit', path: 'file' }],
      ['glob', { pattern: '*', path: 'sub' }],
      ['glob', { pattern: 'sub/*' }],
    ]);
    for (const { ok, text } of told) {
      expect(ok).toBe(false);
      expect(text).toContain('permission denied by the system');
    }
    chmodSync(root, 0o311);
    for (const { ok, text } of answers(root, find, [
      ['grep', { pattern: 'hit' }],
      ['glob', { pattern: '*' }],
    ])) {
      expect(ok).toBe(false);
      expect(text).toContain('permission denied by the system');
    }
  });
});
