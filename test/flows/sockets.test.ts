/** Where the program connects to, as the kernel saw it: nowhere but to what is configured. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environment, launcher } from './program.ts';
import { type Scene, scene } from './scene.ts';

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-f', '-e', 'trace=connect', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Every address to which the program and its children connected; sockets of the machine itself (`AF_UNIX`) left out. */
async function connections({ dir, home, server }: Scene, args: readonly string[], withModel = true): Promise<string[]> {
  const log = join(home, 'connect.log');
  const traced = ['-f', '-qq', '-e', 'trace=connect,sendto', '-o', log, process.execPath, launcher, ...args];
  const child = spawn('strace', traced, {
    cwd: dir,
    env: environment({ cwd: dir, home, ...(withModel ? { url: server.url } : {}) }),
    stdio: 'ignore',
  });
  await new Promise((resolve) => child.on('close', resolve));
  const found = readFileSync(log, 'latin1').matchAll(
    /sin6?_port=htons\((\d+)\).*?(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)/g,
  );
  return [...new Set([...found].map(([, port, host]) => `${host}:${port}`))];
}

const quiet: readonly (readonly string[])[] = [
  ['--help'],
  ['--version'],
  ['sessions', 'list'],
  ['config', 'show'],
  ['config', 'path'],
  ['tools', 'list'],
  ['cost'],
];

test.skipIf(!canTrace()).for(quiet.map((args) => [args] as const))(
  'smew %j connects to nothing (skipped where strace cannot trace)',
  ([args]) =>
    scene([], async (play) => {
      expect(await connections(play, args)).toEqual([]);
    }),
);

test.skipIf(!canTrace())('a run connects to its provider alone (skipped where strace cannot trace)', () =>
  scene([{ calls: [{ op: 'bash', command: 'echo hi' }] }, { text: 'Done.' }], async (play) => {
    const { host } = new URL(play.server.url);
    expect(await connections(play, ['run', 'hello', '--yolo'])).toEqual([host]);
    expect(play.server.requests).toHaveLength(2);
    expect(await connections(play, ['sessions', 'show', JSON.stringify('x')])).toEqual([]);
  }),
);

const loopback = /^(?:127\.0\.0\.1|::1|::ffff:127\.0\.0\.1):/;

test.skipIf(!canTrace()).for([[['demo']], [['run', 'hello']]] as const)(
  'smew %j without a model leaves this machine alone (skipped where strace cannot trace)',
  ([args]) =>
    scene([], async (play) => {
      const found = await connections(play, args, false);
      expect(found.filter((address) => !loopback.test(address))).toEqual([]);
    }),
);
