/** The sessions of a project: listing, the latest, deleting. */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Fault } from '../../protocol/fault.ts';
import { explain } from './faults.ts';
import { type Entry, readIndex, writeIndex } from './index-file.ts';
import { type LineCodec, makeLineCodec } from './line.ts';
import { takeLock } from './lock.ts';
import { besides, journalSuffix } from './place.ts';
import type { Project } from './project.ts';
import { isSessionId } from './session-id.ts';
import { type Summary, summarise } from './summary.ts';

export interface SessionInfo extends Omit<Summary, 'scannedBytes'> {
  readonly id: string;
  /** Of the journal. */
  readonly path: string;
  /** Size of the journal. */
  readonly bytes: number;
}

export interface Unread {
  /** Absent where it is a whole folder. */
  readonly id?: string;
  readonly fault: Fault;
}

export interface Listing {
  /** Newest first, by the last event. */
  readonly sessions: readonly SessionInfo[];
  /** What is there and cannot be read. */
  readonly unread: readonly Unread[];
}

/** A project without sessions has an empty list. Fails where its folder cannot be read. */
export function listSessions({ directory }: Project): Result<Listing, Fault> {
  return listDirectory(directory);
}

/** Those of every project. */
export function allSessions({ sessionsDirectory }: Pick<Project, 'sessionsDirectory'>): Listing {
  const folders = attemptSync(
    () => readdirSync(sessionsDirectory, { withFileTypes: true }).filter((entry) => entry.isDirectory()),
    (cause) => cause,
  );
  if (!folders.ok) {
    const isMissing = codeOf(folders.fault) === 'ENOENT';
    return { sessions: [], unread: isMissing ? [] : [{ fault: explain('list', sessionsDirectory)(folders.fault) }] };
  }
  const listings = folders.value.map(({ name }): Listing => {
    const listing = listDirectory(join(sessionsDirectory, name));
    return listing.ok ? listing.value : { sessions: [], unread: [{ fault: listing.fault }] };
  });
  return {
    sessions: listings.flatMap(({ sessions }) => sessions).sort(newestFirst),
    unread: listings.flatMap(({ unread }) => unread),
  };
}

/**
 * The session of the project that was used last, among those in which something was said. Fails where one that may be it
 * cannot be read: to go on with an older one would be a surprise.
 */
export function latestSession({ directory }: Project): Result<SessionInfo | undefined, Fault> {
  const files = journalsIn(directory);
  if (!files.ok) return files;
  const codec = makeLineCodec();
  for (const file of files.value.sort(
    (one, other) => other.changedMs - one.changedMs || (one.id < other.id ? 1 : -1),
  )) {
    const summary = summarise(file.path, codec);
    if (!summary.ok && existsSync(file.path)) return summary;
    if (summary.ok && summary.value.turns > 0) return ok(infoOf(file, summary.value));
  }
  return ok(undefined);
}

/** Removes the journal and everything beside it. Fails while a process writes the session. */
export function deleteSession(path: string): Result<void, Fault> {
  const lock = takeLock(path);
  if (!lock.ok) return lock;
  const { directory, id, lock: lockFile } = besides(path);
  const removed = attemptSync(
    () => {
      // The journal last, so that a deletion that was cut short can be repeated.
      const beside = readdirSync(directory).filter(
        (name) => name.startsWith(`${id}.`) && !name.endsWith(journalSuffix),
      );
      for (const name of beside) {
        const file = join(directory, name);
        if (file !== lockFile) rmSync(file, { recursive: true, force: true });
      }
      rmSync(path, { force: true });
    },
    explain('delete', path),
  );
  lock.value.release();
  if (removed.ok) attemptSync(() => rmSync(lockFile, { force: true }), messageOf);
  return removed;
}

interface JournalInfo {
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  readonly changedMs: number;
}

function listDirectory(directory: string): Result<Listing, Fault> {
  const files = journalsIn(directory);
  if (!files.ok) return files;
  const known = readIndex(directory);
  const entries = new Map<string, Entry>();
  const codec = makeLineCodec();
  const sessions: SessionInfo[] = [];
  const unread: Unread[] = [];
  for (const file of files.value) {
    const entry = upToDate(file, known.get(file.id), codec);
    if (entry.ok) {
      entries.set(file.id, entry.value);
      sessions.push(infoOf(file, entry.value.summary));
    } else if (existsSync(file.path)) unread.push({ id: file.id, fault: entry.fault });
  }
  const isChanged = entries.size !== known.size || [...entries].some(([id, entry]) => known.get(id) !== entry);
  if (isChanged) writeIndex(directory, entries);
  return ok({ sessions: sessions.sort(newestFirst), unread });
}

/** The entry as it was if the file is, too. */
function upToDate(file: JournalInfo, known: Entry | undefined, codec: LineCodec): Result<Entry, Fault> {
  const { bytes, changedMs } = file;
  if (known?.bytes === bytes && known.changedMs === changedMs) return ok(known);
  const hasGrown = known !== undefined && bytes > known.bytes;
  const summary = summarise(file.path, codec, hasGrown ? known.summary : undefined);
  return summary.ok ? ok({ bytes, changedMs, summary: summary.value }) : summary;
}

/** Only what Smew names and writes: no links, no files of others, none that is empty (a disk that was full leaves those). */
function journalsIn(directory: string): Result<JournalInfo[], Fault> {
  const files = attemptSync(
    () =>
      readdirSync(directory)
        .filter((name) => name.endsWith(journalSuffix) && isSessionId(besides(name).id))
        .flatMap((name) => {
          const path = join(directory, name);
          const stats = lstatSync(path, { throwIfNoEntry: false });
          if (!stats?.isFile() || stats.size === 0) return [];
          return { id: besides(path).id, path, bytes: stats.size, changedMs: stats.mtimeMs };
        }),
    (cause) => cause,
  );
  if (files.ok) return files;
  return codeOf(files.fault) === 'ENOENT' ? ok([]) : fail(explain('list', directory)(files.fault));
}

/** A journal without a readable line is as old as its file. */
function infoOf({ id, path, bytes, changedMs }: JournalInfo, { scannedBytes: _, ...summary }: Summary): SessionInfo {
  const fileAt = Math.round(changedMs);
  return {
    ...summary,
    startedAt: summary.startedAt || fileAt,
    lastAt: summary.lastAt || fileAt,
    id,
    path,
    bytes,
  };
}

const newestFirst = (one: SessionInfo, other: SessionInfo): number =>
  other.lastAt - one.lastAt || (one.id < other.id ? 1 : -1);
