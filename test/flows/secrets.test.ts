/** Keys stay where they belong: no fault of a server, a proxy or the network brings one to screen, journal, ledger or cache. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestProxy } from '../../src/parts/models/net/testing/proxy.ts';
import type { ScriptedTurn } from '../../src/parts/models/scripted/turn.ts';
import type { Run } from './program.ts';
import { type Scene, scene } from './scene.ts';

/** Looks like no vendor's key, so that only knowing it hides it. */
const key = 'Plain.0042_secret';
const other = 'Second.0043_secret';
const echo = (status: number): ScriptedTurn => ({
  fault: {
    kind: 'status',
    status,
    body: `{"error":{"message":"the key ${key} (or ${other}) is at fault","code":"${key}"}}`,
  },
});

const faults: Readonly<Record<string, ScriptedTurn>> = {
  ...Object.fromEntries(
    [400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 503, 529].map((status) => [`status ${status}`, echo(status)]),
  ),
  'a page': { fault: { kind: 'status', status: 403, body: `<html><title>${key}</title><body>${other}</body></html>` } },
  'an error in a good answer': {
    text: 'x',
    fault: { kind: 'error', error: { message: `bad key ${key}`, code: 401 }, afterEvents: 0 },
  },
  'a bad line': { text: 'Fine.', fault: { kind: 'garbage', line: `oops ${key} ${other}`, afterEvents: 1 } },
  'no reply at all': { fault: { kind: 'raw', bytes: `Bearer ${key} is what you sent` } },
  'a reply that breaks off': { text: 'Half of it.', fault: { kind: 'cut', afterEvents: 1, how: 'close' } },
  'a reset': { fault: { kind: 'reset' } },
  'an overflow': {
    fault: {
      kind: 'status',
      status: 400,
      body: `{"error":{"message":"prompt is too long (${key}): 9000 tokens > 8000 maximum"}}`,
    },
  },
  'a refused parameter': {
    fault: { kind: 'status', status: 400, body: `{"error":{"message":"Unsupported parameter: temperature (${key})"}}` },
  },
};

function spills({ home, dir }: Scene, { stdout, stderr }: Run): string[] {
  const files = [home, dir].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name)),
  );
  const texts = files
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, readFileSync(path, 'latin1')] as const);
  return [['stdout', stdout] as const, ['stderr', stderr] as const, ...texts]
    .filter(([, text]) => text.includes(key) || text.includes(other) || text.includes('proxy-secret'))
    .map(([place]) => place);
}

test.for(Object.entries(faults))('%s shows no key', ([, turn]) =>
  scene([turn], async (play) => {
    mkdirSync(join(play.home, 'smew'), { recursive: true });
    writeFileSync(join(play.home, 'smew', 'config.yaml'), 'network:\n  retries: 1\n');
    const env = { OPENAI_API_KEY: `${key},${other}`, SMEW_TEMPERATURE: '0.5' };
    const run = await play.run(['run', 'hello', '-v', '--output-format', 'stream-json'], { env, limitMs: 100_000 });
    expect(play.server.requests[0]?.headers['authorization']).toBe(`Bearer ${key}`);
    expect(spills(play, run)).toEqual([]);
    expect(run.stdout).toContain('"type":"result"');
  }),
);

test.for([407, 403])('a proxy that refuses with %i does not show its password', (refuses) =>
  scene([], async (play) => {
    const proxy = await startTestProxy({ port: 1, refuses });
    try {
      const env = {
        HTTPS_PROXY: proxy.url.replace('//', '//me:proxy-secret@'),
        OPENAI_BASE_URL: 'https://model.test/v1',
        OPENAI_API_KEY: key,
      };
      const run = await play.run(['run', 'hello'], { env });
      expect(run.code).toBe(5);
      expect(run.stderr).toContain('The proxy 127.0.0.1');
      expect(spills(play, run)).toEqual([]);
    } finally {
      proxy.close();
    }
  }),
);

test('a key in a file reaches no model and no journal, whichever tool finds it', () =>
  scene(
    [
      { calls: [{ op: 'read', path: 'note.txt' }] },
      { calls: [{ op: 'bash', command: 'cat note.txt; cat note.txt >&2' }] },
      { calls: [{ op: 'grep', pattern: 'holds' }] },
      { text: 'Seen.' },
    ],
    async (play) => {
      const vendors = 'sk-proj-Zz0123456789abcdefXY';
      writeFileSync(join(play.dir, 'note.txt'), `this holds ${vendors} and ${other}\n`);
      writeFileSync(join(play.dir, 'AGENTS.md'), `Use ${vendors} for the service.\n`);
      const env = { OPENAI_API_KEY: vendors, LAB_TOKEN: other };
      const args = ['run', 'look', '--mode', 'auto', '--trust', '--output-format', 'stream-json'];
      const run = await play.run(args, { env });
      expect(run.code).toBe(0);
      const heard = JSON.stringify([play.server.requests.map(({ body }) => body), await play.journal(), run.stdout]);
      expect(heard).not.toContain(vendors);
      expect(heard).not.toContain(other);
      expect(heard.split('this holds [key] and [key]').length).toBeGreaterThan(4);
    },
  ));

test('an export hides a key that the user typed, also where no variable holds it any more', () =>
  scene([{ text: 'Seen.' }], async (play) => {
    const vendors = 'sk-proj-Zz0123456789abcdefXY';
    await play.run(['run', `look:\n${vendors}`], { env: { OPENAI_API_KEY: vendors } });
    const past = await play.journal();
    expect(JSON.stringify(past)).toContain(vendors);
    const session = past.flatMap(({ event }) => (event.type === 'opened' ? [event.sessionId] : []))[0] ?? '';
    for (const format of ['json', 'markdown']) {
      const { code, stdout } = await play.run(['sessions', 'export', session, '--format', format], {
        env: { OPENAI_API_KEY: key },
      });
      expect([code, stdout.includes(vendors), stdout.includes('[key]')]).toEqual([0, false, true]);
    }
  }));
