/**
 * One writer per session, held by the kernel: an exclusive lock of SQLite on an empty file beside the journal. It goes
 * when the process goes, however it goes, so there are no stale locks to guess about, and it needs no compiled add-on.
 *
 * The lock file is never opened in any other way: POSIX drops a process's locks on a file when it closes any handle of it.
 * It is also never removed while its session exists: whoever waited for the old file would then hold a lock of their own.
 */
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { explain } from './faults.ts';
import { besides } from './place.ts';

/** Keep it reachable as long as the lock must hold: a collected database gives its lock back. */
export interface Lock {
  release(): void;
}

/** Takes the lock of the session with this journal, at once or not at all. About 1 ms. */
export function takeLock(journalPath: string): Result<Lock, Fault> {
  const { lock, owner } = besides(journalPath);
  const made = makeEmpty(lock);
  if (!made.ok) return made;
  const database = openExclusively(lock);
  if (!database.ok) return fail(explainLock(database.fault, journalPath));
  // Only for the message that another process prints; the lock does not depend on it.
  attemptSync(() => writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 }), messageOf);
  return ok({
    release: () => {
      if (!database.value.isOpen) return;
      attemptSync(() => rmSync(owner, { force: true }), messageOf);
      database.value.close();
    },
  });
}

/** True while some process, this one included, writes the session. */
export function isLocked(journalPath: string): boolean {
  const { lock } = besides(journalPath);
  if (!existsSync(lock)) return false;
  const database = openExclusively(lock);
  if (database.ok) database.value.close();
  return !database.ok && isBusy(database.fault);
}

/** `wx` does not open a file that exists, so a lock that this process holds on it stays. */
function makeEmpty(path: string): Result<void, Fault> {
  const made = attemptSync(
    () => closeSync(openSync(path, 'wx', 0o600)),
    (cause) => cause,
  );
  return made.ok || codeOf(made.fault) === 'EEXIST' ? ok(undefined) : fail(explain('create', path)(made.fault));
}

/** Long enough for another process that only looks whether the session is in use. */
const patienceMs = 100;

function openExclusively(path: string): Result<DatabaseSync, unknown> {
  return attemptSync(
    () => {
      const database = new (loadSqlite().DatabaseSync)(path, { timeout: patienceMs });
      const locked = attemptSync(
        // Nothing is ever written, so the file stays empty; the journal in memory keeps SQLite from making a second file.
        () => database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE'),
        (cause) => cause,
      );
      if (locked.ok) return database;
      database.close();
      throw locked.fault;
    },
    (cause) => cause,
  );
}

/** Node 22 announces on loading that SQLite is experimental: true, and nothing that a user could act on. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  const sqlite = attemptSync(() => process.getBuiltinModule('node:sqlite'), messageOf);
  process.emitWarning = emitWarning;
  if (!sqlite.ok) throw new Error(sqlite.fault);
  return sqlite.value;
}

const sqliteBusy = 5;

const isBusy = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'errcode' in cause && cause.errcode === sqliteBusy;

function explainLock(cause: unknown, journalPath: string): Fault {
  const { id, lock, owner } = besides(journalPath);
  if (!isBusy(cause)) {
    const advice = 'Set SMEW_HOME to a directory on a local disk, or use --no-session to store nothing.';
    return fault('storage', `Could not lock ${lock}: ${messageOf(cause)}. ${advice}`);
  }
  const pid = attemptSync(() => readFileSync(owner, 'utf8').trim(), messageOf);
  const by = pid.ok && pid.value ? `process ${pid.value}` : 'another process';
  const advice = 'End it there, go on in a copy with --fork, or take another session.';
  return fault('storage', `Session ${id} is in use by ${by}. ${advice}`);
}
