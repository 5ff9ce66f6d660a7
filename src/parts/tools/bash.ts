/** bash: one shell command, with its output and exit code. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { ToolAnswer, ToolIo } from '../../loop/ports.ts';
import type { Environment } from '../shell/environment.ts';
import { runShell, type ShellOutcome } from '../shell/run.ts';
import { throttled } from '../shell/throttle.ts';
import { defineTool, type Tool } from './tool.ts';

export interface BashOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
  /** Takes out of the environment what a command must not see. */
  readonly environmentFilter?: (environment: Environment) => Environment;
  /** Where long outputs are kept; `read` must be allowed there. Made when first needed. */
  readonly spillDir: string;
  readonly defaultTimeoutMs: number;
  readonly maxTimeoutMs: number;
}

const liveEveryMs = 100;
/** For ending the process group and reading what is left: the loop's own limit must not cut first. */
const endingMs = 5000;

export function bashTool(options: BashOptions): Tool {
  const [defaultSeconds, maxSeconds] = [options.defaultTimeoutMs / 1000, options.maxTimeoutMs / 1000];
  const Input = z.strictObject({
    command: z.string(),
    timeout: z.optional(z.number().check(z.describe(`seconds; default ${defaultSeconds}, at most ${maxSeconds}`))),
  });
  const limitMs = (timeout: number | undefined) =>
    timeout !== undefined && timeout > 0 ? Math.min(timeout * 1000, options.maxTimeoutMs) : options.defaultTimeoutMs;
  return defineTool({
    name: 'bash',
    description:
      'Run a shell command: tests, builds, git. Each call starts anew in the working directory, without input. For files use read, grep, glob, edit and write instead.',
    effect: 'executes',
    input: Input,
    subject: ({ command }) => command,
    timeoutMs: ({ timeout }) => limitMs(timeout) + endingMs,
    run: ({ command, timeout }, io) => run({ command, limitMs: limitMs(timeout) }, options, io),
  });
}

interface Work {
  readonly command: string;
  readonly limitMs: number;
}

async function run({ command, limitMs }: Work, options: BashOptions, io: ToolIo): Promise<ToolAnswer> {
  if (command.includes('\0')) return { ok: false, text: 'bash: the command holds a NUL character. Write it without.' };
  const { cwd, env, environmentFilter, spillDir } = options;
  const live = throttled(liveEveryMs, (text) => io.emit({ type: 'tool.printed', callId: io.callId, text }));
  const ran = await runShell({
    command,
    cwd,
    env: environmentFilter ? environmentFilter(env) : env,
    timeoutMs: limitMs,
    signal: io.signal,
    onOutput: live.add,
    spillPath: freePath(spillDir, io.callId),
  });
  live.end();
  if (!ran.ok) return { ok: false, text: `bash: ${ran.fault}`, data: { command } };
  const { exitCode, signal, stoppedBy, durationMs, bytes, spillPath } = ran.value;
  return {
    ok: exitCode === 0 && stoppedBy === undefined,
    text: report(ran.value, limitMs, options.maxTimeoutMs),
    data: {
      command,
      durationMs,
      bytes,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(signal === undefined ? {} : { signal }),
      ...(stoppedBy === undefined ? {} : { stoppedBy }),
      ...(spillPath === undefined ? {} : { spill: spillPath }),
    },
  };
}

/** Named after the call, whose id is the server's and may be anything. */
function freePath(directory: string, callId: string): string {
  const name = callId.replace(/[^\w-]/g, '_').slice(0, 80);
  let path = join(directory, `${name}.txt`);
  for (let number = 2; existsSync(path); number++) path = join(directory, `${name}-${number}.txt`);
  return path;
}

/** The output, then a line for everything that the model must know about it. */
function report(outcome: ShellOutcome, limitMs: number, maxTimeoutMs: number): string {
  const remarks = [endRemark(outcome, limitMs, maxTimeoutMs), cutRemark(outcome), heldRemark(outcome)];
  const output = outcome.text.replace(/\s+$/, '');
  return [output === '' ? '(no output)' : output, ...remarks.filter((remark) => remark !== '')].join('\n');
}

function endRemark(
  { exitCode, signal, stoppedBy, bytes }: ShellOutcome,
  limitMs: number,
  maxTimeoutMs: number,
): string {
  switch (stoppedBy) {
    case 'timeout': {
      const longer = limitMs < maxTimeoutMs ? `give a longer timeout (at most ${maxTimeoutMs / 1000} s), or ` : '';
      return `[Time-out: stopped after ${limitMs / 1000} s, not finished. If it needs more time, ${longer}run a smaller part; what never ends (a server, a watcher) start with: command > log 2>&1 &]`;
    }
    case 'abort':
      return '[Interrupted before it finished.]';
    case 'flood':
      return `[Stopped: it had printed ${bytes} bytes. Print less: filter, or write to a file.]`;
    case undefined:
      if (signal !== undefined) return `[Killed by ${signal}.]`;
      return exitCode === 0 ? '' : `[Exit code ${exitCode}.]`;
    default:
      return stoppedBy satisfies never;
  }
}

function cutRemark({ isCut, bytes, spillPath, spillFault }: ShellOutcome): string {
  if (!isCut) return '';
  if (spillPath === undefined)
    return `[Output cut: ${bytes} bytes in all; the whole could not be kept (${spillFault}).]`;
  return `[Output cut: ${bytes} bytes in all. The whole is in ${spillPath}: page it with read and offset, or grep in it.]`;
}

const heldRemark = ({ isHeld }: ShellOutcome): string =>
  isHeld
    ? '[A process it left in the background still held the output; what that prints from now on is lost. Start such processes with: command > log 2>&1 &]'
    : '';
