/** bash: one shell command, with its output and exit code; and the shells that go on in the background. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ok } from '../../base/result.ts';
import type { ToolAnswer, ToolIo } from '../../loop/ports.ts';
import { hintFor, unansweredRemark } from '../shell/hints.ts';
import { needsTerminal } from '../shell/interactive.ts';
import type { Report } from '../shell/report.ts';
import type { Shells } from '../shell/shells.ts';
import { throttled } from '../shell/throttle.ts';
import { commandReader, type Reader } from './bash-checks.ts';
import { dataOf, textOf } from './bash-report.ts';
import type { ShellDirectory } from './shell-directory.ts';
import { defineTool, type Tool } from './tool.ts';

export interface BashOptions {
  readonly shells: Shells;
  readonly directory: ShellDirectory;
  /** Where long outputs are kept; `read` must be allowed there. Made when first needed. */
  readonly spillDir: string;
  readonly defaultTimeoutMs: number;
  readonly maxTimeoutMs: number;
  /** As Node names it. */
  readonly platform: string;
  /** Names of variables that commands do not see. */
  readonly hiddenVariables: readonly string[];
}

const liveEveryMs = 100;
/** For ending the process group and reading what is left: the loop's own limit must not cut first. */
const endingMs = 5000;

const inputOf = (defaultSeconds: number, maxSeconds: number) =>
  z.strictObject({
    command: z.optional(z.string()),
    timeout: z.optional(z.number().check(z.describe(`seconds; default ${defaultSeconds}, at most ${maxSeconds}`))),
    background: z.optional(z.boolean()),
    shell_id: z.optional(z.string()),
    input: z.optional(z.string()),
    stop: z.optional(z.boolean()),
    terminal: z.optional(z.boolean()),
  });
type Input = z.output<ReturnType<typeof inputOf>>;

export function bashTool(options: BashOptions): Tool {
  const Input = inputOf(options.defaultTimeoutMs / 1000, options.maxTimeoutMs / 1000);
  const limitMs = ({ timeout }: Input) =>
    timeout !== undefined && timeout > 0 ? Math.min(timeout * 1000, options.maxTimeoutMs) : options.defaultTimeoutMs;
  const readingIn = commandReader();
  const tool = defineTool({
    name: 'bash',
    description:
      'Run a shell command: tests, builds, git. cd lasts; input is empty unless given. What outlives timeout or has background: true (servers) goes on and gets a shell_id: call with that alone to see new output, with input to type (\\u0004 ends it), or with stop. terminal: true gives it a terminal. For files use read, grep, glob, edit and write instead.',
    effect: 'executes',
    input: Input,
    subject: subjectOf,
    timeoutMs: (input) => limitMs(input) + endingMs,
    run: async (input, io) => {
      const wrong = wrongUse(input) ?? wrongTimeout(input, options.defaultTimeoutMs) ?? forPeople(input);
      if (wrong) return { ok: false, text: `bash: ${wrong}`, data: { refused: 'input' } };
      const work = { ...options, limitMs: limitMs(input), readingIn };
      return input.shell_id === undefined ? await runCommand(input, work, io) : await useShell(input, work, io);
    },
  });
  return {
    ...tool,
    prepare: (raw) => {
      const prepared = gentler(tool.prepare(raw), raw);
      // While permission is asked and the journal is written, the first command's surroundings are made.
      if (prepared.ok) options.shells.warm();
      return prepared;
    },
  };
}

/** To look at a shell of one's own, or to end it, changes nothing that a person would have to be asked about. */
function gentler(prepared: ReturnType<Tool['prepare']>, raw: unknown): ReturnType<Tool['prepare']> {
  const isLook = typeof raw === 'object' && raw !== null && 'shell_id' in raw && !('input' in raw || 'command' in raw);
  return prepared.ok && isLook ? ok({ ...prepared.value, effect: 'reads' }) : prepared;
}

function subjectOf({ command, shell_id, input, stop }: Input): string {
  if (shell_id === undefined) return command ?? '';
  if (stop) return `stop shell ${shell_id}`;
  return input === undefined ? `shell ${shell_id}` : `input to shell ${shell_id}: ${input}`;
}

function wrongUse({ command, shell_id, input, stop, background }: Input): string | undefined {
  if (command === undefined && shell_id === undefined) return 'give a command, or a shell_id.';
  if (command !== undefined && shell_id !== undefined)
    return 'give either a command (a new shell) or a shell_id, not both. To type into a shell use input.';
  if (stop && shell_id === undefined) return 'stop needs the shell_id of a background shell.';
  if (shell_id !== undefined && background) return 'shell_id is in the background already; leave background out.';
  if (stop && input !== undefined) return 'give either input or stop.';
  if (command?.includes('\0')) return 'the command holds a NUL character. Write it without.';
  return command?.trim() === '' ? 'the command is empty.' : undefined;
}

function wrongTimeout({ timeout }: Input, defaultMs: number): string | undefined {
  if (timeout === undefined || timeout > 0) return undefined;
  return `timeout is ${timeout}, but must be above 0 (seconds). Leave it out for the usual ${defaultMs / 1000}.`;
}

/** A program for people that would get neither terminal nor input. */
const forPeople = ({ command = '', terminal, input }: Input): string | undefined =>
  terminal || input !== undefined ? undefined : needsTerminal(command);

interface Work extends BashOptions {
  readonly readingIn: Reader;
  readonly limitMs: number;
}

async function runCommand({ command = '', ...input }: Input, work: Work, io: ToolIo): Promise<ToolAnswer> {
  const { cwd, lost } = work.directory.current();
  const live = throttled(liveEveryMs, (text) => io.emit({ type: 'tool.printed', callId: io.callId, text }));
  const running = work.shells.run({
    command,
    cwd,
    limitMs: work.limitMs,
    signal: io.signal,
    onOutput: live.add,
    spillPath: freePath(work.spillDir, io.callId),
    ...(input.input === undefined ? {} : { input: input.input }),
    ...(input.background === undefined ? {} : { isBackground: input.background }),
    ...(input.terminal === undefined ? {} : { isTerminal: input.terminal }),
  });
  // While it runs there is time to parse it.
  const read = work.readingIn(cwd, command);
  const ran = await running;
  live.end();
  if (!ran.ok) return { ok: false, text: `bash: ${ran.fault}`, data: { command } };
  const report = ran.value;
  const fallback =
    lost === undefined ? '' : `[The directory ${lost} is gone: this ran in ${cwd}, where bash starts again.]`;
  const moved = report.state === 'running' ? '' : work.directory.ended(report.directory, command);
  const { remark, data } = await read(report);
  const told = answer(report, work, [remark, fallback, helpFor(report, work, input.input === undefined), moved]);
  return { ...told, data: { ...told.data, ...data } };
}

async function useShell(input: Input, work: Work, io: ToolIo): Promise<ToolAnswer> {
  const id = (input.shell_id ?? '').trim();
  const live = throttled(liveEveryMs, (text) => io.emit({ type: 'tool.printed', callId: io.callId, text }));
  const told = input.stop
    ? await work.shells.stop(id)
    : await work.shells.follow({
        id,
        signal: io.signal,
        onOutput: live.add,
        ...(input.timeout === undefined ? {} : { waitMs: work.limitMs }),
        ...(input.input === undefined ? {} : { input: lineOf(input.input) }),
      });
  live.end();
  if (!told.ok) return { ok: false, text: `bash: ${told.fault}`, data: { shell_id: id } };
  const report = told.value;
  // Where it began is not known any more, only needed for the names of scripts.
  const { remark, data } = await work.readingIn(work.directory.current().cwd, report.command)(report);
  const answered = answer(report, work, [remark, helpFor(report, work, false)]);
  return { ...answered, data: { ...answered.data, ...data } };
}

/** Models leave out the key Enter; control characters (Ctrl+C, an escape sequence) are whole as they are. */
const lineOf = (input: string): string => (/[\n\r\p{Cc}]$/u.test(input) ? input : `${input}\n`);

function answer(report: Report, { maxTimeoutMs, limitMs }: Work, remarks: readonly string[]): ToolAnswer {
  const isFine = report.stoppedBy === undefined || report.stoppedBy === 'asked';
  const hasEndedWell = report.exitCode === 0 && report.crowdedBy === undefined;
  const isWell = report.state === 'running' || hasEndedWell || report.stoppedBy === 'asked';
  return {
    ok: isFine && isWell,
    text: textOf(report, { limitMs, maxTimeoutMs, remarks: remarks.filter((remark) => remark !== '') }),
    data: dataOf(report),
  };
}

function helpFor(report: Report, { platform, shells, hiddenVariables }: Work, isInputClosed: boolean): string {
  if (report.state === 'running' || report.stoppedBy !== undefined) return '';
  if (report.exitCode === 0) {
    const remark = isInputClosed ? unansweredRemark(report.text) : undefined;
    return remark === undefined ? '' : `[${remark}]`;
  }
  const { command, text, exitCode } = report;
  const hint = hintFor({ command, text, exitCode, platform, shell: shells.shell, isInputClosed });
  const hidden = hiddenVariables.filter((name) => new RegExp(`\\b${name}\\b`).test(`${command}\n${text}`));
  const kept =
    hidden.length === 0
      ? ''
      : `${hidden.join(', ')} ${hidden.length > 1 ? 'are' : 'is'} set, but kept from commands; the user can allow it in the config: bash.keepEnv.`;
  const help = [hint ?? '', kept].filter((sentence) => sentence !== '').join(' ');
  return help === '' ? '' : `[${help}]`;
}

/** Named after the call, whose id is the server's and may be anything. */
function freePath(directory: string, callId: string): string {
  const name = callId.replace(/[^\w-]/g, '_').slice(0, 80);
  let path = join(directory, `${name}.txt`);
  for (let number = 2; existsSync(path); number++) path = join(directory, `${name}-${number}.txt`);
  return path;
}
