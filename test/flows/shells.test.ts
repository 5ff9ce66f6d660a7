/** Shells through the built program: nothing of a command outlives Smew, and what happens in the background is told. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { sleep } from '../../src/base/abort.ts';
import { scene } from './scene.ts';

/** Ids of processes with `mark` in their command line. */
const living = (mark: string): string[] =>
  execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark) && !/^\s*\d+\s+Z/.test(line) && !line.includes('ps -eo'));

async function within(ms: number, isTrue: () => boolean): Promise<boolean> {
  const until = performance.now() + ms;
  while (performance.now() < until && !isTrue()) await sleep(30);
  return isTrue();
}

const stubborn = (time: string) =>
  `trap '' TERM; setsid sh -c "trap '' TERM; sleep ${time}; sleep ${time}" & nohup sleep ${time} >/dev/null 2>&1 & (while :; do echo noise; sleep 0.1; done) & env -i setsid sleep ${time} & sleep ${time}; sleep ${time}`;

const rounds = process.env['SMEW_TEST_LONG'] ? 50 : 3;

test(`kill -9 in the middle of unpleasant commands, ${rounds} times: nothing is left after 2 s`, async () => {
  for (let round = 0; round < rounds; round++) {
    const time = `4321.${process.pid}${round}`;
    await scene([{ calls: [{ op: 'bash', command: stubborn(time) }] }, { text: 'done' }], async ({ start }) => {
      const { child, done } = start(['run', 'go', '--yolo']);
      expect(await within(20_000, () => living(`sleep ${time}`).length >= 4)).toBe(true);
      child.kill('SIGKILL');
      await done;
      expect(await within(2000, () => living(time).length === 0), living(time).join('\n')).toBe(true);
    });
  }
}, 600_000);

test('the orderly end of a run ends what its commands have left', async () => {
  const time = `4322.${process.pid}`;
  const command = `sleep ${time} > /dev/null 2>&1 & setsid sleep ${time} > /dev/null 2>&1 & echo started`;
  await scene([{ calls: [{ op: 'bash', command }] }, { text: 'done' }], async ({ run }) => {
    expect((await run(['run', 'go', '--yolo'])).code).toBe(0);
    expect(await within(2000, () => living(time).length === 0)).toBe(true);
  });
});

test('the end of a background shell reaches the model with the next result, and before it finishes', async () => {
  const turns = [
    { calls: [{ op: 'bash', command: 'sleep 0.4; echo the build broke; exit 2', timeout: 0.1 }] },
    { calls: [{ op: 'bash', command: 'sleep 1' }] },
    { calls: [{ op: 'bash', command: 'sleep 0.5; exit 3', timeout: 0.1 }] },
    { text: 'All is well.' },
    { text: 'Now I know.' },
  ] as const;
  await scene(turns, async ({ run, server, journal }) => {
    const { stdout, code } = await run(['run', 'go', '--yolo']);
    expect(code).toBe(0);
    const texts = (await journal()).flatMap(({ event }) => (event.type === 'answered' ? [event.result.text] : []));
    expect(texts[0]).toContain('goes on in the background as shell_id "1"');
    expect(texts[1]).toContain('has ended: exit code 2.]\nthe build broke');
    expect(texts[2]).toContain('shell_id "3"');
    expect(stdout).toMatch(/All is well\.|Now I know\./);
    expect(server.requests.length).toBeGreaterThanOrEqual(4);
  });
});

test('keys do not reach commands', async () => {
  const turns = [{ calls: [{ op: 'bash', command: 'env; env | grep -c OPENAI' }] }, { text: 'done' }] as const;
  await scene(turns, async ({ run, journal }) => {
    await run(['run', 'go', '--yolo'], { env: { GITHUB_TOKEN: 'ghp_0123456789' } });
    const [text = ''] = (await journal()).flatMap(({ event }) =>
      event.type === 'answered' ? [event.result.text] : [],
    );
    expect(text).toContain('PATH=');
    expect(text).not.toMatch(/API_KEY|GITHUB_TOKEN|ghp_|sk-test/);
  });
});
