import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sleep } from '../../base/abort.ts';
import { findShell } from './environment.ts';
import { runShell, type ShellRequest } from './run.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'shell-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function run(command: string, more: Partial<ShellRequest> = {}) {
  const ran = await runShell({
    command,
    cwd: directory,
    env: process.env,
    timeoutMs: 15_000,
    signal: new AbortController().signal,
    spillPath: join(directory, 'kept', 'out.txt'),
    ...more,
  });
  if (!ran.ok) throw new Error(ran.fault);
  return ran.value;
}

/** A length of sleep, in seconds, that no other run of these tests uses. */
const ours = (number: number) => `987.${number}${process.pid}`;

/** Processes whose command line holds `mark`. */
async function living(mark: string): Promise<string> {
  return (await run(`ps -eo args | grep -F ${mark} | grep -v grep; true`)).text;
}

test('both streams come in the order of printing, with the exit code', async () => {
  const { text, exitCode, isCut, spillPath } = await run('echo a; echo b >&2; echo c; echo d >&2; exit 3');
  expect({ text, exitCode, isCut, spillPath }).toEqual({
    text: 'a\nb\nc\nd\n',
    exitCode: 3,
    isCut: false,
    spillPath: undefined,
  });
});

test('a syntax error of the command is output too', async () => {
  const { text, exitCode } = await run('if; then');
  expect(exitCode).toBe(2);
  expect(text).toContain('syntax error');
});

test('a here-document arrives as it was written', async () => {
  await run("cat > a <<'EOF'\n$x `y` \\n\nEOF");
  expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('$x `y` \\n\n');
});

test('a shell that a signal ends has no exit code but the signal', async () => {
  const { exitCode, signal } = await run('kill -KILL $$');
  expect([exitCode, signal]).toEqual([undefined, 'SIGKILL']);
});

test('the input is empty, so that a question ends at once', async () => {
  const { text, durationMs } = await run('read -p "Project name: " name; echo "made [$name]"');
  expect(text).toContain('made []');
  expect(durationMs).toBeLessThan(2000);
});

test('pagers print, editors fail, colours are off, CI is not set', async () => {
  const { text } = await run(
    'echo $PAGER $GIT_PAGER $TERM $NO_COLOR $(printenv CI || echo unset); sh -c "$GIT_EDITOR x"; echo $?',
    {
      env: { ...process.env, CI: 'true', TERM: 'xterm', PAGER: 'less' },
    },
  );
  expect(text).toBe('cat cat dumb 1 unset\nNo editor can be opened here: pass the text by an option, such as -m.\n1\n');
});

test('at the time limit the whole group ends, and the output so far is kept', async () => {
  const { text, stoppedBy, durationMs } = await run(`echo begun; bash -c 'sleep ${ours(1)} & wait'`, {
    timeoutMs: 400,
  });
  expect([text, stoppedBy]).toEqual(['begun\n', 'timeout']);
  expect(durationMs).toBeLessThan(2500);
  expect(await living(ours(1))).toBe('');
});

test('a process that refuses to end is killed', async () => {
  const { stoppedBy, durationMs } = await run(
    `trap '' TERM; bash -c "trap '' TERM; sleep ${ours(2)}"; sleep ${ours(2)}`,
    {
      timeoutMs: 300,
    },
  );
  expect(stoppedBy).toBe('timeout');
  expect(durationMs).toBeLessThan(3000);
  expect(await living(ours(2))).toBe('');
});

test('an abort ends it with the output so far', async () => {
  const controller = new AbortController();
  const running = run(`echo begun; sleep ${ours(3)}`, { signal: controller.signal });
  await sleep(300);
  controller.abort();
  const { text, stoppedBy, durationMs } = await running;
  expect([text, stoppedBy]).toEqual(['begun\n', 'abort']);
  expect(durationMs).toBeLessThan(2000);
  expect(await living(ours(3))).toBe('');
});

test('an abort before the start ends it at once', async () => {
  const { stoppedBy, durationMs } = await run(`sleep ${ours(4)}`, { signal: AbortSignal.abort() });
  expect(stoppedBy).toBe('abort');
  expect(durationMs).toBeLessThan(2000);
});

test('a background process that holds the output is not waited for, and lives on', async () => {
  const { text, exitCode, isHeld, durationMs } = await run('sleep 300 & echo $!');
  const pid = Number(text);
  expect([exitCode, isHeld]).toEqual([0, true]);
  expect(durationMs).toBeLessThan(1500);
  expect(process.kill(pid, 'SIGKILL')).toBe(true);
});

test('a background process that prints without end is not waited for either', async () => {
  const { isHeld, durationMs } = await run('(for i in $(seq 100); do echo $i; sleep 0.05; done) & echo started');
  expect(isHeld).toBe(true);
  expect(durationMs).toBeLessThan(2500);
});

test('200 MB of output need little memory and are kept whole in a file of the owner', async () => {
  const before = process.memoryUsage().rss;
  let most = before;
  const ran = await run('echo first; head -c 200000000 /dev/zero | tr "\\0" "x"; echo; echo last', {
    onOutput: () => {
      most = Math.max(most, process.memoryUsage().rss);
    },
  });
  expect(ran.bytes).toBe(200_000_012);
  expect(ran.text.length).toBeLessThan(8200);
  expect(ran.text).toMatch(/^first\nx+\n\[... the middle of 200000012 bytes is left out ...\]\nx+\nlast\n$/);
  expect((most - before) / 1e6).toBeLessThan(100);
  const kept = statSync(ran.spillPath ?? '');
  expect([kept.size, kept.mode & 0o777]).toEqual([200_000_012, 0o600]);
});

test('output without end is stopped at its limit', async () => {
  const { stoppedBy, bytes } = await run('yes', { outputLimitBytes: 3_000_000 });
  expect(stoppedBy).toBe('flood');
  expect(bytes).toBeGreaterThan(3_000_000);
});

test('of a long output head and tail are cut at line ends', async () => {
  const { text, isCut, spillPath } = await run('seq 1 5000');
  expect(isCut).toBe(true);
  expect(text).toMatch(
    /^1\n2\n[\d\n]+\n\[\.\.\. the middle of 23893 bytes is left out \.\.\.\]\n\d{4}\n[\d\n]+5000\n$/,
  );
  expect(readFileSync(spillPath ?? '', 'utf8')).toMatch(/^1\n2\n3\n[\d\n]+5000\n$/);
});

test('an output just within the limit is shown whole and leaves no file', async () => {
  const { text, isCut, spillPath } = await run('head -c 8000 /dev/zero | tr "\\0" x');
  expect([text.length, isCut, spillPath]).toEqual([8000, false, undefined]);
});

test('where the whole cannot be kept the reason is said and the command goes on', async () => {
  const { exitCode, spillPath, spillFault } = await run('seq 1 5000', { spillPath: '/dev/null/x' });
  expect([exitCode, spillPath]).toEqual([0, undefined]);
  expect(spillFault).toContain('/dev/null');
});

test('a character split over two chunks is whole in the live output and in the end', async () => {
  let live = '';
  const { text } = await run("printf '\\xe2\\x82'; sleep 0.2; printf '\\xac'", {
    onOutput: (piece) => {
      live += piece;
    },
  });
  expect([text, live]).toEqual(['\u20AC', '\u20AC']);
});

test('colours and the earlier states of a progress bar are left out', async () => {
  const { text } = await run("printf '\\033[32m10%%\\r50%%\\r100%%\\033[0m done\\n\\033]0;title\\007x\\b\\n'");
  expect(text).toBe('100% done\nx\n');
});

test('a working directory that is gone and a command that is too long are said', async () => {
  const request = {
    command: 'true',
    cwd: join(directory, 'gone'),
    env: process.env,
    timeoutMs: 1000,
    signal: new AbortController().signal,
    spillPath: join(directory, 'x'),
  };
  expect(await runShell(request)).toEqual({
    ok: false,
    fault: `The working directory ${directory}/gone is gone.`,
  });
  const long = await runShell({ ...request, cwd: directory, command: `: ${'x'.repeat(200_000)}` });
  expect(long).toMatchObject({ ok: false, fault: expect.stringContaining('too long') });
});

test('bash is preferred wherever it is found', () => {
  expect(findShell({ PATH: '/usr/bin' })).toMatch(/\/bash$/);
});
