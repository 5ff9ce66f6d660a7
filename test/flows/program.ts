/** Runs the built program as a user's shell would, in its own home, and tells everything about the run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const launcher = resolve(import.meta.dirname, '../../bin/smew.js');

export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly home: string;
  /** Base URL of a scripted server; sets the variables that an OpenAI user would set. */
  readonly url?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** What a pipe would bring; without it standard input is closed. */
  readonly stdin?: string;
  /** Milliseconds until the run is killed and counts as hung. */
  readonly limitMs?: number;
}

export interface Started {
  readonly child: ChildProcess;
  readonly done: Promise<Run>;
}

/** A clean environment: no key, no config and no proxy of the developer's own. */
export function environment({ home, url, env }: RunOptions): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    SMEW_HOME: join(home, 'smew'),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ...(url ? { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-test-0123456789', SMEW_MODEL: 'openai/scripted' } : {}),
    ...env,
  };
}

export function start(args: readonly string[], options: RunOptions): Started {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: options.cwd,
    env: environment(options),
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  if (options.stdin !== undefined) child.stdin?.end(options.stdin);
  const timer = setTimeout(() => child.kill('SIGKILL'), options.limitMs ?? 60_000);
  const done = new Promise<Run>((resolved) => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolved({ code, signal, stdout, stderr });
    });
  });
  return { child, done };
}

export const smew = (args: readonly string[], options: RunOptions): Promise<Run> => start(args, options).done;

/** A directory that is gone when the test is. */
export function temporary(prefix = 'smew-flow-'): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), prefix));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
