/** Starts a shell at a pseudo-terminal, for programs that insist on one. The library is loaded only then. */
import { unlinkSync } from 'node:fs';
import { attempt, attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { markName } from './environment.ts';
import type { Guard } from './guard.ts';
import { type End, type Running, type StartOrder, scriptOf, whyNotStarted } from './start.ts';

const size = { cols: 100, rows: 40 };

export async function startAtTerminal(order: StartOrder, guard: Guard): Promise<Result<Running, string>> {
  const library = await attempt(() => import('@lydell/node-pty'), messageOf);
  if (!library.ok)
    return fail(
      'A terminal is not available: the optional package @lydell/node-pty is missing. Run it without terminal.',
    );
  const mark = `${guard.session}.${order.number}.`;
  const env = { ...order.env, TERM: 'xterm-256color', [markName]: mark };
  const spawned = attemptSync(
    () => {
      const { words, files } = scriptOf(order, guard);
      const options = { ...size, cwd: order.cwd, env, encoding: null };
      return { terminal: library.value.spawn(order.shell, [...words], options), files };
    },
    (cause) => whyNotStarted(order, cause),
  );
  if (!spawned.ok) return spawned;
  const { terminal, files } = spawned.value;
  guard.began(terminal.pid);
  let isOver = false;
  const ended = new Promise<End>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      isOver = true;
      resolve({ exitCode: signal ? undefined : exitCode, signal: nameOf(signal) });
    });
  });
  return ok({
    leader: terminal.pid,
    mark,
    pipe: undefined,
    markFile: undefined,
    inputPipe: undefined,
    isTerminal: true,
    ended,
    // The library reports the exit after the last byte: a terminal is gone with its session's leader.
    closed: ended.then(() => undefined),
    onChunk: (listener) => {
      // Without an encoding it gives bytes, whatever its type says.
      terminal.onData((data: string | Buffer) => listener(typeof data === 'string' ? Buffer.from(data) : data));
    },
    // A line ends with the key Enter, not with a line feed.
    write: (text) => attemptSync(() => terminal.write(text.replaceAll('\n', '\r')), messageOf),
    waitingBytes: () => 0,
    leaveGroup: () => guard.ended(terminal.pid),
    release: () => {
      if (!isOver) attemptSync(() => terminal.kill('SIGKILL'), messageOf);
      for (const file of files) attemptSync(() => unlinkSync(file), codeOf);
      guard.ended(terminal.pid);
    },
  });
}

function nameOf(signal: number | undefined): NodeJS.Signals | undefined {
  if (!signal) return undefined;
  const { signals } = process.getBuiltinModule('node:os').constants;
  return Object.entries(signals).flatMap(([name, number]) => (number === signal ? [name as NodeJS.Signals] : []))[0]; // its own table of names
}
