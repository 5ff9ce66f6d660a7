/** From the command line to an exit code. Each command's code is loaded when it is called. */
import { type Fault, fault } from '../protocol/fault.ts';
import type { World } from '../session/world.ts';
import { parse } from './args.ts';
import { type CommandIo, failWith, print, type Terminal } from './command-io.ts';
import type { Invocation } from './invocation.ts';

export interface ProgramIo {
  /** Without `cwd`, the directory in which the program was started is gone. */
  readonly world: Omit<World, 'cwd'> & { readonly cwd: string | undefined };
  readonly terminal: Terminal;
}

/** Resolves with the exit code when all output is written. */
export async function runProgram(argv: readonly string[], { world, terminal }: ProgramIo): Promise<number> {
  const io = { world: { ...world, cwd: world.cwd ?? '/' }, terminal };
  const invocation = parse(argv, { isStdinTty: terminal.in.isTTY === true });
  if (!invocation.ok) return await failWith(invocation.fault, io);
  const needsPlace = invocation.value.command !== 'help' && invocation.value.command !== 'version';
  if (needsPlace && world.cwd === undefined) return await failWith(lost(), io);
  return await runCommand(invocation.value, io);
}

const lost = (): Fault =>
  fault('usage', 'The directory in which smew was started does not exist any more. Go to one that does.');

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
    case 'sessions compact':
      return await (await import('./commands/sessions.ts')).runSessions(invocation, io);
    case 'models list':
    case 'models info':
    case 'models test-connection':
    case 'auth':
      return await (await import('./commands/models.ts')).runModels(invocation, io);
    case 'cost':
      return await (await import('./commands/cost.ts')).runCost(invocation, io);
    case 'debug reply':
      return await (await import('./commands/debug.ts')).runDebugReply(io);
    case 'replay':
      return await (await import('./commands/replay.ts')).runReplay(invocation, io);
    case 'context':
    case 'tools list':
    case 'tools info':
    case 'config show':
    case 'config set':
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
