/** Interrupts at random points of unpleasant commands: the prompt is back, the journal whole, nothing is left. */
import { expect, test } from 'vitest';
import { sleep } from '../../src/base/abort.ts';
import { conversationOf } from '../../src/loop/conversation.ts';
import { historyFaults } from '../../src/loop/history.ts';
import { processesWith, within } from '../../src/parts/shell/testing/session.ts';
import { scene } from './scene.ts';

const isLong = process.env['SMEW_TEST_LONG'] !== undefined;
const interrupts = isLong ? 500 : 6;
const lanes = 2;
const mark = `8765.${process.pid}`;
const long = `sleep ${mark}`;

const commands: readonly string[] = [
  `echo begun; ${long}`,
  `trap '' TERM INT; ${long}; ${long}`,
  `setsid sh -c "trap '' TERM; ${long}; ${long}" > /dev/null 2>&1 & ${long}`,
  'yes',
  `(while :; do echo noise; sleep 0.02; done) & ${long}`,
  `env -i setsid ${long} > /dev/null 2>&1 & wait; ${long}`,
];

/** The journal's state after one interrupt, `ms` milliseconds after the command began. */
async function interrupt(command: string, ms: number): Promise<void> {
  await scene([{ calls: [{ op: 'bash', command }] }, { text: 'Done.' }], async ({ start, journal }) => {
    const { child, done } = start(['run', 'go', '--yolo', '--output-format', 'stream-json']);
    const begun = new Promise<void>((resolve) => {
      let said = '';
      child.stdout?.on('data', (text: string) => {
        said += text.length < 10_000 ? text : '';
        if (said.includes('"started"')) resolve();
      });
    });
    await Promise.race([begun, done]);
    await sleep(ms);
    child.kill('SIGINT');
    const { code, signal } = await done;
    expect([code, signal], command).toEqual([130, null]);
    const past = await journal();
    expect(past.at(-1)?.event.type).toBe('stopped');
    const { messages, phase } = conversationOf(past, { steps: 999, nudges: 99 });
    expect([historyFaults(messages), phase.name]).toEqual([[], 'done']);
  });
}

test(`${interrupts} interrupts at random points of a command`, { timeout: 40 * 60_000 }, async () => {
  let count = 0;
  const lane = async () => {
    while (count < interrupts) {
      const number = count++;
      await interrupt(commands[number % commands.length] ?? '', (number * 37) % 400);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  expect(await within(2000, () => processesWith(mark).length === 0)).toBe(true);
});
