import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sleep } from '../../base/abort.ts';
import type { Emit, ToolAnswer } from '../../loop/ports.ts';
import { withoutNames } from '../shell/secrets.ts';
import { Shells } from '../shell/shells.ts';
import { within } from '../shell/testing/session.ts';
import { bashTool } from './bash.ts';
import { fateText, newsText } from './bash-report.ts';
import { shellDirectory } from './shell-directory.ts';
import type { Tool } from './tool.ts';

let directory: string;
let shells: Shells;
let tool: Tool;
beforeEach(() => {
  directory = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'bash-')));
  shells = new Shells({ env: withoutNames({ ...process.env, SECRET_KEY: 'sk-1' }, ['SECRET_KEY']) });
  tool = bashTool({
    shells,
    directory: shellDirectory({ cwd: directory, roots: [directory] }),
    spillDir: join(directory, 'spill'),
    defaultTimeoutMs: 120_000,
    maxTimeoutMs: 600_000,
    platform: 'linux',
    hiddenVariables: ['SECRET_KEY'],
  });
});
afterEach(async () => {
  await shells.close();
  fs.rmSync(directory, { recursive: true, force: true });
});

interface Options {
  readonly signal?: AbortSignal;
  readonly emit?: Emit;
  readonly [parameter: string]: unknown;
}

async function call({ signal, emit, ...input }: Options): Promise<ToolAnswer> {
  const prepared = tool.prepare(input);
  if (!prepared.ok) return prepared.fault;
  const silent = new AbortController().signal;
  return await prepared.value.run({ callId: 'call/1', signal: signal ?? silent, emit: emit ?? (() => {}) });
}

const run = (command: string, options: Options = {}) => call({ command, ...options });

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

test('signals and the exit codes that mean something are told in words', async () => {
  const died = await run('kill -SEGV $$');
  expect([died.ok, died.data?.['signal']]).toEqual([false, 'SIGSEGV']);
  expect(died.text).toBe('(no output)\n[Killed by SIGSEGV, segmentation fault: it used memory that is not its own.]');
  const words = async (command: string) => (await run(command)).text.split('\n').at(-1);
  expect(await words('exit 137')).toContain('SIGKILL');
  expect(await words('exit 139')).toContain('segmentation fault');
  expect(await words('exit 134')).toContain('SIGABRT');
  expect(await words('exit 130')).toContain('interrupt');
  expect(await words('timeout 0.1 sleep 5')).toContain('time is up');
  expect(await words('touch script; ./script')).toContain('chmod +x');
  expect(await words('no-such-thing')).toBe('[Exit code 127: command not found.]');
});

test('at its limit it goes on, and the answer says how to go on with it', async () => {
  const { ok, text, data } = await run('echo begun; sleep 1; echo done', { timeout: 0.3 });
  expect([ok, data?.['state'], data?.['shell']]).toEqual([true, 'running', '1']);
  expect(text).toMatch(/^begun\n\[Not finished after 0\.\d s: it goes on in the background as shell_id "1"\./);
  expect(await call({ shell_id: '1', timeout: 5 })).toMatchObject({ ok: true, text: 'done', data: { exitCode: 0 } });
});

test('a server started in the background can be asked, fed and stopped', async () => {
  const server = await run('echo listening; cat', { background: true });
  expect(server.text).toBe('listening\n[It waits for input, as shell_id "1": answer with input, or stop it.]');
  expect((await call({ shell_id: '1', input: 'hello' })).text).toMatch(/^hello\n/);
  expect((await call({ shell_id: '1', stop: true })).text).toBe('(no output)\n[Stopped.]');
  expect((await call({ shell_id: '1' })).text).toBe(
    'bash: There is no shell "1". None is in the background; they end with the session.',
  );
});

test('what happens in the background is told in words', async () => {
  await run('sleep 0.3; echo broken; exit 2', { timeout: 0.1 });
  await sleep(900);
  expect(newsText(shells.news('all'))).toBe(
    '[Shell 1 (sleep 0.3; echo broken; exit 2) has ended: exit code 2.]\nbroken',
  );
  expect(newsText(shells.news('all'))).toBe('');
});

test('of a long output in the background the end is told, and where the whole is', async () => {
  await run('sleep 0.3; seq 1000', { timeout: 0.1 });
  await sleep(900);
  const spill = join(directory, 'spill', 'call_1.txt');
  expect(newsText(shells.news('all'))).toMatch(/\n989\n[\d\n]+1000\n\[These are its last lines\. The whole is in /);
  expect(fs.readFileSync(spill, 'utf8').split('\n')).toHaveLength(1001);
});

test('the user hears once of each end that no answer told, and of what ends with the session', async () => {
  const told = (which: 'all' | 'ended') => shells.fates(which).map(fateText);
  await run('sleep 0.2; exit 3', { timeout: 0.1 });
  await run('sleep 0.2; exit 4', { timeout: 0.1 });
  await run('sleep 300', { timeout: 0.1 });
  await call({ shell_id: '2', timeout: 5 });
  expect(await within(3000, () => told('ended').join() === 'shell 1 (sleep 0.2; exit 3) ended: exit code 3.')).toBe(
    true,
  );
  expect(told('all')).toEqual(['shell 3 (sleep 300) is stopped with the session.']);
  expect(told('all')).toEqual([]);
});

test('what a command leaves while all places are taken is stopped, and that is said', async () => {
  await shells.close();
  for (let count = 1; count <= 8; count++) expect((await run('sleep 300 & echo started')).ok).toBe(true);
  const ninth = await run('sleep 300 & echo started');
  expect(ninth.ok).toBe(false);
  expect(ninth.text).toContain('started\n[What it left in the background was stopped: 8 shells run there already');
  expect(ninth.text).toContain('(shell_id 1, 2, 3, 4, 5, 6, 7, 8)');
  expect((await run('echo fine')).ok).toBe(true);
});

test('a signal without a name is no success', async () => {
  const { ok, text } = await run('kill -RTMIN $$');
  expect([ok, text]).toEqual([false, '(no output)\n[Killed by a signal that has no name here, such as SIGRTMIN.]']);
  expect((await run('exec true')).ok).toBe(true);
  expect((await run('kill -RTMIN $$', { terminal: true })).ok).toBe(false);
});

test('a question whose input is closed is not to be answered', async () => {
  const asked = await run('printf "Name: "; sleep 300', { timeout: 1 });
  expect(asked.text).toContain('its input is closed: stop shell_id "1" and run it again with input');
  expect(asked.text).not.toContain('answer with input');
});

test('the end of input closes it, after all that was written before', async () => {
  await run('wc -c; echo counted', { background: true, input: 'x'.repeat(200_000) });
  const ended = await call({ shell_id: '1', input: '\u0004', timeout: 5 });
  expect([ended.ok, ended.text]).toEqual([true, '200000\ncounted']);
});

test('input longer than a pipe arrives whole without further calls', async () => {
  const { text } = await run('sleep 0.3; head -c 200000 | wc -c', { background: true, input: 'x'.repeat(200_000) });
  expect(text).toBe('200000');
});

test('input that nobody reads is said to wait', async () => {
  const { text } = await run('sleep 300', { background: true, input: 'x'.repeat(200_000) });
  expect(text).toContain('[134464 bytes of the input wait until it reads them.]');
  expect((await call({ shell_id: '1', stop: true })).ok).toBe(true);
});

test('a command longer than an argument may be runs at a terminal, too', async () => {
  const { ok, text } = await run(`[ -t 1 ] && echo terminal\n# ${'x'.repeat(200_000)}`, { terminal: true });
  expect([ok, text]).toEqual([true, 'terminal']);
});

test('calls that cannot be meant are refused with what to do', async () => {
  expect((await call({})).text).toBe('bash: give a command, or a shell_id.');
  expect((await call({ command: 'ls', shell_id: '1' })).text).toContain('not both');
  expect((await call({ stop: true, command: 'ls' })).text).toContain('needs the shell_id');
  expect((await run('a\0b')).text).toContain('NUL');
  expect((await run(' ')).text).toBe('bash: the command is empty.');
});

test('looking at a shell or stopping it asks nobody; feeding it does', () => {
  const effect = (input: object) => {
    const prepared = tool.prepare(input);
    return prepared.ok ? [prepared.value.effect, prepared.value.subject] : undefined;
  };
  expect(effect({ shell_id: '1' })).toEqual(['reads', 'shell 1']);
  expect(effect({ shell_id: '1', stop: true })).toEqual(['reads', 'stop shell 1']);
  expect(effect({ shell_id: '1', input: 'rm -r /' })).toEqual(['executes', 'input to shell 1: rm -r /']);
  expect(effect({ command: 'ls' })).toEqual(['executes', 'ls']);
});

test('cd lasts inside the workspace, and the answer says where the shell is', async () => {
  fs.mkdirSync(join(directory, 'sub'));
  expect((await run('cd sub')).text).toContain('[bash directory: sub from now on');
  expect((await run('pwd')).text).toBe(`${directory}/sub\n[bash directory: sub]`);
  expect((await run('cd /')).text).toContain('outside the workspace, so the next command starts in sub again.');
  fs.rmdirSync(join(directory, 'sub'));
  expect((await run('pwd')).text).toContain(`[The directory sub is gone: this ran in ${directory}`);
  expect((await run('pwd')).text).toBe(directory);
});

test('an interrupt answers with the output so far', async () => {
  const controller = new AbortController();
  const running = run('echo begun; sleep 300', { signal: controller.signal });
  await sleep(300);
  controller.abort();
  expect((await running).text).toBe('begun\n[Interrupted before it finished. All of its processes were stopped.]');
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

test('a process left in the background is told of', async () => {
  const { ok, text } = await run('sleep 300 & echo $!');
  const pid = text.split('\n')[0];
  expect(ok).toBe(true);
  expect(text).toBe(`${pid}\n[Still running in background, pid ${pid}, as shell_id "1". It ends with the session.]`);
});

test('binary output is named and kept, not shown', async () => {
  const { text, data } = await run('head -c 3000 /dev/urandom');
  const path = String(data?.['spill']);
  expect(text).toBe(
    `[Binary output, 3000 bytes: not shown.]\n[It is kept in ${path}. Look at it in bash: file ${path}, or xxd ${path} | head]`,
  );
  expect(fs.statSync(path).size).toBe(3000);
});

test('news of binary output name programs that can show it', () => {
  const told = { id: '1', command: 'x', state: 'ended', exitCode: 0, signal: undefined, stoppedBy: undefined } as const;
  const news = {
    ...told,
    newBytes: 3000,
    text: '[Binary output, 3000 bytes: not shown.]',
    spillPath: '/s',
    isBinary: true,
  };
  expect(newsText([news])).toContain('xxd /s | head');
  expect(newsText([news])).not.toContain('last lines');
});

test.each([0, -1])('a timeout of %d s is refused before anything runs', async (timeout) => {
  const { ok, text } = await run('touch made', { timeout });
  expect(ok).toBe(false);
  expect(text).toBe(`bash: timeout is ${timeout}, but must be above 0 (seconds). Leave it out for the usual 120.`);
  expect(fs.existsSync(join(directory, 'made'))).toBe(false);
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

test('a variable that is kept from commands is named when the command fails for it', async () => {
  const { text } = await run('echo "[$SECRET_KEY]"; exit 1');
  expect(text).toMatch(/^\[\]\n\[Exit code 1\.\]\n\[SECRET_KEY is set, but kept from commands/);
});

test('the tool takes at most 750 bytes of every request', () => {
  expect(Buffer.byteLength(JSON.stringify({ type: 'function', function: tool.spec }))).toBeLessThanOrEqual(750);
});

test('the loop waits longer than the command may take, and never longer than the maximum', () => {
  const limit = (input: object) => {
    const prepared = tool.prepare({ command: 'true', ...input });
    return prepared.ok ? prepared.value.timeoutMs : undefined;
  };
  expect(limit({})).toBe(125_000);
  expect(limit({ timeout: 10 })).toBe(15_000);
  expect(limit({ timeout: 120_000 })).toBe(605_000);
  expect(limit({ timeout: -1 })).toBe(125_000);
});

test('what only a person could use is not run, with what to do instead', async () => {
  const refused = await run('vim a.txt');
  expect(refused).toMatchObject({ ok: false, data: { refused: 'input' } });
  expect(refused.text).toMatch(/^bash: vim needs a person at a terminal, so it was not run\. Change files with edit/);
  expect((await run('vi --version | head -1; true', {})).ok).toBe(true);
});

test('a question that got no answer is told though all went well', async () => {
  const { ok, text } = await run('touch kept; rm -i kept');
  expect([ok, text.includes('asked and got no answer')]).toEqual([true, true]);
  expect((await run('rm -i kept', { input: 'y\n' })).text).not.toContain('no answer');
  expect((await run('select x in a b; do echo $x; done')).text).toContain('look like a question');
});
