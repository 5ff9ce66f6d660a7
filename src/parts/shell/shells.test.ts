import { mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findShell } from './environment.ts';
import { Shells } from './shells.ts';
import { type ShellSession, shellSession } from './testing/session.ts';

let session: ShellSession;
beforeAll(() => {
  session = shellSession();
});
afterAll(() => session[Symbol.asyncDispose]());

test('both streams come in the order of printing, with the exit code', async () => {
  const report = await session.run('echo a; echo b >&2; echo c; echo d >&2; exit 3');
  expect(report).toMatchObject({
    text: 'a\nb\nc\nd\n',
    exitCode: 3,
    isCut: false,
    spillPath: undefined,
    state: 'ended',
  });
});

test('the streams can be opened by name', async () => {
  expect((await session.run('echo a; echo b | tee /dev/stderr; echo c > /dev/stdout')).text).toBe('a\nb\nb\nc\n');
});

test('a syntax error of the command is output too', async () => {
  const { text, exitCode } = await session.run('if; then');
  expect(exitCode).toBe(2);
  expect(text).toContain('syntax error');
});

test('a here-document arrives as it was written', async () => {
  await session.run("cat > a <<'EOF'\n$x `y` \\n\nEOF");
  expect(readFileSync(join(session.directory, 'a'), 'utf8')).toBe('$x `y` \\n\n');
});

test('a command of 400 KB runs as it is', async () => {
  const long = 'x'.repeat(400_000);
  const { text, exitCode } = await session.run(`cat > long <<'EOF'\n${long}\nEOF\nwc -c < long`);
  expect([text.trim(), exitCode]).toEqual(['400001', 0]);
});

test('a shell that a signal ends has no exit code but the signal', async () => {
  const { exitCode, signal } = await session.run('kill -KILL $$');
  expect([exitCode, signal]).toEqual([undefined, 'SIGKILL']);
});

test('the input is empty, or the text that is given, which can be opened by name', async () => {
  const asked = await session.run('read -p "Project name: " name; echo "made [$name]"');
  expect(asked.text).toContain('made []');
  expect((await session.run('cat; cat /dev/stdin', { input: 'given\n' })).text).toBe('given\ngiven\n');
});

test('pagers print, editors fail, colours are off, CI is not set', async () => {
  const own = shellSession({ env: { ...process.env, CI: 'true', TERM: 'xterm', PAGER: 'less' } });
  await using _ = own;
  const { text } = await own.run(
    'echo $PAGER $GIT_PAGER $TERM $NO_COLOR $(printenv CI || echo unset); sh -c "$GIT_EDITOR x"; echo $?',
  );
  expect(text).toBe('cat cat dumb 1 unset\nNo editor can be opened here: pass the text by an option, such as -m.\n1\n');
});

test('without PATH the usual places are searched', async () => {
  await using own = shellSession({ env: {} });
  expect((await own.run('ls -d /')).text).toBe('/\n');
});

test('there is no terminal, so what insists on one fails at once', async () => {
  const { exitCode, durationMs } = await session.run('echo password > /dev/tty');
  expect(exitCode).not.toBe(0);
  expect(durationMs).toBeLessThan(2000);
});

test('the directory in which the shell ends is known, and asking for it leaves no trace', async () => {
  const real = realpathSync(session.directory);
  mkdirSync(join(real, 'sub dir'));
  expect((await session.run('cd "sub dir"')).directory).toBe(join(real, 'sub dir'));
  expect((await session.run('cd "sub dir" && sleep 0.1 & pwd')).directory).toBe(real);
  expect((await session.run('set -x; cd "sub dir"; exit 4')).text).not.toContain('pwd');
  expect((await session.run('echo "[$BASH_ENV]"; bash -c "trap -p"')).text).toBe('[]\n');
  expect((await session.run('cd "sub dir"; rmdir "$PWD"; false')).exitCode).toBe(1);
  expect((await session.run('exec true')).directory).toBeUndefined();
});

test('what the user has put in BASH_ENV still counts', async () => {
  const file = join(session.directory, "user's env");
  await session.run(`echo 'theirs=1' > "${file}"`);
  await using own = shellSession({ env: { ...process.env, BASH_ENV: file } });
  expect((await own.run('echo "$theirs"; bash -c "echo \\$theirs"')).text).toBe('1\n1\n');
});

test('of a long output head and tail are cut at line ends, and the file has the whole', async () => {
  const { text, isCut, spillPath } = await session.run('seq 1 5000');
  expect(isCut).toBe(true);
  expect(text).toMatch(
    /^1\n2\n[\d\n]+\n\[\.\.\. the middle of 23893 bytes is left out \.\.\.\]\n\d{4}\n[\d\n]+5000\n$/,
  );
  expect(readFileSync(spillPath ?? '', 'utf8')).toMatch(/^1\n2\n3\n[\d\n]+5000\n$/);
  expect(statSync(spillPath ?? '').mode & 0o777).toBe(0o600);
});

test('an output just within the limit is shown whole and leaves no file', async () => {
  const { text, isCut, spillPath } = await session.run('head -c 8000 /dev/zero | tr "\\0" x');
  expect([text.length, isCut, spillPath]).toEqual([8000, false, undefined]);
});

const floodMb = process.env['SMEW_TEST_LONG'] ? 1000 : 200;
test(`${floodMb} MB of output need little memory and are kept whole`, { timeout: 60_000 }, async () => {
  const before = process.memoryUsage().rss;
  let most = before;
  const ran = await session.run(`echo first; head -c ${floodMb}000000 /dev/zero | tr "\\0" "x"; echo; echo last`, {
    limitMs: 60_000,
    onOutput: () => {
      most = Math.max(most, process.memoryUsage().rss);
    },
  });
  expect(ran.bytes).toBe(floodMb * 1e6 + 12);
  expect(ran.text.length).toBeLessThan(8200);
  expect(ran.text).toMatch(/^first\nx+\n\[... the middle of \d+ bytes is left out ...\]\nx+\nlast\n$/);
  expect((most - before) / 1e6).toBeLessThan(120);
  expect(statSync(ran.spillPath ?? '').size).toBe(floodMb * 1e6 + 12);
});

test('output without end is stopped at its limit', async () => {
  await using own = shellSession({ outputLimitBytes: 3_000_000 });
  const { stoppedBy, bytes, text } = await own.run('yes');
  expect(stoppedBy).toBe('flood');
  expect(bytes).toBeGreaterThan(3_000_000);
  expect(text).toContain('y\n[the line above 16');
});

test('where the whole cannot be kept the reason is said and the command goes on', async () => {
  const { exitCode, spillPath, spillFault } = await session.run('seq 1 5000', { spillPath: '/dev/null/x' });
  expect([exitCode, spillPath]).toEqual([0, undefined]);
  expect(spillFault).toContain('/dev/null');
});

test('a character split over two chunks is whole in the live output and in the end', async () => {
  let live = '';
  const { text } = await session.run("printf 'a\\xe2\\x82'; sleep 0.2; printf '\\xac'", {
    onOutput: (piece) => {
      live += piece;
    },
  });
  expect([text, live]).toEqual(['a\u20AC', 'a\u20AC']);
});

test('colours and the earlier states of a progress bar are left out', async () => {
  const { text } = await session.run("printf '\\033[32m10%%\\r50%%\\r100%%\\033[0m done\\n\\033]0;title\\007x\\n'");
  expect(text).toBe('100% done\nx\n');
});

test('a working directory that is gone is said', async () => {
  await expect(session.run('true', { cwd: join(session.directory, 'gone') })).rejects.toThrow(
    `The working directory ${session.directory}/gone is gone.`,
  );
});

test('bash is preferred wherever it is found', () => {
  expect(findShell({ PATH: '/usr/bin' })).toMatch(/\/bash$/);
});

test('a session in which nothing ran has nothing to end', async () => {
  await new Shells({ env: {} }).close();
});
