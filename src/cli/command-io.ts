/** What every command gets, and how it speaks. */
import type { Readable, Writable } from 'node:stream';
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
    const done = (): void => {
      stream.off('error', done);
      resolve();
    };
    stream.once('error', done);
    stream.write(text.endsWith('\n') ? text : `${text}\n`, done);
  });
