import { afterAll, beforeAll, expect, test } from 'vitest';
import { sleep } from '../../base/abort.ts';
import type { News, Report } from './report.ts';
import type { FollowOrder } from './shells.ts';
import { ownSleep, processesWith, type ShellSession, shellSession, within } from './testing/session.ts';

let session: ShellSession;
beforeAll(() => {
  session = shellSession();
});
afterAll(() => session[Symbol.asyncDispose]());

async function follow(id: string, more: Partial<FollowOrder> = {}): Promise<Report> {
  const told = await session.shells.follow({ id, signal: new AbortController().signal, ...more });
  if (!told.ok) throw new Error(told.fault);
  return told.value;
}

/** The next ends that are news; none after 5 s. */
async function endings({ shells }: ShellSession): Promise<readonly News[]> {
  for (let look = 0; look < 100; look++) {
    const news = shells.news('ended');
    if (news.length > 0) return news;
    await sleep(50);
  }
  return [];
}

test('at its time limit a command goes on in the background, and its end can be waited for', async () => {
  const first = await session.run('echo begun; sleep 1; echo finished; exit 7', { limitMs: 300 });
  expect(first).toMatchObject({ state: 'running', text: 'begun\n', exitCode: undefined, stoppedBy: undefined });
  expect(first.processes.length).toBeGreaterThan(0);
  const last = await follow(first.id, { waitMs: 10_000 });
  expect(last).toMatchObject({ state: 'ended', text: 'finished\n', exitCode: 7 });
  expect(session.shells.news('all')).toEqual([]);
});

test('its end and its output are news, told once', async () => {
  const { id } = await session.run('sleep 0.3; echo done; exit 2', { limitMs: 100 });
  expect(session.shells.news('all')).toEqual([]);
  expect(await endings(session)).toMatchObject([{ id, state: 'ended', exitCode: 2, text: 'done', newBytes: 5 }]);
  expect(session.shells.news('all')).toEqual([]);
});

test('what it prints is news while it runs, and can still be read whole', async () => {
  const { id } = await session.run('sleep 0.3; seq 20; sleep 60', { limitMs: 100 });
  await sleep(800);
  expect(session.shells.news('ended')).toEqual([]);
  expect(session.shells.news('all')).toMatchObject([{ id, state: 'running', text: '18\n19\n20' }]);
  expect(session.shells.news('all')).toEqual([]);
  expect((await follow(id)).text).toMatch(/^1\n2\n[\d\n]+20\n$/);
  const stopped = await session.shells.stop(id);
  expect(stopped).toMatchObject({ ok: true, value: { state: 'ended', stoppedBy: 'asked' } });
});

test.each([
  ['a quiet one', (time: string) => `sleep ${time} & echo started`],
  ['one without a session', (time: string) => `setsid sleep ${time} & echo started`],
  ['one that prints', (time: string) => `(while :; do echo x${time}; sleep 0.05; done) & echo started`],
  ['one that does not print here', (time: string) => `sleep ${time} > /dev/null 2>&1 & echo started`],
])('a process left behind is not waited for, is told, goes on and can be stopped: %s', async (name, command) => {
  const time = ownSleep(20 + name.length);
  const report = await session.run(command(time));
  expect(report).toMatchObject({ state: 'left', exitCode: 0 });
  expect(report.durationMs).toBeLessThan(1000);
  expect(report.processes.length).toBeGreaterThan(0);
  await sleep(600);
  expect(process.kill(report.processes[0] ?? 0, 0)).toBe(true);
  await session.shells.stop(report.id);
  expect(processesWith(time)).toEqual([]);
});

test('what is left may print on without dying of it', async () => {
  await session.run(`(sleep 0.5; seq 1000; echo survived > ${session.directory}/survived) & echo started`);
  expect(await within(3000, () => session.shells.news('ended').length > 0)).toBe(true);
  expect((await session.run('cat survived')).text).toBe('survived\n');
});

test('one that runs in the background from the start shows what goes wrong at once, and can be fed', async () => {
  expect(await session.run('echo port in use; exit 1', { isBackground: true })).toMatchObject({
    state: 'ended',
    exitCode: 1,
    text: 'port in use\n',
  });
  const asked = await session.run('read -p "Name: " name; echo "[$name]"; cat', { isBackground: true });
  expect(asked).toMatchObject({ state: 'running', isAsking: true });
  const answered = await follow(asked.id, { input: 'Ada\n' });
  expect(answered).toMatchObject({ text: '[Ada]\n', isAsking: true });
  await session.shells.stop(asked.id);
});

test('a command without an open input says so when it is fed', async () => {
  const { id } = await session.run(`sleep ${ownSleep(30)}`, { limitMs: 100 });
  const fed = await session.shells.follow({ id, signal: new AbortController().signal, input: 'x\n' });
  expect(fed).toMatchObject({ ok: false, fault: expect.stringContaining('background: true') });
  await session.shells.stop(id);
});

test('a program that insists on a terminal gets one, and is asked for its answer', async () => {
  const command = 'test -t 0 && test -t 1 && echo at a terminal; read -s -p "Password: " word; echo "[$word]"';
  const asked = await session.run(command, { isTerminal: true });
  expect(asked).toMatchObject({ state: 'running', isAsking: true });
  expect(asked.text).toContain('at a terminal');
  const answered = await follow(asked.id, { input: 'open sesame\n', waitMs: 5000 });
  expect(answered).toMatchObject({ state: 'ended', exitCode: 0, text: expect.stringContaining('[open sesame]\n') });
});

test('an interrupt while one waits for a shell leaves the shell alone', async () => {
  const { id } = await session.run(`sleep ${ownSleep(31)}`, { limitMs: 100 });
  const startedAt = performance.now();
  const told = await follow(id, { signal: AbortSignal.timeout(200), waitMs: 10_000 });
  expect(told.state).toBe('running');
  expect(performance.now() - startedAt).toBeLessThan(1500);
  await session.shells.stop(id);
});

test('there is a cap on how many; at it a command is stopped at its limit', async () => {
  await using own = shellSession({ backgroundAtMost: 2 });
  for (const number of [40, 41]) await own.run(`sleep ${ownSleep(number)}`, { isBackground: true });
  await expect(own.run('true', { isBackground: true })).rejects.toThrow('2 shells run in the background already');
  expect(await own.run('echo begun; sleep 60', { limitMs: 200 })).toMatchObject({
    state: 'ended',
    stoppedBy: 'timeout',
    text: 'begun\n',
  });
});

test('an id that does not exist names those that do', async () => {
  const { id } = await session.run(`sleep ${ownSleep(50)}`, { isBackground: true });
  const told = await session.shells.stop('99');
  expect(told).toMatchObject({ ok: false, fault: `There is no shell "99". There are: ${id}.` });
  await session.shells.stop(id);
  expect(await session.shells.stop(id)).toMatchObject({ fault: expect.stringContaining('None') });
});

test('one that floods in the background is stopped and told', async () => {
  await using own = shellSession({ outputLimitBytes: 1_000_000 });
  const { id } = await own.run('sleep 0.5; yes', { limitMs: 100 });
  expect(await endings(own)).toMatchObject([{ id, stoppedBy: 'flood' }]);
});
