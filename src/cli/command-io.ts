/** What every command gets, and how it speaks. */
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../base/attempt.ts';
import type { Fault } from '../protocol/fault.ts';
import type { World } from '../session/world.ts';
import type { SignalSource } from '../surfaces/headless/signals.ts';

/** The program's surroundings: `process` in the program, buffers in tests. */
export interface Terminal {
  readonly in: Readable & { readonly isTTY?: boolean; readonly fd?: number };
  readonly out: Writable & { readonly isTTY?: boolean };
  readonly err: Writable & { readonly isTTY?: boolean };
  readonly signals: SignalSource;
}

export interface CommandIo {
  readonly world: World;
  readonly terminal: Terminal;
}

/** Writes to standard output and waits until it is taken. Returns the exit code: 0, or 1 where it could not be written. */
export async function print(text: string, { terminal }: CommandIo): Promise<number> {
  const failure = await write(terminal.out, text);
  if (failure === undefined) return 0;
  const { isClosedPipe } = await import('../surfaces/headless/output.ts');
  // A reader that left early (`smew sessions list | head -1`) is no failure of ours.
  if (isClosedPipe(failure)) return 0;
  await write(terminal.err, `smew: standard output cannot be written: ${messageOf(failure)}`);
  return 1;
}

/** Tells what the user should know on standard error. */
export function tell(notices: readonly string[], { terminal }: CommandIo): void {
  for (const notice of notices) terminal.err.write(`smew: ${notice}\n`);
}

/** Tells a fault on standard error. Returns its exit code. */
export async function failWith(failed: Fault, { terminal }: CommandIo): Promise<number> {
  await write(terminal.err, `smew: ${failed.message}`);
  const { exitCodeOfFault } = await import('../surfaces/headless/exit-code.ts');
  return exitCodeOfFault(failed);
}

/** Resolves with why it failed. The listener stays then: the stream tells the error after its callback. */
const write = (stream: Writable, text: string): Promise<Error | undefined> =>
  new Promise((resolve) => {
    stream.once('error', resolve);
    stream.write(text.endsWith('\n') ? text : `${text}\n`, (cause) => {
      if (!cause) stream.off('error', resolve);
      resolve(cause ?? undefined);
    });
  });
