/**
 * Runs one shell command to its end, its time limit or an abort, and always comes back: the whole process group is
 * ended, and a background process that holds the output open is not waited for.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { sleep } from '../../base/abort.ts';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Environment, findShell, quietEnvironment } from './environment.ts';
import { Output } from './output.ts';

export interface ShellRequest {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Output as it comes, decoded, with its control sequences. */
  readonly onOutput?: (text: string) => void;
  /** A file that does not exist yet; made once the output is longer than what is shown. */
  readonly spillPath: string;
  /** The command is stopped when it has printed more (256 MB unless given). */
  readonly outputLimitBytes?: number;
}

/** Why the command was stopped before its own end. */
export type Cause = 'timeout' | 'abort' | 'flood';

export interface ShellOutcome {
  /** Undefined when a signal ended the shell. */
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly stoppedBy: Cause | undefined;
  /** stdout and stderr in the order of printing, plain; of a long output the head and the tail. */
  readonly text: string;
  readonly isCut: boolean;
  /** All that was printed, in bytes. */
  readonly bytes: number;
  /** The file that holds the whole output. */
  readonly spillPath: string | undefined;
  /** Why there is no such file although the output is long. */
  readonly spillFault: string | undefined;
  /** A process that the command left behind still had the output open. */
  readonly isHeld: boolean;
  readonly durationMs: number;
}

const defaultOutputLimitBytes = 256 * 1024 * 1024;
/** From the polite signal to the one that cannot be refused. */
const termGraceMs = 700;
const groupPollMs = 20;
/** After the shell's exit: how long the output may stay silent, and how long it is read at most. */
const drainSilenceMs = 200;
const drainAtMostMs = 1000;

/** Fails, with a text, only when the shell cannot be started. */
export async function runShell(request: ShellRequest): Promise<Result<ShellOutcome, string>> {
  const startedAt = performance.now();
  const started = start(request);
  if (!started.ok) return started;
  const { child, stdout } = started.value;
  const output = new Output(request.spillPath);
  const stopper = stopperOf(child, request);
  const arrival = listen(stdout, output, (text) => {
    request.onOutput?.(text);
    if (output.bytes > (request.outputLimitBytes ?? defaultOutputLimitBytes)) stopper.stop('flood');
  });
  const end = await endOf(child);
  const stoppedBy = await stopper.settle();
  const isHeld = end.ok && !(await drained(stdout, arrival));
  stdout.destroy();
  output.close();
  if (!end.ok) return fail(whyNotStarted(request, end.fault));
  return ok({
    ...end.value,
    stoppedBy,
    ...output.shown(),
    bytes: output.bytes,
    spillPath: output.spillPath,
    spillFault: output.spillFault,
    isHeld: isHeld && stoppedBy === undefined,
    durationMs: Math.round(performance.now() - startedAt),
  });
}

function start(request: ShellRequest): Result<{ child: ChildProcess; stdout: Readable }, string> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const env = quietEnvironment(request.env);
  // The outer sh puts both streams into one pipe, which alone keeps the order of printing, and is replaced.
  const words = ['-c', 'exec "$0" -c "$1" 2>&1', findShell(env), request.command];
  const options = { cwd: request.cwd, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] as const };
  const spawned = attemptSync(
    () => spawn('/bin/sh', words, { ...options, stdio: [...options.stdio] }),
    (cause) => whyNotStarted(request, cause),
  );
  if (!spawned.ok) return spawned;
  const { stdout } = spawned.value;
  return stdout ? ok({ child: spawned.value, stdout }) : fail('The shell could not be started: it has no output.');
}

function whyNotStarted({ cwd, command }: ShellRequest, cause: unknown): string {
  if (!existsSync(cwd)) return `The working directory ${cwd} is gone.`;
  if (codeOf(cause) === 'E2BIG')
    return `The command is too long for the system (${command.length} characters). Write it to a file with write and run that.`;
  return `The shell could not be started: ${messageOf(cause)}.`;
}

/** Passes chunks on, decoded over their borders; `lastAt` tells when the newest came. */
function listen(stdout: Readable, output: Output, onText: (text: string) => void): { lastAt: number } {
  const decoder = new TextDecoder();
  const arrival = { lastAt: performance.now() };
  stdout.on('data', (chunk: Buffer) => {
    arrival.lastAt = performance.now();
    output.add(chunk);
    onText(decoder.decode(chunk, { stream: true }));
  });
  // A read error ends the stream like its close does; what came before it counts.
  stdout.on('error', () => {});
  return arrival;
}

type End = Pick<ShellOutcome, 'exitCode' | 'signal'>;

function endOf(child: ChildProcess): Promise<Result<End, unknown>> {
  return new Promise((resolve) => {
    child.once('error', (cause) => resolve(fail(cause)));
    child.once('exit', (code, signal) => resolve(ok({ exitCode: code ?? undefined, signal: signal ?? undefined })));
  });
}

/** True once everything was read; false when somebody else keeps the pipe open. */
async function drained(stdout: Readable, arrival: { readonly lastAt: number }): Promise<boolean> {
  const exitedAt = performance.now();
  const closed = new Promise<boolean>((resolve) => stdout.once('close', () => resolve(true)));
  while (!stdout.closed) {
    if (await Promise.race([closed, sleep(groupPollMs).then(() => false)])) return true;
    const now = performance.now();
    const isSilent = now - Math.max(arrival.lastAt, exitedAt) > drainSilenceMs;
    if (isSilent || now - exitedAt > drainAtMostMs) return false;
  }
  return true;
}

interface Stopper {
  stop(cause: Cause): void;
  /** After the shell's end: waits until a stopped group is gone, and lets timer and signal go. */
  settle(): Promise<Cause | undefined>;
}

function stopperOf({ pid }: ChildProcess, { timeoutMs, signal }: ShellRequest): Stopper {
  let stoppedBy: Cause | undefined;
  let ending: Promise<void> | undefined;
  let isSettled = false;
  const stop = (cause: Cause) => {
    if (isSettled || stoppedBy !== undefined || pid === undefined) return;
    stoppedBy = cause;
    ending = endGroup(pid);
  };
  const onAbort = () => stop('abort');
  const timer = setTimeout(() => stop('timeout'), timeoutMs);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return {
    stop,
    settle: async () => {
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      await ending;
      return stoppedBy;
    },
  };
}

/** Asks the group to end, and makes it. Resolves when it is gone or was killed. */
async function endGroup(leader: number): Promise<void> {
  const send = (signal: NodeJS.Signals | 0) => attemptSync(() => process.kill(-leader, signal), codeOf).ok;
  const until = performance.now() + termGraceMs;
  send('SIGTERM');
  while (performance.now() < until) {
    if (!send(0)) return;
    await sleep(groupPollMs);
  }
  send('SIGKILL');
}
