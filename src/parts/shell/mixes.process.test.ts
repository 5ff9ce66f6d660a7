/** Random mixes of unpleasant commands with random interrupts: nothing hangs, nothing is left, memory stays flat. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { sleep } from '../../base/abort.ts';
import { processesWith, type ShellSession, shellSession, within } from './testing/session.ts';

const isLong = process.env['SMEW_TEST_LONG'] !== undefined;
const mixes = isLong ? 1000 : 40;
const interrupts = isLong ? 500 : 20;

/** A small generator with a seed, so that a failure can be played again (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A sleep long enough to be an orphan; its length marks the run. */
const mark = `7777.${process.pid}`;
const long = `sleep ${mark}`;

const pieces: readonly string[] = [
  'true',
  'echo quick; exit 3',
  `${long}`,
  `${long} &`,
  `${long} > /dev/null 2>&1 &`,
  `setsid ${long} &`,
  `setsid sh -c '${long} & ${long} &' > /dev/null 2>&1 &`,
  `nohup ${long} > /dev/null 2>&1 &`,
  `env -i setsid ${long} &`,
  `(while :; do echo noise; sleep 0.02; done) &`,
  `while :; do echo noise; sleep 0.02; done`,
  `trap '' TERM HUP INT; ${long}; ${long}`,
  `bash -c "trap '' TERM; ${long} & wait; ${long}"`,
  'seq 200000',
  'yes | head -c 20000000',
  'yes',
  `for i in 1 2 3 4 5 6 7 8; do ${long} & done; wait`,
  `f() { sleep 0.01; f & }; f; sleep 0.2`,
  `kill -STOP $$`,
  `exec ${long}`,
  `exec > /dev/null 2>&1; ${long}`,
  `python3 -c 'import os,time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
time.sleep(${mark})' &`,
  'head -c 100000 /dev/urandom',
  `kill -9 $$`,
  `cat; read x; echo "[$x]"`,
];

const pick = <T>(items: readonly T[], random: () => number): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

/** One mix: two or three pieces, a limit, perhaps an interrupt, perhaps in the background. Returns how long it took. */
async function play(session: ShellSession, random: () => number): Promise<{ command: string; overMs: number }> {
  const count = 1 + Math.floor(random() * 3);
  const command = Array.from({ length: count }, () => pick(pieces, random)).join('\n');
  const limitMs = 50 + random() * 250;
  const controller = new AbortController();
  const interruptMs = random() < 0.5 ? random() * 300 : undefined;
  const timer = interruptMs === undefined ? undefined : setTimeout(() => controller.abort(), interruptMs);
  const isBackground = random() < 0.15;
  const startedAt = performance.now();
  const report = await session.run(command, { limitMs, signal: controller.signal, isBackground });
  const tookMs = performance.now() - startedAt;
  clearTimeout(timer);
  if (report.state !== 'ended' && random() < 0.9) await session.shells.stop(report.id);
  return { command, overMs: tookMs - Math.min(limitMs, interruptMs ?? limitMs) };
}

test(`${mixes} random mixes of commands with random interrupts: no hang, no orphan, flat memory`, {
  timeout: 60 * 60_000,
}, async () => {
  const seed = Number(process.env['SMEW_TEST_SEED'] ?? (isLong ? Date.now() % 1e6 : 7));
  const random = randomFrom(seed);
  const memory: number[] = [];
  let slowest = { command: '', overMs: 0 };
  for (let round = 0; round < mixes; ) {
    await using session = shellSession({ backgroundAtMost: 40, outputLimitBytes: 60_000_000 });
    for (let within = 0; within < 20 && round < mixes; within++, round++) {
      const played = await play(session, random);
      if (played.overMs > slowest.overMs) slowest = played;
    }
    globalThis.gc?.();
    memory.push(process.memoryUsage().rss / 1e6);
  }
  expect(slowest.overMs, `seed ${seed}: ${slowest.command}`).toBeLessThan(4000);
  const isClean = await within(3000, () => processesWith(mark).length === 0);
  expect(isClean, `seed ${seed}: ${processesWith(mark).map(commandOf).join(' | ')}`).toBe(true);
  // The first sessions fill caches and the garbage collector's room.
  const settled = memory.slice(Math.min(5, memory.length - 1));
  expect(Math.max(...settled) - (settled[0] ?? 0), `seed ${seed}: ${memory.map(Math.round).join(' ')}`).toBeLessThan(
    150,
  );
  const directories = () => readdirSync(tmpdir()).filter((name) => name.startsWith('shell-test-')).length;
  expect(directories()).toBeLessThan(10);
});

const commandOf = (pid: number): string =>
  `${pid} ${process.getBuiltinModule('node:fs').readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;

test(`${interrupts} interrupts at random points are answered at once, and leave no process`, {
  timeout: 60 * 60_000,
}, async () => {
  const random = randomFrom(11);
  await using session = shellSession();
  const answers: number[] = [];
  for (let round = 0; round < interrupts; round++) {
    const controller = new AbortController();
    const running = session.run(pick(pieces.slice(2), random), { signal: controller.signal, limitMs: 20_000 });
    await Promise.race([sleep(random() * 120), running]);
    const abortedAt = performance.now();
    controller.abort();
    const report = await running;
    answers.push(performance.now() - abortedAt);
    if (report.state !== 'ended') await session.shells.stop(report.id);
  }
  await session.shells.close();
  answers.sort((one, other) => one - other);
  expect(answers[Math.floor(answers.length / 2)]).toBeLessThan(200);
  expect(answers.at(-1)).toBeLessThan(2000);
  expect(await within(2000, () => processesWith(mark).length === 0)).toBe(true);
});
