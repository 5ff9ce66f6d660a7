/** Making sure that what was written is on the disk. */
import { closeSync, existsSync, fdatasync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { attemptSync, codeOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Fault } from '../../protocol/fault.ts';
import { explain } from './faults.ts';

/** Flushes the file's content; `path` is for the message. Does not hold up the process meanwhile. */
export const flushFile = (file: number, path: string): Promise<Result<void, Fault>> =>
  new Promise((resolve) => {
    fdatasync(file, (cause) => resolve(cause ? fail(explain('flush', path)(cause)) : ok(undefined)));
  });

/** Makes a directory for this user alone, its parents too. Returns every directory that got a new entry. */
export function makeDirectory(path: string): Result<string[], Fault> {
  const made = attemptSync(
    () => mkdirSync(path, { recursive: true, mode: 0o700 }),
    (cause) => cause,
  );
  if (!made.ok) return fail(explain('create', path)(realCause(path) ?? made.fault));
  if (made.value === undefined) return ok([]);
  const parents: string[] = [];
  for (let directory = path; directory.length >= made.value.length; directory = dirname(directory)) {
    parents.push(dirname(directory));
  }
  return ok(parents);
}

/** Node's recursive mkdir says ENOENT on a read-only disk; making the first missing directory alone tells the truth. */
function realCause(path: string): unknown {
  let missing = path;
  while (missing !== dirname(missing) && !existsSync(dirname(missing))) missing = dirname(missing);
  const made = attemptSync(
    () => mkdirSync(missing, { mode: 0o700 }),
    (cause) => cause,
  );
  return made.ok ? undefined : made.fault;
}

/** Flushes a directory's entries, so that a new file is found again after a power cut. */
export function flushDirectory(path: string): Result<void, Fault> {
  const flushed = attemptSync(
    () => {
      const directory = openSync(path, 'r');
      const synced = attemptSync(
        () => fsyncSync(directory),
        (cause) => cause,
      );
      closeSync(directory);
      if (!synced.ok) throw synced.fault;
    },
    (cause) => cause,
  );
  // Some file systems cannot do it, and then a new entry needs no flush or can have none.
  const isLost = !flushed.ok && ['EIO', 'ENOSPC', 'EDQUOT'].includes(codeOf(flushed.fault) ?? '');
  return isLost ? fail(explain('flush', path)(flushed.fault)) : ok(undefined);
}
