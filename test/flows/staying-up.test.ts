/** Servers that fail, windows that are too small, money that runs out: what the built program makes of it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestProxy } from '../../src/parts/models/net/testing/proxy.ts';
import { startScriptedServer } from '../../src/parts/models/scripted/server.ts';
import type { ScriptedCall, ScriptedTurn } from '../../src/parts/models/scripted/turn.ts';
import { type Scene, scene } from './scene.ts';

const configure = ({ home }: Scene, text: string): void => {
  mkdirSync(join(home, 'smew'), { recursive: true });
  writeFileSync(join(home, 'smew', 'config.yaml'), text);
};

/** Files of about 5,000 characters each. */
function fillFiles({ dir }: Scene, count: number): void {
  for (let number = 1; number <= count; number++) {
    const lines = Array.from(
      { length: 100 },
      (_, line) => `file ${number}, line ${line + 1}: what stands here is ordinary text`,
    );
    writeFileSync(join(dir, `part${number}.txt`), `${lines.join('\n')}\n`);
  }
}

const read = (number: number): ScriptedTurn => ({
  calls: [{ op: 'read', path: `part${number}.txt` } satisfies ScriptedCall],
  usage: null,
});
const sizeOf = (raw: Uint8Array): number => Math.ceil(raw.length / 4);

test('a long task in a window of 8k finishes: old results become one line each, the task and the last steps stay', () =>
  scene(
    [...Array.from({ length: 14 }, (_, index) => read(index + 1)), { text: 'Fourteen parts, all ordinary.' }],
    async (play) => {
      configure(play, 'models:\n  openai/scripted:\n    contextTokens: 8192\n');
      fillFiles(play, 14);
      const { code, stdout, stderr } = await play.run(['run', 'Read all parts. The password is Perlhuhn.', '--yolo']);
      expect([code, stdout]).toEqual([0, 'Fourteen parts, all ordinary.\n']);
      expect(stderr).toContain('context shortened by compaction');
      const bodies = play.server.requests.map(({ raw }) => raw.toString());
      expect(Math.max(...play.server.requests.map(({ raw }) => sizeOf(raw)))).toBeLessThan(8192);
      for (const body of bodies) expect(body).toContain('Perlhuhn');
      const last = bodies.at(-1) ?? '';
      expect(last).toContain('[masked: read part1.txt');
      expect(last).toContain('file 14, line 100');
      const events = (await play.journal()).map(({ event }) => event);
      expect(events.filter(({ type }) => type === 'compacted').length).toBeGreaterThan(0);
    },
  ));

test("an overflow in a vendor's words is cured by leaving out old results, and the window is remembered", () => {
  const overflow = {
    kind: 'status',
    status: 400,
    times: 1,
    body: JSON.stringify({
      error: { message: 'request (12500 tokens) exceeds the available context size (10240 tokens), try increasing it' },
    }),
  } as const;
  return scene(
    [...Array.from({ length: 7 }, (_, index) => read(index + 1)), { text: 'Done.', fault: overflow }],
    async (play) => {
      fillFiles(play, 7);
      const { code, stdout } = await play.run(['run', 'Read all parts.', '--yolo']);
      expect([code, stdout]).toEqual([0, 'Done.\n']);
      const events = (await play.journal()).map(({ event }) => event);
      expect(events.filter(({ type }) => type === 'compacted')).toMatchObject([{ by: 'compaction' }]);
      expect(events).toContainEqual(
        expect.objectContaining({
          kind: 'overflow',
          data: expect.objectContaining({ windowTokens: 10240, promptTokens: 12500 }),
        }),
      );
      const [before, after] = play.server.requests.slice(-2).map(({ raw }) => raw.length);
      expect(after).toBeLessThan((before ?? 0) * 0.8);
      const replayed = await play.run([
        'replay',
        JSON.parse((await play.run(['sessions', 'list', '--json'])).stdout)[0].id,
      ]);
      expect(`${replayed.stdout}${replayed.stderr}`).toContain('all the same');
    },
  );
});

test('an overflow that nothing cures ends the run with advice', () =>
  scene(
    [
      {
        fault: {
          kind: 'status',
          status: 400,
          body: '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
        },
      },
    ],
    async ({ run, server }) => {
      const { code, stderr } = await run(['run', 'hello']);
      expect(code).toBe(5);
      expect(stderr).toMatch(/does not fit|compact the session/);
      expect(server.requests.length).toBe(1);
    },
  ));

test('a cap on tokens stops at a point from which the session goes on', () =>
  scene(
    [
      { calls: [{ op: 'list' }], usage: { inputTokens: 900, outputTokens: 200 } },
      { text: 'Finished.', usage: { inputTokens: 100, outputTokens: 20 } },
    ],
    async (play) => {
      const stopped = await play.run(['run', 'look', '--max-tokens', '1000', '--output-format', 'json']);
      expect(stopped.code).toBe(3);
      expect(JSON.parse(stopped.stdout)).toMatchObject({
        status: 'limit',
        stop: { reason: 'budget limit' },
        fault: { kind: 'budget' },
      });
      const resumed = await play.run(['run', '-c', 'go on', '--max-tokens', '1000']);
      expect([resumed.code, resumed.stdout]).toEqual([0, 'Finished.\n']);
    },
  ));

test('a cap on cost holds by the configured price, the cost is told, and smew cost adds it up', () =>
  scene(
    [
      { calls: [{ op: 'list' }], usage: { inputTokens: 100_000, outputTokens: 10_000, cachedTokens: 50_000 } },
      { text: 'Finished.', usage: { inputTokens: 1000, outputTokens: 100 } },
    ],
    async (play) => {
      const remote = { env: { OPENAI_API_KEY: 'k-12345678' } };
      configure(
        play,
        'models:\n  openai/scripted:\n    price: {input: 2, output: 10, cached: 1}\nlimits:\n  dayCost: 5\n',
      );
      const stopped = await play.run(['run', 'look', '--max-cost', '0.2'], remote);
      expect(stopped.code).toBe(3);
      expect(stopped.stderr).toContain('this turn has cost $0.2500 of $0.2000');
      expect(stopped.stderr).toContain('$0.2500 ·');
      const resumed = await play.run(['run', '-c', 'go on', '--max-cost', '0.2', '--output-format', 'json'], remote);
      const { cost } = JSON.parse(resumed.stdout);
      expect(cost.usd).toBeCloseTo(0.003);
      expect(cost.sessionUsd).toBeCloseTo(0.253);
      const told = await play.run(['cost', '--json']);
      const { today, latest } = JSON.parse(told.stdout);
      expect([today.usd, latest.spent.usd, today.models[0].model]).toEqual([
        expect.closeTo(0.253),
        expect.closeTo(0.253),
        'openai/scripted',
      ]);
      configure(play, 'models:\n  openai/scripted:\n    price: {input: 2, output: 10}\nlimits:\n  dayCost: 0.1\n');
      const capped = await play.run(['run', 'once more'], remote);
      expect([capped.code, capped.stderr]).toEqual([3, expect.stringContaining('today has cost $0.2530 of $0.1000')]);
    },
  ));

test('without a usage the tokens are estimated, and that is said', () =>
  scene([{ text: 'Hello, this is a reply of some words.', usage: null }], async (play) => {
    configure(play, 'models:\n  openai/scripted:\n    price: {input: 2, output: 10}\n');
    const { stderr } = await play.run(['run', 'hello']);
    expect(stderr).toMatch(/\$0\.0\d+ \(estimated\)/);
    const day = readdirSync(join(play.home, 'smew'), { recursive: true, encoding: 'utf8' }).find((name) =>
      name.includes('ledger/'),
    );
    expect(JSON.parse(readFileSync(join(play.home, 'smew', day ?? ''), 'utf8'))).toMatchObject({
      isEstimate: true,
      model: 'openai/scripted',
    });
  }));

test('a provider that is down gives way to the fallback, in one line and one note', () =>
  scene([{ fault: { kind: 'status', status: 503, headers: { 'retry-after': '30' } } }], async (play) => {
    const other = await startScriptedServer({ turns: [{ calls: [{ op: 'list' }] }, { text: 'From the other.' }] });
    try {
      configure(play, `fallback: [spare/model]\nprovider:\n  spare:\n    baseUrl: ${other.url}\n`);
      const { code, stdout, stderr } = await play.run(['run', 'look', '--yolo']);
      expect([code, stdout]).toEqual([0, 'From the other.\n']);
      expect(stderr.split('\n').filter((line) => line.includes('openai/scripted -> spare/model'))).toHaveLength(1);
      const events = (await play.journal()).map(({ event }) => event);
      expect(events.filter((event) => event.type === 'noted' && event.kind === 'switched')).toHaveLength(1);
      expect(events.filter(({ type }) => type === 'heard')).toMatchObject([
        { model: 'spare/model' },
        { model: 'spare/model' },
      ]);
      expect(play.server.requests).toHaveLength(1);
    } finally {
      await other.close();
    }
  }));

test('a fallback with a smaller window gets what fits into it', () =>
  scene([{ fault: { kind: 'status', status: 503 } }], async (play) => {
    const turns = [...Array.from({ length: 10 }, (_, index) => read(index + 1)), { text: 'All read.' }];
    const other = await startScriptedServer({ turns });
    try {
      const facts = 'models:\n  spare/model:\n    contextTokens: 8192\n';
      configure(play, `fallback: [spare/model]\nprovider:\n  spare:\n    baseUrl: ${other.url}\n${facts}`);
      fillFiles(play, 10);
      const { code, stdout } = await play.run(['run', 'Read all parts.', '--yolo']);
      expect([code, stdout]).toEqual([0, 'All read.\n']);
      expect(Math.max(...other.requests.map(({ raw }) => sizeOf(raw)))).toBeLessThan(8192);
    } finally {
      await other.close();
    }
  }));

test('several keys take turns when one has had enough', () =>
  scene([{ text: 'Second key.', fault: { kind: 'status', status: 429, times: 2 } }], async (play) => {
    const env = { OPENAI_API_KEY: 'first-key-12345,second-key-12345' };
    const { code, stdout, stderr } = await play.run(['run', 'hello'], { env });
    expect([code, stdout]).toEqual([0, 'Second key.\n']);
    expect(stderr).toContain('openai/scripted (key 1) -> openai/scripted (key 2)');
    expect(stderr).not.toContain('second-key');
  }));

test('a proxy of the environment is used for every request', () =>
  scene([{ text: 'Through.' }], async (play) => {
    const proxy = await startTestProxy({ port: Number(new URL(play.server.url).port), login: 'me:proxy-secret' });
    try {
      const env = { ALL_PROXY: proxy.url.replace('//', '//me:proxy-secret@'), OPENAI_BASE_URL: 'http://model.test/v1' };
      const { code, stdout } = await play.run(['run', 'hello'], { env });
      expect([code, stdout]).toEqual([0, 'Through.\n']);
      expect(proxy.seen.map(({ line }) => line)).toEqual(['POST http://model.test/v1/chat/completions']);
    } finally {
      proxy.close();
    }
  }));

test('a session is shortened on request, and goes on', () =>
  scene([read(1), read(2), read(3), read(4), { text: 'Read.' }, { text: 'Gone on.' }], async (play) => {
    fillFiles(play, 4);
    await play.run(['run', 'Read all parts.', '--yolo']);
    const [session] = JSON.parse((await play.run(['sessions', 'list', '--json'])).stdout) as { id: string }[];
    const first = await play.run(['sessions', 'compact', session?.id ?? '']);
    expect(first.stdout).toMatch(/about \d+ tokens of old tool results left out/);
    expect((await play.run(['sessions', 'compact', session?.id ?? ''])).stdout).toContain('nothing to leave out');
    expect((await play.run(['run', '-c', 'go on'])).stdout).toBe('Gone on.\n');
    expect(play.server.requests.at(-1)?.raw.toString()).toContain('[masked: read part2.txt');
    expect(play.server.requests.at(-1)?.raw.toString()).toContain('file 3, line 100');
  }));
