/** kill -9 at random points: what was told is on disk, nothing runs twice, and the session goes on to its end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conversationOf } from '../../src/loop/conversation.ts';
import { historyFaults } from '../../src/loop/history.ts';
import { startScriptedServer } from '../../src/parts/models/scripted/server.ts';
import type { ScriptedTurn } from '../../src/parts/models/scripted/turn.ts';
import type { Recorded } from '../../src/protocol/event.ts';
import { type RunOptions, smew, start, temporary } from './program.ts';
import { longestJournal } from './scene.ts';

const kills = process.env['SMEW_TEST_LONG'] ? 2000 : 200;
const lanes = 2;
const steps = 14;

/** Every command leaves a mark of its own, so a second run of it would show. */
const turns: readonly ScriptedTurn[] = [
  ...Array.from({ length: steps }, (_, step): ScriptedTurn => {
    const mark = { op: 'bash', command: `echo ${step} >> marks.txt` } as const;
    const note = { op: 'write', path: `note-${step}.txt`, content: `${step}\n` } as const;
    return step % 3 === 2 ? { calls: [note, { op: 'list' }, mark] } : { calls: [mark] };
  }),
  { text: 'All marks are made.' },
];

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

/** Runs until `point` events were told and a few milliseconds more, then kills. Returns what had been told. */
async function runAndKill(args: readonly string[], options: RunOptions, random: () => number): Promise<Recorded[]> {
  const { child, done } = start([...args, '--output-format', 'stream-json', '--yolo'], options);
  const point = Math.floor(random() * 40);
  const jitterMs = random() * 12;
  let lines = 0;
  child.stdout?.on('data', (text: string) => {
    lines += text.split('\n').length - 1;
    if (lines >= point) setTimeout(() => child.kill('SIGKILL'), jitterMs);
  });
  const { stdout } = await done;
  return stdout
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const told = JSON.parse(line) as Recorded & { readonly type: string };
      return told.type === 'event' ? [told] : [];
    });
}

/** One session, killed again and again until it is through. Returns how many kills that took. */
async function session(url: string, seed: number): Promise<number> {
  using repository = temporary();
  using home = temporary('smew-home-');
  const options = { cwd: repository.path, home: home.path, url };
  const random = randomFrom(seed);
  const told: Recorded[] = [];
  let count = 0;
  for (;;) {
    const past = await longestJournal(home.path);
    const seen = new Set(past.map(({ seq, event }) => `${seq} ${event.type}`));
    expect(told.filter(({ seq, event }) => !seen.has(`${seq} ${event.type}`))).toEqual([]);
    const marks = past.filter(({ event }) => event.type === 'heard').length;
    if (marks > steps || count > 60) break;
    const isBegun = past.some(({ event }) => event.type === 'prompted');
    if (!isBegun) told.length = 0;
    told.push(...(await runAndKill(isBegun ? ['run', '-c', 'go on'] : ['run', 'make the marks'], options, random)));
    count++;
  }
  const last = await smew(['run', '-c', 'finish', '--yolo'], options);
  expect(last.stdout).toBe('All marks are made.\n');
  const made = readFileSync(join(repository.path, 'marks.txt'), 'utf8').trim().split('\n');
  expect(made, `seed ${seed}`).toEqual([...new Set(made)]);
  const { messages } = conversationOf(await longestJournal(home.path), { steps: 999, nudges: 99 });
  expect(historyFaults(messages), `seed ${seed}`).toEqual([]);
  return count;
}

test(`after kill -9 at ${kills} random points no told event is lost, no tool has run twice, and the session resumes`, {
  timeout: 40 * 60_000,
}, async () => {
  const server = await startScriptedServer({ turns: [...turns, { text: 'All marks are made.' }] });
  let killed = 0;
  let seed = 1;
  const lane = async () => {
    while (killed < kills) killed += await session(server.url, seed++);
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    await server.close();
  }
  expect(killed).toBeGreaterThanOrEqual(kills);
});
