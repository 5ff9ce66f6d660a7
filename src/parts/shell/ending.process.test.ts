/** Nothing of a command survives: not its interrupt, not the end of the session, not the death of Smew. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sleep } from '../../base/abort.ts';
import { ownSleep, processesWith, shellSession, within } from './testing/session.ts';

const interrupted = async (command: string, afterMs = 300) => {
  await using session = shellSession();
  const controller = new AbortController();
  const running = session.run(command, { signal: controller.signal });
  await sleep(afterMs);
  const abortedAt = performance.now();
  controller.abort();
  const report = await running;
  return { ...report, answeredMs: performance.now() - abortedAt };
};

/** One that forks, refuses to end, and has left its group, its session and its parent. */
const stubborn = (time: string) =>
  `trap '' TERM HUP INT; setsid bash -c "trap '' TERM; sleep ${time}; sleep ${time}" & sh -c "trap '' TERM; sleep ${time}" & sleep ${time}; sleep ${time}`;

test('an interrupt is answered with the output so far before the stubborn ones are dead', async () => {
  const { text, stoppedBy, answeredMs } = await interrupted(`echo begun; ${stubborn(ownSleep(1))}`);
  expect([text, stoppedBy]).toEqual(['begun\n', 'abort']);
  // Their grace alone is 700 ms; how fast it is where nobody else works is measured by the random interrupts.
  expect(answeredMs).toBeLessThan(650);
});

test('the whole tree is gone within 2 s of an interrupt', async () => {
  await using session = shellSession();
  const controller = new AbortController();
  const running = session.run(stubborn(ownSleep(2)), { signal: controller.signal });
  expect(await within(5000, () => processesWith(ownSleep(2)).length >= 4)).toBe(true);
  controller.abort();
  await running;
  expect(await within(2000, () => processesWith(ownSleep(2)).length === 0)).toBe(true);
});

test('an interrupt before the start ends it at once', async () => {
  await using session = shellSession();
  const { stoppedBy, durationMs } = await session.run(`sleep ${ownSleep(3)}`, { signal: AbortSignal.abort() });
  expect(stoppedBy).toBe('abort');
  expect(durationMs).toBeLessThan(2000);
});

test('stopped processes are ended as well', async () => {
  await interrupted(`sleep ${ownSleep(4)} & kill -STOP $!; wait`);
  expect(processesWith(ownSleep(4))).toEqual([]);
});

test('whoever has emptied its environment is found by the pipe that it holds', async () => {
  await interrupted(`env -i setsid sleep ${ownSleep(5)} & wait`);
  expect(processesWith(ownSleep(5))).toEqual([]);
});

test('a daemon that prints elsewhere is found by its mark', async () => {
  await interrupted(`setsid sh -c 'sleep ${ownSleep(10)} & wait' > /dev/null 2>&1 & sleep 60`);
  expect(processesWith(ownSleep(10))).toEqual([]);
});

test('a server that wrote over its environment and prints elsewhere is found by what it inherited', async () => {
  await interrupted(`env -i setsid sleep ${ownSleep(11)} > /dev/null 2>&1 & sleep 60`);
  expect(processesWith(ownSleep(11))).toEqual([]);
});

test.each([
  ['a process of its group', (time: string) => `sleep ${time} > /dev/null 2>&1 &`],
  ['one without its environment', (time: string) => `env -i setsid sleep ${time} > /dev/null 2>&1 < /dev/null &`],
  ['a daemon', (time: string) => `setsid sh -c 'sleep ${time} & ' > /dev/null 2>&1`],
])('the end of the session ends what a command has left: %s', async (name, command) => {
  const time = ownSleep(60 + name.length);
  {
    await using session = shellSession();
    await session.run(command(time));
    expect(processesWith(time).length).toBeGreaterThan(0);
  }
  expect(await within(2000, () => processesWith(time).length === 0)).toBe(true);
});

test('what the user keeps outlives the session', async () => {
  let pid = 0;
  {
    await using session = shellSession();
    const { id, processes } = await session.run(`exec sleep ${ownSleep(7)}`, { isBackground: true });
    pid = processes[0] ?? 0;
    expect((await session.shells.keep(id)).ok).toBe(true);
    await session.run(`sleep ${ownSleep(8)} > /dev/null 2>&1 &`);
  }
  expect(await within(2000, () => processesWith(ownSleep(8)).length === 0)).toBe(true);
  await sleep(500);
  expect(processesWith(ownSleep(7))).toEqual([pid]);
  process.kill(pid, 'SIGKILL');
});

/** A program that runs one command in Smew's way, and can be killed. */
const host = fileURLToPath(new URL('./testing/host.ts', import.meta.url));

test('kill -9 of Smew leaves nothing behind after 2 s', async () => {
  const time = ownSleep(9);
  const child = spawn(process.execPath, [host, stubborn(time)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(await within(5000, () => processesWith(time).length >= 5)).toBe(true);
  child.kill('SIGKILL');
  expect(await within(2000, () => processesWith(time).length === 0)).toBe(true);
});

test('when the guard itself was killed, the next command has a new one', async () => {
  await using session = shellSession();
  await session.run('true');
  const guards = processesWith('smew-guard').filter((pid) => parentOf(pid) === process.pid);
  expect(guards).not.toEqual([]);
  for (const pid of guards) process.kill(pid, 'SIGKILL');
  await sleep(200);
  expect((await session.run('echo still here')).text).toBe('still here\n');
});

function parentOf(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1]);
}
