/** Shells in a folder of their own, for tests. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attemptSync, codeOf } from '../../../base/attempt.ts';
import type { Report } from '../report.ts';
import { type RunOrder, Shells, type ShellsOptions } from '../shells.ts';

export interface ShellSession extends AsyncDisposable {
  readonly directory: string;
  readonly shells: Shells;
  run(command: string, more?: Partial<RunOrder>): Promise<Report>;
}

export function shellSession(options: Partial<ShellsOptions> = {}): ShellSession {
  const directory = mkdtempSync(join(tmpdir(), 'shell-test-'));
  const shells = new Shells({ env: process.env, ...options });
  let count = 0;
  return {
    directory,
    shells,
    run: async (command, more) => {
      const ran = await shells.run({
        command,
        cwd: directory,
        limitMs: 15_000,
        signal: new AbortController().signal,
        spillPath: join(directory, 'kept', `${count++}.txt`),
        ...more,
      });
      if (!ran.ok) throw new Error(ran.fault);
      return ran.value;
    },
    [Symbol.asyncDispose]: async () => {
      await shells.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Processes that carry `text` in their environment or command line, zombies left out. */
export function processesWith(text: string): number[] {
  const read = (path: string) => {
    const bytes = attemptSync(() => readFileSync(path, 'latin1'), codeOf);
    return bytes.ok ? bytes.value : '';
  };
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid)
    .filter((pid) => !/\) [ZX] /.test(read(`/proc/${pid}/stat`)))
    .filter((pid) => read(`/proc/${pid}/environ`).includes(text) || read(`/proc/${pid}/cmdline`).includes(text));
}

/** Waits until `isTrue`, at most `ms`; the answer at the end. */
export async function within(ms: number, isTrue: () => boolean): Promise<boolean> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    if (isTrue()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return isTrue();
}

/** A length of sleep, in seconds, that no other run of these tests uses. */
export const ownSleep = (number: number): string => `987.${number}${process.pid}`;
