/** From the command line to an exit code. Each command's code is loaded when it is called. */
import type { Readable, Writable } from 'node:stream';
import type { Fault } from '../protocol/fault.ts';
import type { World } from '../session/world.ts';
import type { SignalSource } from '../surfaces/headless/signals.ts';
import { parse } from './args.ts';
import type { Invocation } from './invocation.ts';

/** The program's surroundings: `process` in the program, buffers in tests. */
export interface Terminal {
  readonly in: Readable & { readonly isTTY?: boolean; readonly fd?: number };
  readonly out: Writable & { readonly isTTY?: boolean };
  readonly err: Writable & { readonly isTTY?: boolean };
  readonly signals: SignalSource;
}

/** Everything that a command gets. */
export interface CommandIo {
  readonly world: World;
  readonly terminal: Terminal;
}

/** Resolves with the exit code when all output is written. */
export async function runProgram(argv: readonly string[], io: CommandIo): Promise<number> {
  const invocation = parse(argv, { isStdinTty: io.terminal.in.isTTY === true });
  if (!invocation.ok) return await failWith(invocation.fault, io);
  return await runCommand(invocation.value, io);
}

async function runCommand(invocation: Invocation, io: CommandIo): Promise<number> {
  switch (invocation.command) {
    case 'run':
      return await (await import('./commands/run.ts')).runTask(invocation, io);
    case 'demo':
      return await (await import('./commands/demo.ts')).runDemo(invocation, io);
    case 'sessions list':
    case 'sessions show':
    case 'sessions export':
    case 'sessions delete':
    case 'sessions fork':
    case 'sessions name':
      return await (await import('./commands/sessions.ts')).runSessions(invocation, io);
    case 'replay':
      return await (await import('./commands/replay.ts')).runReplay(invocation, io);
    case 'context':
    case 'tools list':
    case 'tools info':
    case 'config show':
    case 'config path':
    case 'trust':
      return await (await import('./commands/inspect.ts')).runInspect(invocation, io);
    case 'help':
      return await print((await import('./help.ts')).helpText(invocation.about), io);
    case 'version':
      return await print(io.world.version, io);
    default:
      return invocation satisfies never;
  }
}

/** Writes to standard output and waits until it is taken. Returns exit code 0. */
export async function print(text: string, { terminal }: CommandIo): Promise<number> {
  await write(terminal.out, text);
  return 0;
}

/** Tells a fault on standard error. Returns its exit code. */
export async function failWith(failed: Fault, { terminal }: CommandIo): Promise<number> {
  await write(terminal.err, `smew: ${failed.message}`);
  const { exitCodeOfFault } = await import('../surfaces/headless/exit-code.ts');
  return exitCodeOfFault(failed);
}

const write = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve) => {
    // A reader that left early (`smew sessions list | head -1`) is no failure of ours.
    stream.once('error', () => resolve());
    stream.write(text.endsWith('\n') ? text : `${text}\n`, () => resolve());
  });
