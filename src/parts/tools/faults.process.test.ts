/** Every row of the fault corpus about the shell and the search tools, with its right outcome. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ToolAnswer } from '../../loop/ports.ts';
import { decode, encodingOf } from '../shell/decode.ts';
import { secretNames, withoutNames } from '../shell/secrets.ts';
import { Shells } from '../shell/shells.ts';
import { processesWith, within } from '../shell/testing/session.ts';
import { bashTool } from './bash.ts';
import { grepTool } from './grep.ts';
import { readTool } from './read.ts';
import { ripgrepFinder } from './search/ripgrep.ts';
import { createSeenFiles } from './seen.ts';
import { shellDirectory } from './shell-directory.ts';
import { call, scratch } from './testing/scratch.ts';
import { createWorkspace } from './workspace.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly trigger: {
    readonly command?: string;
    readonly commands?: readonly string[];
    readonly variants?: readonly { readonly command: string }[];
    readonly timeout_s?: number;
    readonly stdout_hex?: string;
    readonly stdout?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly path?: string;
    readonly bytes?: number;
    readonly pattern?: string;
  };
  readonly expect: {
    readonly returns_within_s?: number;
    readonly stdout?: string;
    readonly text?: string;
    readonly rss_mb_max?: number;
    readonly chars_max?: number;
    readonly file?: string;
  };
}

const corpus = new URL('../../../test/fixtures/corpus/faults-f.jsonl', import.meta.url);
const rows: readonly Row[] = readFileSync(corpus, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
const tested = new Set<string>();

/** One test for the row; what it states must be used, so the row is handed over. */
function fault(id: string, check: (row: Row) => Promise<void>): void {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`the corpus has no row ${id}`);
  tested.add(id);
  test(`${id} ${row.title}`, { timeout: 40_000 }, () => check(row));
}

afterAll(() => {
  expect([...tested].sort()).toEqual(rows.map(({ id }) => id).sort());
});

interface Bash {
  readonly root: string;
  call(input: object): Promise<ToolAnswer & { readonly seconds: number }>;
  close(): Promise<void>;
}

function bashIn(root: string, environment: Readonly<Record<string, string | undefined>> = process.env): Bash {
  const hiddenVariables = secretNames(environment, { keep: [], names: [] });
  const shells = new Shells({ env: withoutNames(environment, hiddenVariables) });
  const tool = bashTool({
    shells,
    directory: shellDirectory({ cwd: root, roots: [root] }),
    spillDir: join(root, '.spill'),
    defaultTimeoutMs: 120_000,
    maxTimeoutMs: 600_000,
    platform: process.platform,
    hiddenVariables,
  });
  return {
    root,
    call: async (input) => {
      const startedAt = performance.now();
      const answer = await call(tool, input);
      return { ...answer, seconds: (performance.now() - startedAt) / 1000 };
    },
    close: () => shells.close(),
  };
}

/** Runs the row's command; the session is ended afterwards. */
async function ran(row: Row, more: object = {}, bash = bashIn(scratch())) {
  const answer = await bash.call({ command: row.trigger.command, ...more });
  await bash.close();
  return answer;
}

const timeoutOf = (row: Row) => ({ timeout: row.trigger.timeout_s });

fault('F001', async (row) => {
  const answer = await ran(row);
  expect(answer.seconds).toBeLessThan(row.expect.returns_within_s ?? 0);
  expect(answer.text).toMatch(/^started\n\[Still running in background, pid \d+/);
});

fault('F002', async (row) => {
  const mark = `999${process.pid}`;
  const marked = { ...row, trigger: { ...row.trigger, command: row.trigger.command?.replace('999', mark) ?? '' } };
  const answer = await ran(marked, timeoutOf(row));
  expect(answer.text).toContain('goes on in the background');
  expect(await within(2000, () => processesWith(`sleep\0${mark}`).length === 0)).toBe(true);
});

fault('F004', async (row) => {
  const root = scratch({ 'a.txt': 'a' });
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...words], { cwd: root });
  git('init', '-q');
  for (const number of [1, 2, 3]) git('commit', '-q', '--allow-empty', '-m', `${number}`);
  const head = git('rev-parse', 'HEAD').toString();
  git('config', 'user.name', 'x');
  git('config', 'user.email', 'x@example.org');
  git('add', 'a.txt');
  for (const { command = '' } of [row.trigger, ...(row.trigger.variants ?? [])]) {
    if (command.includes('rebase')) git('stash', '-q');
    const { data, text } = await ran(row, { command }, bashIn(root));
    expect(data?.['exitCode']).not.toBe(0);
    expect(text).toContain('commit -m');
    expect(git('rev-parse', 'HEAD').toString()).toBe(head);
  }
});

fault('F005', async (row) => {
  const root = scratch();
  execFileSync(
    'sh',
    [
      '-c',
      'git init -q && for i in $(seq 300); do git -c user.name=x -c user.email=x@example.org commit -q --allow-empty -m "line $i"; done',
    ],
    { cwd: root },
  );
  const answer = await ran(row, {}, bashIn(root));
  expect(answer.seconds).toBeLessThan(row.expect.returns_within_s ?? 0);
  expect(answer.text).toContain('line 300');
});

fault('F006', async (row) => {
  const closed = await ran(row);
  expect(closed.seconds).toBeLessThan(5);
  expect(closed.text).toContain('made');
  // With an input that stays open it would wait: that is seen, said, and can be answered.
  for (const more of [{ background: true }, { terminal: true }]) {
    const bash = bashIn(scratch());
    const asked = await bash.call({ command: row.trigger.command, ...more });
    expect(asked.seconds).toBeLessThan(row.expect.returns_within_s ?? 0);
    expect(asked.text).toContain('[It waits for input');
    if ('terminal' in more) expect(asked.text).toContain('Project name:\n');
    expect((await bash.call({ shell_id: '1', input: 'x', timeout: 5 })).text).toContain('made x');
    await bash.close();
  }
});

fault('F007', async (row) => {
  const answer = await ran(row, timeoutOf(row));
  expect(answer.seconds).toBeLessThan(row.expect.returns_within_s ?? 0);
  expect(answer.text).toContain('it goes on in the background as shell_id');
});

fault('F008', async (row) => {
  const before = process.memoryUsage().rss;
  const root = scratch();
  // Bounded for the test's disk; the real bound is the shells' own.
  const shells = new Shells({ env: process.env, outputLimitBytes: 300_000_000 });
  const order = { command: row.trigger.command ?? '', cwd: root, limitMs: 5000, spillPath: join(root, 'out') };
  const report = await shells.run({ ...order, signal: new AbortController().signal });
  expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(row.expect.rss_mb_max ?? 0);
  expect(report).toMatchObject({ ok: true, value: { isCut: true } });
  await shells.close();
});

fault('F009', async (row) => {
  const bytes = Buffer.from(row.trigger.stdout_hex?.replaceAll(' ', '') ?? '', 'hex');
  expect(decode(bytes, encodingOf(bytes))).toBe(row.expect.text);
  const root = scratch({ 'out.bin': bytes });
  expect((await ran(row, { command: 'cat out.bin' }, bashIn(root))).text).toBe(row.expect.text?.trimEnd());
});

fault('F010', async (row) => {
  const root = scratch({ out: row.trigger.stdout ?? '' });
  expect((await ran(row, { command: 'cat out' }, bashIn(root))).text).toBe(row.expect.text?.trimEnd());
});

fault('F011', async (row) => {
  const bash = bashIn(scratch({ 'sub/inside.txt': '' }));
  const [first = '', second = ''] = row.trigger.commands ?? [];
  expect((await bash.call({ command: first })).text).toContain('[bash directory: sub from now on');
  expect((await bash.call({ command: second })).text).toBe('inside.txt\n[bash directory: sub]');
  // A deleted one is handled.
  await bash.call({ command: 'rm -r ../sub' });
  const lost = await bash.call({ command: 'pwd' });
  expect(lost.text).toContain(`${bash.root}\n[The directory sub is gone`);
  await bash.close();
});

fault('F012', async (row) => {
  const bash = bashIn(scratch({ 'sub/': '' }));
  const answer = await bash.call({ command: row.trigger.command });
  expect(answer.text).toContain('[bash directory: .]');
  expect((await bash.call({ command: 'pwd' })).text).toBe(bash.root);
  await bash.close();
});

fault('F013', async (row) => {
  const root = scratch({ 'a/x.txt': 'needle' });
  symlinkSync('..', join(root, 'a', 'loop'));
  for (const findRipgrep of [ripgrepFinder(undefined), () => undefined]) {
    const startedAt = performance.now();
    const grep = grepTool({ workspace: createWorkspace({ cwd: root, roots: [root] }), findRipgrep });
    expect((await call(grep, { pattern: 'needle' })).data).toMatchObject({ matches: 1 });
    expect(performance.now() - startedAt).toBeLessThan((row.expect.returns_within_s ?? 0) * 1000);
  }
});

fault('F014', async (row) => {
  const files = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}/a.ts`, '// TODO\n'.repeat(5)]));
  const home = scratch({ ...files, '.gitignore': 'node_modules\n', 'node_modules/x/b.ts': '// TODO\n' });
  mkdirSync(join(home, '.git'));
  const workspace = createWorkspace({ cwd: home, roots: [home] });
  const grep = grepTool({ workspace, findRipgrep: ripgrepFinder(undefined), home });
  const { text } = await call(grep, { pattern: row.trigger.pattern });
  expect(text).toMatch(/narrow|more/);
  expect(text).toContain('whole home directory');
  expect(text).not.toContain('node_modules/');
});

fault('F016', async (row) => {
  const { text } = await ran(row, {}, bashIn(scratch(), { HOME: '/', ...row.trigger.env }));
  for (const [name, value] of Object.entries(row.trigger.env ?? {})) {
    expect(text).not.toContain(name);
    expect(text).not.toContain(value);
  }
  expect(text).toMatch(/^PATH=\/\S+:\/usr\/bin/m);
});

fault('F017', async (row) => {
  const root = scratch();
  await ran(row, {}, bashIn(root));
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe(row.expect.file);
});

fault('F018', async () => {
  // The row's own line is fine in bash; here it is the other way round that goes wrong.
  const { text } = await ran(
    { id: '', title: '', trigger: {}, expect: {} },
    { command: '$env:A = "1"; Get-ChildItem' },
  );
  expect(text).toContain('This is PowerShell; the shell here is bash.');
});

fault('F019', async (row) => {
  const root = scratch();
  const path = row.trigger.path ?? '';
  writeFileSync(join(root, path), Buffer.alloc(row.trigger.bytes ?? 0, Buffer.from([0, 1, 2, 255, 127, 69])));
  const workspace = createWorkspace({ cwd: root, roots: [root] });
  const { text } = await call(readTool({ workspace, seen: createSeenFiles() }), { path });
  expect(text.length).toBeLessThanOrEqual(row.expect.chars_max ?? 0);
  const shell = await ran(row, { command: `cat ${path}` }, bashIn(root));
  expect(shell.text.length).toBeLessThanOrEqual(row.expect.chars_max ?? 0);
  expect(existsSync(String(shell.data?.['spill']))).toBe(true);
});
