/** Starts one shell: its own session, no terminal, and a named pipe that takes both of its output streams. */
import { closeSync, constants, createReadStream, existsSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Environment, markName } from './environment.ts';
import type { Guard } from './guard.ts';
import { inputTo } from './input.ts';
import { type Belonging, markDescriptor } from './processes.ts';

export interface StartOrder {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** Quiet already, see environment.ts. */
  readonly env: Environment;
  /** Absolute path of the shell. */
  readonly shell: string;
  /** Tells this command from all others of the session. */
  readonly number: number;
  /** What it reads: nothing, this text, or what is written to it later. */
  readonly input: 'none' | 'open' | { readonly text: string };
}

/** How a shell ended: by itself or by a signal. */
export interface End {
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

/** A started shell, at a pipe or at a terminal. */
export interface Running extends Belonging {
  /** Of the shell itself; processes that it left may go on. */
  readonly ended: Promise<End>;
  /** When nobody can print any more, or reading was given up. */
  readonly closed: Promise<void>;
  /** The path of the pipe that it reads, while it can be written to; undefined at a terminal. */
  readonly inputPipe: string | undefined;
  readonly isTerminal: boolean;
  onChunk(listener: (chunk: Buffer) => void): void;
  /** What nobody reads yet waits. A text that ends with `endOfInput` closes the input. Fails, with a text for the model, where it is closed. */
  write(text: string): Result<void, string>;
  /** Bytes of input that wait because the pipe is full. */
  waitingBytes(): number;
  /** Nobody is left in its process group, which is not ours to end any more. */
  leaveGroup(): void;
  /** Stops reading and gives pipes and files back. Called once, when nothing of it is left. */
  release(): void;
}

/** A single argument may hold 128 KB on Linux, so a longer command goes through a file. */
const argumentBytes = 100_000;

export interface Script {
  /** The shell's arguments. */
  readonly words: readonly string[];
  /** Removed at the end. */
  readonly files: readonly string[];
}

/** Throws where a long command cannot be written to its file. */
export function scriptOf({ command, number }: StartOrder, guard: Guard): Script {
  if (Buffer.byteLength(command) <= argumentBytes) return { words: ['-c', command], files: [] };
  const file = join(guard.directory, `command.${number}`);
  writeFileSync(file, command, { mode: 0o600 });
  return { words: [file], files: [file] };
}

/** Fails, with a text, when it cannot be started. */
export async function startShell(order: StartOrder, guard: Guard): Promise<Result<Running, string>> {
  const output = guard.takePipe();
  const input = order.input === 'open' ? guard.takePipe() : undefined;
  const giveBack = () => {
    for (const path of [output, input]) if (path !== undefined) guard.returnPipe(path);
  };
  if (output === undefined || (order.input === 'open' && input === undefined)) {
    giveBack();
    return fail('Too many commands run at once. Stop some of the background shells.');
  }
  const opened = attemptSync(() => openEnds(order, guard, { output, input }), messageOf);
  if (!opened.ok) {
    giveBack();
    return fail(`The shell could not be started: ${opened.fault}.`);
  }
  const ends = opened.value;
  const spawned = await spawnShell(order, guard, ends);
  for (const end of [ends.childInput, ends.childOutput, ends.childMark]) closeSync(end);
  if (spawned.ok) return ok(runningAt(spawned.value, ends, guard));
  closeSync(ends.read);
  if (ends.write !== undefined) closeSync(ends.write);
  giveBack();
  return spawned;
}

interface Ends {
  readonly output: string;
  readonly input: string | undefined;
  /** Ours. */
  readonly read: number;
  readonly write: number | undefined;
  /** The shell's. */
  readonly childInput: number;
  readonly childOutput: number;
  readonly mark: string;
  readonly markFile: string;
  /** Ours for as long as it takes to hand it over. */
  readonly childMark: number;
  /** Removed at the end. */
  readonly files: readonly string[];
}

type Pipes = Pick<Ends, 'output' | 'input'>;

/** A named pipe opens at once only when its other end is open, so our end, which waits for nobody, comes first. */
function openEnds({ number, input }: StartOrder, guard: Guard, pipes: Pipes): Ends {
  const { O_RDONLY, O_RDWR, O_WRONLY, O_NONBLOCK } = constants;
  const first = openSync(pipes.output, O_RDONLY | O_NONBLOCK);
  const childOutput = openSync(pipes.output, O_WRONLY);
  const read = isBun() ? openSync(pipes.output, O_RDONLY) : first;
  if (read !== first) closeSync(first);
  const markFile = join(guard.directory, `mark.${number}`);
  const childMark = openSync(markFile, 'w', 0o600);
  const common = { ...pipes, read, childOutput, mark: `${guard.session}.${number}.`, markFile, childMark };
  if (pipes.input !== undefined) {
    const write = openSync(pipes.input, O_RDWR | O_NONBLOCK);
    return { ...common, write, childInput: openSync(pipes.input, O_RDONLY), files: [markFile] };
  }
  if (typeof input === 'string')
    return { ...common, write: undefined, childInput: openSync('/dev/null', O_RDONLY), files: [markFile] };
  const file = join(guard.directory, `input.${number}`);
  writeFileSync(file, input.text, { mode: 0o600 });
  return { ...common, write: undefined, childInput: openSync(file, O_RDONLY), files: [file, markFile] };
}

interface Spawned {
  readonly pid: number;
  readonly ended: Promise<End>;
  readonly files: readonly string[];
}

async function spawnShell(order: StartOrder, guard: Guard, ends: Ends): Promise<Result<Spawned, string>> {
  if (!existsSync(order.cwd) || !existsSync(order.shell)) return fail(whyNotStarted(order, undefined));
  const { spawn } = process.getBuiltinModule('node:child_process');
  const started = attemptSync(
    () => {
      const { words, files } = scriptOf(order, guard);
      const child = spawn(order.shell, words, {
        cwd: order.cwd,
        env: { ...order.env, [markName]: ends.mark },
        detached: true,
        stdio: stdioOf(ends),
      });
      const ended = new Promise<End>((resolve) => {
        child.once('exit', (code, signal) => resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }));
      });
      const broken = new Promise<unknown>((resolve) => child.once('error', resolve));
      return { child, ended, broken, files };
    },
    (cause) => whyNotStarted(order, cause),
  );
  if (!started.ok) return started;
  const { child, ended, broken, files } = started.value;
  if (child.pid === undefined) return fail(whyNotStarted(order, await broken));
  return ok({ pid: child.pid, ended, files: [...ends.files, ...files] });
}

/** The three streams, and far behind them, where no script looks, the mark. */
function stdioOf({ childInput, childOutput, childMark }: Ends): (number | 'ignore')[] {
  const between = Array.from({ length: markDescriptor - 3 }, () => 'ignore' as const);
  return [childInput, childOutput, childOutput, ...between, childMark];
}

export function whyNotStarted({ cwd, shell }: StartOrder, cause: unknown): string {
  if (!existsSync(cwd)) return `The working directory ${cwd} is gone.`;
  if (!existsSync(shell)) return `There is no shell at ${shell}. Install bash, or set PATH so that it is found.`;
  if (codeOf(cause) === 'E2BIG')
    return 'The environment is too large for the system to start a command. Unset large variables and start Smew again.';
  return `The shell could not be started: ${messageOf(cause)}.`;
}

/** Node polls a pipe as a socket. Bun cannot; there it is read like a file, in a thread that may wait. */
const isBun = (): boolean => process.versions['bun'] !== undefined;

const readerOf = (pipe: number): Readable =>
  isBun() ? createReadStream('', { fd: pipe }) : new Socket({ fd: pipe, readable: true, writable: false });

function runningAt({ pid, ended, files }: Spawned, ends: Ends, guard: Guard): Running {
  const socket = readerOf(ends.read);
  // A read error ends the stream like its close does; what came before it counts.
  socket.on('error', () => {});
  let isFree = false;
  const closed = new Promise<void>((resolve) => {
    socket.once('end', () => {
      isFree = true;
    });
    socket.once('close', () => resolve());
  });
  guard.began(pid);
  const input = inputTo(ends.write);
  return {
    leader: pid,
    mark: ends.mark,
    pipe: ends.output,
    markFile: ends.markFile,
    get inputPipe() {
      return input.isOpen() ? ends.input : undefined;
    },
    isTerminal: false,
    ended,
    closed,
    onChunk: (listener) => void socket.on('data', listener),
    write: input.write,
    waitingBytes: input.waitingBytes,
    leaveGroup: () => guard.ended(pid),
    release: () => {
      socket.destroy();
      input.close();
      for (const file of files) attemptSync(() => unlinkSync(file), codeOf);
      guard.ended(pid);
      // Whoever still holds a pipe would mix into the next command's output, so then it is not used again.
      if (isFree) guard.returnPipe(ends.output);
      if (isFree && ends.input !== undefined) guard.returnPipe(ends.input);
    },
  };
}
