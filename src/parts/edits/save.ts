/** Puts a text on disk so that a reader, or a crash, meets the old file or the new one and nothing between. */
import { constants, promises as fs, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { attempt, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';

/** Renaming or a neighbour file is impossible here, but writing into the file itself may work. */
const notBeside = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV', 'ENOTSUP']);
const triedNames = 100;

interface Failure {
  readonly code: string | undefined;
  readonly message: string;
}

const failure = (cause: unknown): Failure => ({ code: codeOf(cause), message: messageOf(cause) });

/**
 * Writes `text` as UTF-8 to `path`, whose links were followed; parents are made; mode and owner stay. Hard links and
 * files whose directory takes no new file (a file mounted by itself, say) are written in place. The fault is a message
 * with the cause.
 */
export async function saveText(path: string, text: string): Promise<Result<{ readonly created: boolean }, string>> {
  const present = await attempt(() => fs.stat(path), failure);
  if (!present.ok && present.fault.code !== 'ENOENT') return fail(present.fault.message);
  if (present.ok && !present.value.isFile()) return fail(`${path} is ${kindOf(present.value)}, not a regular file`);
  const saved = present.ok ? await replace(path, text, present.value) : await create(path, text);
  return saved.ok ? ok({ created: !present.ok }) : fail(saved.fault.message);
}

/** What a path names, for messages. */
export function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'a regular file';
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

async function create(path: string, text: string): Promise<Result<void, Failure>> {
  const parents = await attempt(() => fs.mkdir(dirname(path), { recursive: true }), failure);
  if (!parents.ok) return parents;
  const beside = await writeBeside(path, text);
  return beside.ok ? await moveInto(beside.value, path) : beside;
}

async function replace(path: string, text: string, stats: Stats): Promise<Result<void, Failure>> {
  const real = await attempt(() => fs.realpath(path), failure);
  if (!real.ok) return real;
  // A rename would replace a read-only file without a word.
  const writable = await attempt(() => fs.access(real.value, constants.W_OK), failure);
  if (!writable.ok) return writable;
  if (stats.nlink > 1) return await inPlace(real.value, text);
  const beside = await writeBeside(real.value, text, stats);
  const moved = beside.ok ? await moveInto(beside.value, real.value) : beside;
  if (moved.ok || !notBeside.has(moved.fault.code ?? '')) return moved;
  return await inPlace(real.value, text);
}

/** A new file in the same directory, whole and synced. Removed again when anything fails. */
async function writeBeside(path: string, text: string, like?: Stats): Promise<Result<string, Failure>> {
  for (let number = 1; ; number++) {
    const beside = join(dirname(path), `.smew-${process.pid}-${number}.tmp`);
    const opened = await attempt(() => fs.open(beside, 'wx', like ? 0o600 : 0o666), failure);
    if (!opened.ok && opened.fault.code === 'EEXIST' && number < triedNames) continue;
    if (!opened.ok) return opened;
    const written = await fill(opened.value, async (file) => {
      await file.writeFile(text);
      if (like) await dressLike(file, like);
    });
    if (written.ok) return ok(beside);
    await attempt(() => fs.unlink(beside), failure);
    return written;
  }
}

async function dressLike(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const made = await file.stat();
  if (made.uid !== uid || made.gid !== gid) await file.chown(uid, gid);
  await file.chmod(mode & 0o7777);
}

async function moveInto(beside: string, path: string): Promise<Result<void, Failure>> {
  const moved = await attempt(() => fs.rename(beside, path), failure);
  if (!moved.ok) await attempt(() => fs.unlink(beside), failure);
  return moved;
}

async function inPlace(path: string, text: string): Promise<Result<void, Failure>> {
  const opened = await attempt(() => fs.open(path, 'r+'), failure);
  if (!opened.ok) return opened;
  return await fill(opened.value, async (file) => {
    await file.writeFile(text);
    await file.truncate(Buffer.byteLength(text));
  });
}

/** Does the writing, syncs, and closes whatever happened. */
async function fill(file: FileHandle, write: (file: FileHandle) => Promise<void>): Promise<Result<void, Failure>> {
  const written = await attempt(() => write(file).then(() => file.datasync()), failure);
  const closed = await attempt(() => file.close(), failure);
  return written.ok ? closed : written;
}
