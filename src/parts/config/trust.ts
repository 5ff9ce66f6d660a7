/**
 * Folders whose own instructions and config may take effect. A folder counts alone: neither its parents nor what lies
 * in it (a vendored repository) is trusted with it.
 */
import { constants } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { attempt, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { readRegular } from './read.ts';

const TrustFile = z.object({ folders: z.array(z.string()) });

export interface Trust {
  /** False also where the list cannot be read: a guard fails closed. */
  isTrusted(realPath: string): Promise<boolean>;
  /** Fails where the list is damaged or cannot be written. */
  trust(realPath: string): Promise<Result<void, Fault>>;
  /** False where it was not trusted. Fails as `trust` does. */
  distrust(realPath: string): Promise<Result<boolean, Fault>>;
  /** The trusted folders, in order of their paths. */
  folders(): Promise<Result<readonly string[], Fault>>;
}

/** `file` lies in the data directory; it is made with the first trusted folder. */
export function trustList(file: string): Trust {
  return {
    isTrusted: async (realPath) => {
      const folders = await readFolders(file);
      return folders.ok && folders.value.includes(realPath);
    },
    trust: async (realPath) => {
      const folders = await readFolders(file);
      if (!folders.ok) return folders;
      if (folders.value.includes(realPath)) return ok(undefined);
      return await writeFolders(file, [...folders.value, realPath].sort());
    },
    distrust: async (realPath) => {
      const folders = await readFolders(file);
      if (!folders.ok) return folders;
      if (!folders.value.includes(realPath)) return ok(false);
      const written = await writeFolders(
        file,
        folders.value.filter((folder) => folder !== realPath),
      );
      return written.ok ? ok(true) : written;
    },
    folders: () => readFolders(file),
  };
}

/** One line that says what an untrusted folder holds and what was done with it; undefined where it holds nothing. */
export function untrustedNotice(folder: string, ignored: readonly string[]): string | undefined {
  if (ignored.length === 0) return undefined;
  return `${folder} is not trusted, so its ${ignored.join(', ')} ${ignored.length === 1 ? 'was' : 'were'} ignored. Use --trust if you trust what it says.`;
}

async function readFolders(file: string): Promise<Result<readonly string[], Fault>> {
  const text = await readRegular(file);
  if (!text.ok) {
    if (text.fault.code === 'ENOENT') return ok([]);
    return fail(fault('storage', `The list of trusted folders cannot be read: ${text.fault.why}.`));
  }
  const parsed = await attempt(
    async () => TrustFile.parse(JSON.parse(text.value)),
    () =>
      fault('storage', `${file} is damaged, so no folder counts as trusted. Remove it and trust your folders anew.`),
  );
  return parsed.ok ? ok(parsed.value.folders) : parsed;
}

/** Written beside and renamed, so that a crash leaves the old list or the new one. */
async function writeFolders(file: string, folders: readonly string[]): Promise<Result<void, Fault>> {
  const beside = `${file}.${process.pid}.tmp`;
  const written = await attempt(
    async () => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await rm(beside, { force: true });
      const handle = await open(beside, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
      await handle.writeFile(`${JSON.stringify({ folders }, undefined, 2)}\n`);
      await handle.sync();
      await handle.close();
      await rename(beside, file);
    },
    (cause) => fault('storage', `The list of trusted folders cannot be written: ${messageOf(cause)}.`),
  );
  if (!written.ok) await attempt(() => rm(beside, { force: true }), messageOf);
  return written;
}
