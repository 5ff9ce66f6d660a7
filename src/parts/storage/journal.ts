/** The journal of a session: a file of one JSON line per event that only grows. What is in it happened; the rest did not. */
import { chmodSync, closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs';
import { attemptSync } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Clock } from '../../loop/ports.ts';
import type { Recorded } from '../../protocol/event.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { type Damage, noDamage } from './damage.ts';
import { explain } from './faults.ts';
import { makeDirectory } from './flush.ts';
import { JournalFile, type OpenJournal, type StartedFile } from './journal-file.ts';
import { makeLineCodec } from './line.ts';
import { type Loaded, load } from './load.ts';
import { takeLock } from './lock.ts';
import { besides } from './place.ts';
import { repairTail } from './repair.ts';

export interface JournalPlace {
  /** `<directory>/<session id>.jsonl`. */
  readonly path: string;
  readonly clock: Clock;
}

/**
 * A journal for a new session. Its directory is made now, so that an unwritable disk shows at once; file and lock come with
 * the first event, so that a session in which nothing happened leaves nothing behind.
 */
export async function createJournal({ path, clock }: JournalPlace): Promise<Result<OpenJournal, Fault>> {
  const made = makeDirectory(besides(path).directory);
  if (!made.ok) return made;
  if (existsSync(path)) return fail(fault('storage', `There is already a session ${besides(path).id} (${path}).`));
  const file = () => startFile(path, made.value);
  return ok(new JournalFile({ path, clock, file, past: [], damage: noDamage, lastSeq: 0 }));
}

/**
 * A journal that exists, locked for this process and ready for more. Damage is set aside and reported, never an obstacle.
 * Fails when there is no such file, another process writes it, or the disk refuses.
 */
export async function openJournal({ path, clock }: JournalPlace): Promise<Result<OpenJournal, Fault>> {
  if (!existsSync(path)) return fail(fault('storage', `There is no session ${besides(path).id} (${path}).`));
  const lock = takeLock(path);
  if (!lock.ok) return lock;
  const opened = openAndRepair(path);
  if (!opened.ok) {
    lock.value.release();
    return opened;
  }
  const { file, loaded, bytes, needsNewline, damage } = opened.value;
  const started: StartedFile = { file, lock: lock.value, bytes, needsNewline, unsyncedDirectories: [] };
  const { past, lastSeq } = loaded;
  return ok(new JournalFile({ path, clock, file: started, past, damage, lastSeq }));
}

export interface ReadJournal {
  readonly past: readonly Recorded[];
  readonly damage: Damage;
}

/** Reads a journal without lock or change, also while another process writes it. */
export async function readJournal(path: string): Promise<Result<ReadJournal, Fault>> {
  const opened = attemptSync(() => openSync(path, 'r'), explain('open', path));
  if (!opened.ok) return opened;
  const loaded = attemptSync(() => load(opened.value, makeLineCodec()), explain('read', path));
  closeSync(opened.value);
  return loaded.ok ? ok({ past: loaded.value.past, damage: loaded.value.damage }) : loaded;
}

function startFile(path: string, newParents: readonly string[]): Result<StartedFile, Fault> {
  const lock = takeLock(path);
  if (!lock.ok) return lock;
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
  const file = attemptSync(() => openSync(path, flags, 0o600), explain('create', path));
  if (!file.ok) {
    lock.value.release();
    return file;
  }
  const unsyncedDirectories = [besides(path).directory, ...newParents];
  return ok({ file: file.value, lock: lock.value, bytes: 0, needsNewline: false, unsyncedDirectories });
}

interface Repaired {
  readonly file: number;
  readonly loaded: Loaded;
  readonly bytes: number;
  readonly needsNewline: boolean;
  readonly damage: Damage;
}

function openAndRepair(path: string): Result<Repaired, Fault> {
  const file = attemptSync(() => openSync(path, constants.O_RDWR | constants.O_APPEND), explain('open', path));
  if (!file.ok) return file;
  const loaded = attemptSync(
    () => {
      // A copy or a restored backup may have come back readable for everybody.
      if (fstatSync(file.value).mode & 0o077) chmodSync(path, 0o600);
      return load(file.value, makeLineCodec());
    },
    explain('read', path),
  );
  if (!loaded.ok) {
    closeSync(file.value);
    return loaded;
  }
  const { tornFile, ...end } = repairTail(file.value, path, loaded.value.tail);
  const damage = tornFile === undefined ? loaded.value.damage : { ...loaded.value.damage, tornFile };
  return ok({ file: file.value, loaded: loaded.value, damage, ...end });
}
