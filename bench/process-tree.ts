/** Measures a program and everything that it starts, from outside. Reads /proc, so Linux only. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptSync } from '../src/base/attempt.ts';

export interface Command {
  /** See `ownRuntime`. */
  readonly runtime: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Cost {
  readonly exitCode: number | null;
  readonly wallMs: number;
  /** User and system time of the whole tree, in the kernel's ticks of 10 ms. */
  readonly cpuMs: number;
  /** Highest sum of proportional set sizes seen, in MB of 1,048,576 bytes; 0 where it was not watched. */
  readonly peakPssMb: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A kernel tick, as every Linux that Node runs on has it. */
const tickMs = 10;
const sampleEveryMs = 15;

/** Runs the runtime with `args`. Watching memory costs the watched program time, so time and memory are taken in separate runs. */
export async function measure(command: Command, watches: 'time' | 'memory'): Promise<Cost> {
  const cpuBefore = cpuOfChildrenMs();
  const startedMs = performance.now();
  const child = spawn(command.runtime, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const watch = watches === 'memory' ? watchMemory(child) : undefined;
  const [exitCode] = await once(child, 'exit');
  const wallMs = performance.now() - startedMs;
  return {
    exitCode,
    wallMs,
    cpuMs: cpuOfChildrenMs() - cpuBefore,
    peakPssMb: watch?.() ?? 0,
    stdout: await stdout,
    stderr: await stderr,
  };
}

/**
 * A copy of this runtime in `folder`. Proportional set size divides a page by the number of processes that map it; a file of
 * its own shares none with this program and with whatever else runs on Node, and so tells what one user pays.
 */
export function ownRuntime(folder: string): string {
  const path = join(folder, 'node');
  if (!existsSync(path)) copyFileSync(process.execPath, path);
  return path;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

async function collect(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Samples until the returned function is called, which gives the peak. */
function watchMemory(child: ChildProcess): () => number {
  let peakKb = 0;
  const sample = () => {
    const pids = child.pid === undefined ? [] : treeOf(child.pid);
    peakKb = Math.max(
      peakKb,
      pids.reduce((sum, pid) => sum + pssKb(pid), 0),
    );
  };
  const timer = setInterval(sample, sampleEveryMs);
  return () => {
    clearInterval(timer);
    return peakKb / 1024;
  };
}

function treeOf(pid: number): number[] {
  const children = listOrNothing(`/proc/${pid}/task`).flatMap((thread) =>
    textOrNothing(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}

const pssKb = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(textOrNothing(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

/** Time of all children that were waited for, and of theirs: fields 16 and 17 of proc_pid_stat(5). */
function cpuOfChildrenMs(): number {
  const afterName = textOrNothing('/proc/self/stat')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(afterName[13]) + Number(afterName[14])) * tickMs;
}

/** A process may end while it is read. */
function textOrNothing(path: string): string {
  const text = attemptSync(
    () => readFileSync(path, 'utf8'),
    () => '',
  );
  return text.ok ? text.value : '';
}

function listOrNothing(path: string): string[] {
  const names = attemptSync(
    () => readdirSync(path),
    () => [],
  );
  return names.ok ? names.value : [];
}
