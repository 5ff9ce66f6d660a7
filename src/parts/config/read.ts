/** Reads a settings file whole. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { attempt, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';

export interface Unread {
  /** Node's code, where it has one. */
  readonly code: string | undefined;
  /** A clause. */
  readonly why: string;
}

/** Fails, without waiting, on what is no regular file: a pipe that nobody writes to would hold the start for ever. */
export async function readRegular(file: string): Promise<Result<string, Unread>> {
  const opened = await attempt(() => open(file, constants.O_RDONLY | constants.O_NONBLOCK), unread);
  if (!opened.ok) return opened;
  const read = await attempt(() => readOpened(opened.value), unread);
  await attempt(() => opened.value.close(), unread);
  return read.ok ? read.value : read;
}

async function readOpened(handle: FileHandle): Promise<Result<string, Unread>> {
  const stats = await handle.stat();
  if (!stats.isFile()) return fail({ code: undefined, why: `it is ${kindOf(stats)}, not a regular file` });
  return ok(await handle.readFile('utf8'));
}

const unread = (cause: unknown): Unread => ({ code: codeOf(cause), why: messageOf(cause) });

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  return stats.isFIFO() ? 'a named pipe' : 'a device';
}
