/** Interrupts, signals, closed pipes and crashes: the journal is whole, nothing is left running, the session goes on. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sleep } from '../../src/base/abort.ts';
import { conversationOf } from '../../src/loop/conversation.ts';
import { historyFaults } from '../../src/loop/history.ts';
import type { Started } from './program.ts';
import { type Scene, scene } from './scene.ts';

const generous = { steps: 999, nudges: 99 };

/** Resolves once the program has told of something on either output. */
async function saying(words: string, { child, done }: Started): Promise<void> {
  let said = '';
  const heard = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: string) => {
        said += text;
        if (said.includes(words)) resolve();
      });
    }
  });
  await Promise.race([heard, done.then(({ stderr }) => Promise.reject(new Error(`never said "${words}": ${stderr}`)))]);
}

const running = (mark: string): boolean => {
  const listed = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return listed.split('\n').some((line) => line.includes(mark) && !line.includes('ps -eo'));
};

async function endsWhole({ journal }: Scene): Promise<void> {
  const past = await journal();
  expect(['stopped', 'released']).toContain(past.at(-1)?.event.type);
  const { messages, phase } = conversationOf(past, generous);
  expect(historyFaults(messages)).toEqual([]);
  expect(phase.name).toBe('done');
}

const signals = [
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGTERM', code: 143 },
  { signal: 'SIGHUP', code: 129 },
] as const;

test.for(signals)(
  '$signal while a command runs: exit code $code, the child gone, the output so far kept',
  ({ signal, code }) =>
    scene(
      [{ calls: [{ op: 'bash', command: `echo before; sleep 61.${code}; echo after` }] }, { text: 'Continued.' }],
      async (play) => {
        const started = play.start(['run', 'wait', '--yolo', '--output-format', 'stream-json']);
        await saying('"started"', started);
        await sleep(500);
        started.child.kill(signal);
        expect((await started.done).code).toBe(code);
        expect(running(`sleep 61.${code}`)).toBe(false);
        await endsWhole(play);
        const resumed = await play.run(['run', '-c', 'go on', '--yolo']);
        expect(resumed.stdout).toBe('Continued.\n');
        expect(play.server.requests.at(-1)?.raw.toString()).toContain('before');
      },
    ),
);

test('an interrupt while the model speaks keeps the partial text for the next turn', () =>
  scene(
    [
      { text: `Ducklings begin here ${'and goes on '.repeat(200)}`, fault: { kind: 'stall', afterEvents: 8 } },
      { text: 'Whole now.' },
    ],
    async (play) => {
      const started = play.start(['run', 'speak', '--output-format', 'stream-json']);
      await saying('Ducklings', started);
      started.child.kill('SIGINT');
      expect((await started.done).code).toBe(130);
      await endsWhole(play);
      expect((await play.run(['run', '-c', 'go on'])).stdout).toBe('Whole now.\n');
      expect(play.server.requests.at(-1)?.raw.toString()).toContain('Ducklings');
    },
  ));

test('a reader that leaves early ends the run with a whole journal', () =>
  scene(
    [
      { calls: [{ op: 'bash', command: 'sleep 0.3' }] },
      { calls: [{ op: 'bash', command: 'sleep 0.3' }] },
      { text: 'Done.' },
    ],
    async (play) => {
      const started = play.start(['run', 'go', '--yolo', '--output-format', 'stream-json']);
      await saying('"started"', started);
      started.child.stdout?.destroy();
      expect((await started.done).code).toBe(141);
      await endsWhole(play);
    },
  ));

test('a call that was running at a crash is answered "outcome unknown" and is not run again', () =>
  scene(
    [{ calls: [{ op: 'bash', command: 'echo ran >> runs.txt; sleep 62.5' }] }, { text: 'I checked.' }],
    async (play) => {
      const started = play.start(['run', 'go', '--yolo', '--output-format', 'stream-json']);
      await saying('"started"', started);
      await sleep(400);
      started.child.kill('SIGKILL');
      await started.done;
      const resumed = await play.run(['run', '-c', 'what happened?', '--yolo']);
      expect(resumed.stdout).toBe('I checked.\n');
      expect(readFileSync(join(play.dir, 'runs.txt'), 'utf8')).toBe('ran\n');
      expect(play.server.requests.at(-1)?.raw.toString()).toContain('Outcome unknown');
      expect(running('sleep 62.5')).toBe(false);
    },
  ));

test('a second process cannot write the same session; a fork of it can', () =>
  scene([{ calls: [{ op: 'bash', command: 'sleep 2' }] }, { text: 'One.' }, { text: 'Two.' }], async (play) => {
    const first = play.start(['run', 'go', '--yolo', '--output-format', 'stream-json']);
    await saying('"started"', first);
    const second = await play.run(['run', '-c', 'me too']);
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/--fork/);
    expect((await play.run(['run', '-c', '--fork', 'me too'])).code).toBe(0);
    expect((await first.done).code).toBe(0);
  }));

test('a session replays to the same events, and with live tools it shows what the world answers now', () =>
  scene(
    [
      { calls: [{ op: 'list' }, { op: 'glob', pattern: '*' }] },
      { calls: [{ op: 'bash', command: 'cat note.txt' }] },
      { calls: [{ op: 'bash', command: 'exit 3' }] },
      { text: 'Done.' },
      { text: 'Again.' },
    ],
    async (play) => {
      writeFileSync(join(play.dir, 'note.txt'), 'first\n');
      await play.run(['run', 'go', '--yolo']);
      await play.run(['run', '-c', 'again', '--yolo']);
      const [session] = JSON.parse((await play.run(['sessions', 'list', '--json'])).stdout) as { id: string }[];
      const replayed = await play.run(['replay', session?.id ?? '']);
      expect(replayed.stdout).toContain('all the same');
      expect(replayed.code).toBe(0);
      const live = await play.run(['replay', session?.id ?? '', '--live-tools']);
      expect(live.stdout).toContain('all the same');
      writeFileSync(join(play.dir, 'note.txt'), 'second\n');
      const other = await play.run(['replay', session?.id ?? '', '--live-tools']);
      expect(other.code).toBe(1);
      expect(other.stdout).toMatch(/recorded: .*first.*replayed: .*second/s);
    },
  ));
