import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Shells } from '../shell/shells.ts';
import { bashTool } from './bash.ts';
import { shellDirectory } from './shell-directory.ts';
import type { Tool } from './tool.ts';

let directory: string;
let shells: Shells;
let tool: Tool;
beforeEach(() => {
  directory = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'checks-')));
  shells = new Shells({ env: process.env });
  tool = bashTool({
    shells,
    directory: shellDirectory({ cwd: directory, roots: [directory] }),
    spillDir: join(directory, 'spill'),
    defaultTimeoutMs: 20_000,
    maxTimeoutMs: 60_000,
    platform: 'linux',
    hiddenVariables: [],
  });
  fs.writeFileSync(join(directory, 'test.sh'), 'echo one; echo two; exit 3\n');
});
afterEach(async () => {
  await shells.close();
  fs.rmSync(directory, { recursive: true, force: true });
});

async function run(command: string, more: object = {}) {
  const prepared = tool.prepare({ command, ...more });
  if (!prepared.ok) throw new Error(prepared.fault.text);
  const { text, data } = await prepared.value.run({
    callId: 'a',
    signal: new AbortController().signal,
    emit: () => {},
  });
  return { text, data: data ?? {} };
}

describe('a check behind a pipe', () => {
  test('is told with its own status, which the shell gives', async () => {
    const { text, data } = await run('sh ./test.sh | tail -1');
    expect(text).toBe('two\n[`sh ./test.sh` itself ended with exit code 3; the line ended with 0.]');
    expect(data['checks']).toMatchObject([
      { command: 'sh ./test.sh', kind: 'test', status: 3, outcome: 'failed', by: 'status' },
    ]);
    expect(data['commands']).toMatchObject([{ status: 3 }, { command: 'tail -1', status: 0 }]);
  });

  test('needs no word where it passed', async () => {
    fs.writeFileSync(join(directory, 'test.sh'), 'echo fine\n');
    const { text, data } = await run('sh ./test.sh 2>&1 | tail -1');
    expect([text, data['checks']]).toMatchObject(['fine', [{ status: 0, outcome: 'passed' }]]);
  });

  test('whose status nobody knows is told with what to do', async () => {
    expect((await run('sh ./test.sh; echo done')).text).toBe(
      'one\ntwo\ndone\n[Exit code 0 is that of `echo`; the status of `sh ./test.sh` is unknown: run it alone or last.]',
    );
    expect((await run('sh ./test.sh | head -1 | cat; true')).text).toContain('is that of `true`; the status of');
    expect((await run('sh ./test.sh || true')).text).toContain(
      'may be that of `true` behind ||; the status of `sh ./test.sh` is unknown: run it without ||.',
    );
  });
});

test('a command that is no check, or a check alone, has no further line', async () => {
  expect((await run('echo a | tail -1')).text).toBe('a');
  const { text, data } = await run('sh ./test.sh');
  expect([text, data['checks']]).toMatchObject(['one\ntwo\n[Exit code 3.]', [{ status: 3, outcome: 'failed' }]]);
});

test('scripts are known by their text, also in the folder to which the line goes', async () => {
  fs.mkdirSync(join(directory, 'web'));
  fs.writeFileSync(join(directory, 'web/package.json'), '{"scripts":{"foo":"vitest run"}}');
  fs.writeFileSync(join(directory, 'package.json'), '{damaged');
  expect((await run('cd web && npm run foo; exit 4')).data['checks']).toMatchObject([
    { kind: 'test', family: 'vitest' },
  ]);
  expect((await run('cd .. && npm run foo')).data['checks']).toBeUndefined();
});

test('a check that goes on has no outcome yet, and has one when it is asked for', async () => {
  fs.writeFileSync(join(directory, 'test.sh'), 'sleep 0.6; exit 3\n');
  const begun = await run('sh ./test.sh', { timeout: 0.2 });
  expect(begun.data['checks']).toMatchObject([{ status: 'unknown', outcome: 'unknown' }]);
  const prepared = tool.prepare({ shell_id: String(begun.data['shell']), timeout: 10 });
  const told = prepared.ok
    ? await prepared.value.run({ callId: 'b', signal: new AbortController().signal, emit: () => {} })
    : undefined;
  expect(told?.data?.['checks']).toMatchObject([{ status: 3, outcome: 'failed' }]);
});

test('lines that change files say so', async () => {
  expect((await run('echo x > a')).data['changesFiles']).toBe(true);
  expect((await run('cat a')).data['changesFiles']).toBeUndefined();
});
