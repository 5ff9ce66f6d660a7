import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sleep } from '../../base/abort.ts';
import type { Emit, ToolAnswer } from '../../loop/ports.ts';
import { bashTool } from './bash.ts';

let directory: string;
beforeEach(() => {
  directory = fs.mkdtempSync(join(tmpdir(), 'bash-'));
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

const tool = () =>
  bashTool({
    cwd: directory,
    env: process.env,
    spillDir: join(directory, 'spill'),
    defaultTimeoutMs: 120_000,
    maxTimeoutMs: 600_000,
    environmentFilter: ({ SECRET_KEY: _, ...rest }) => rest,
  });

interface Options {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly emit?: Emit;
}

async function run(command: string, { timeout, signal, emit }: Options = {}): Promise<ToolAnswer> {
  const prepared = tool().prepare({ command, ...(timeout === undefined ? {} : { timeout }) });
  if (!prepared.ok) return prepared.fault;
  const silent = new AbortController().signal;
  return await prepared.value.run({ callId: 'call/1', signal: signal ?? silent, emit: emit ?? (() => {}) });
}

test('a command that succeeds answers with its output alone', async () => {
  const { ok, text, data } = await run('echo hello; echo oops >&2');
  expect([ok, text]).toEqual([true, 'hello\noops']);
  expect(data).toMatchObject({ command: 'echo hello; echo oops >&2', exitCode: 0, bytes: 11 });
});

test('no output is said', async () => {
  expect((await run('true')).text).toBe('(no output)');
});

test('an exit code other than 0 is said and is no success', async () => {
  expect(await run('echo x; exit 3')).toMatchObject({ ok: false, text: 'x\n[Exit code 3.]', data: { exitCode: 3 } });
});

test('death by a signal is said', async () => {
  const { ok, text, data } = await run('kill -SEGV $$');
  expect([ok, text, data?.['signal']]).toEqual([false, '(no output)\n[Killed by SIGSEGV.]', 'SIGSEGV']);
});

test('a time-out is said in words with what to do', async () => {
  const { ok, text } = await run('echo begun; sleep 300', { timeout: 0.3 });
  expect(ok).toBe(false);
  expect(text).toMatch(
    /^begun\n\[Time-out: stopped after 0\.3 s, not finished\. If it needs more time, give a longer timeout/,
  );
});

test('an interrupt answers with the output so far', async () => {
  const controller = new AbortController();
  const running = run('echo begun; sleep 300', { signal: controller.signal });
  await sleep(300);
  controller.abort();
  expect((await running).text).toBe('begun\n[Interrupted before it finished.]');
});

test('a long output is cut and names its length and the file with the whole', async () => {
  const { ok, text, data } = await run('seq 1 5000');
  const spill = join(directory, 'spill', 'call_1.txt');
  expect([ok, data?.['spill'], data?.['bytes']]).toEqual([true, spill, 23893]);
  expect(text).toContain(`[Output cut: 23893 bytes in all. The whole is in ${spill}: page it with read`);
  expect(fs.readFileSync(spill, 'utf8').split('\n')).toHaveLength(5001);
  // Another call with the same id (ids of some servers repeat) does not overwrite it.
  expect((await run('seq 1 6000')).data?.['spill']).toBe(join(directory, 'spill', 'call_1-2.txt'));
});

test('a background process that holds the output is told of', async () => {
  const { ok, text } = await run('sleep 300 & echo $!');
  process.kill(Number.parseInt(text, 10), 'SIGKILL');
  expect(ok).toBe(true);
  expect(text).toContain('command > log 2>&1 &');
});

test('output is shown live in few pieces', async () => {
  const pieces: string[] = [];
  const emit: Emit = (happening) => {
    if (happening.type === 'tool.printed') pieces.push(happening.text);
  };
  await run('for i in $(seq 200); do echo line $i; done; sleep 0.3; echo end', { emit });
  expect(pieces.join('')).toMatch(/^line 1\n[\s\S]*line 200\nend\n$/);
  expect(pieces.length).toBeLessThan(5);
});

test('what the filter takes out does not reach the command', async () => {
  process.env['SECRET_KEY'] = 'sk-1';
  expect((await run('echo "[$SECRET_KEY]"')).text).toBe('[]');
  delete process.env['SECRET_KEY'];
});

test('the loop waits longer than the command may take, and never longer than the maximum', () => {
  const limit = (input: object) => {
    const prepared = tool().prepare({ command: 'true', ...input });
    return prepared.ok ? prepared.value.timeoutMs : undefined;
  };
  expect(limit({})).toBe(125_000);
  expect(limit({ timeout: 10 })).toBe(15_000);
  expect(limit({ timeout: 120_000 })).toBe(605_000);
  expect(limit({ timeout: -1 })).toBe(125_000);
});
