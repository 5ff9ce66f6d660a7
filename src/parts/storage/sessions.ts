/** The sessions of a project: listing, finding, deleting. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { explain } from './faults.ts';
import { type Entry, readIndex, writeIndex } from './index-file.ts';
import { type LineCodec, makeLineCodec } from './line.ts';
import { takeLock } from './lock.ts';
import { besides, journalSuffix } from './place.ts';
import type { Project } from './project.ts';
import { tailOf } from './session-id.ts';
import { type Summary, summarise } from './summary.ts';

export interface SessionInfo extends Omit<Summary, 'scannedBytes'> {
  readonly id: string;
  /** Of the journal. */
  readonly path: string;
  /** Size of the journal. */
  readonly bytes: number;
}

/** Newest first, by the last event. A project without sessions has an empty list. */
export function listSessions({ directory }: Project): Result<SessionInfo[], Fault> {
  return listDirectory(directory);
}

/** Those of every project, newest first. What cannot be read is left out. */
export function allSessions({ sessionsDirectory }: Pick<Project, 'sessionsDirectory'>): Result<SessionInfo[], Fault> {
  const keys = attemptSync(() => readdirSync(sessionsDirectory), explain('list', sessionsDirectory));
  const found = (keys.ok ? keys.value : []).flatMap((key) => {
    const sessions = listDirectory(join(sessionsDirectory, key));
    return sessions.ok ? sessions.value : [];
  });
  return ok(found.sort(newestFirst));
}

/** The session of the project that was used last, among those in which something was said. */
export function latestSession({ directory }: Project): Result<SessionInfo | undefined, Fault> {
  const files = journalsIn(directory);
  if (!files.ok) return files;
  const codec = makeLineCodec();
  for (const file of files.value.sort(
    (one, other) => other.changedMs - one.changedMs || (one.id < other.id ? 1 : -1),
  )) {
    const summary = summarise(file.path, codec);
    if (summary.ok && summary.value.turns > 0) return ok(infoOf(file, summary.value));
  }
  return ok(undefined);
}

/**
 * The session that `wanted` means: an id, the end of an id after its last dash, a name, or the beginning of any of these.
 * Fails with the candidates where there are several, and with the place where it belongs to another project.
 */
export function findSession(project: Project, wanted: string): Result<SessionInfo, Fault> {
  const here = listSessions(project);
  if (!here.ok) return here;
  const [first, ...others] = matches(here.value, wanted);
  if (first && others.length === 0) return ok(first);
  if (first) return fail(fault('usage', ambiguous(wanted, [first, ...others])));
  const all = allSessions(project);
  const [elsewhere] = matches(all.ok ? all.value : [], wanted);
  if (!elsewhere) {
    return fail(
      fault('usage', `No session "${wanted}" in ${project.root}. \`smew sessions list\` shows what there is.`),
    );
  }
  const place = elsewhere.cwd ?? besides(elsewhere.path).directory;
  return fail(fault('usage', `Session ${elsewhere.id} belongs to ${place}. Go there, or use -C ${place}.`));
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

function listDirectory(directory: string): Result<SessionInfo[], Fault> {
  const files = journalsIn(directory);
  if (!files.ok) return files;
  const known = readIndex(directory);
  const entries = new Map<string, Entry>();
  const codec = makeLineCodec();
  const found: SessionInfo[] = [];
  for (const file of files.value) {
    const entry = upToDate(file, known.get(file.id), codec);
    if (!entry) continue;
    entries.set(file.id, entry);
    found.push(infoOf(file, entry.summary));
  }
  const isChanged = entries.size !== known.size || [...entries].some(([id, entry]) => known.get(id) !== entry);
  if (isChanged) writeIndex(directory, entries);
  return ok(found.sort(newestFirst));
}

/** The entry as it was if the file is, too; undefined for a file that cannot be read or has just gone. */
function upToDate(file: JournalInfo, known: Entry | undefined, codec: LineCodec): Entry | undefined {
  const { bytes, changedMs } = file;
  if (known?.bytes === bytes && known.changedMs === changedMs) return known;
  const hasGrown = known !== undefined && bytes > known.bytes;
  const summary = summarise(file.path, codec, hasGrown ? known.summary : undefined);
  return summary.ok ? { bytes, changedMs, summary: summary.value } : undefined;
}

function journalsIn(directory: string): Result<JournalInfo[], Fault> {
  const names = attemptSync(
    () => readdirSync(directory),
    (cause) => cause,
  );
  if (!names.ok) return codeOf(names.fault) === 'ENOENT' ? ok([]) : fail(explain('list', directory)(names.fault));
  return ok(
    names.value
      .filter((name) => name.endsWith(journalSuffix))
      .flatMap((name) => {
        const path = join(directory, name);
        const stats = statSync(path, { throwIfNoEntry: false });
        if (!stats?.isFile()) return [];
        return { id: besides(path).id, path, bytes: stats.size, changedMs: stats.mtimeMs };
      }),
  );
}

function infoOf({ id, path, bytes }: JournalInfo, { scannedBytes: _, ...summary }: Summary): SessionInfo {
  return { ...summary, id, path, bytes };
}

function matches(sessions: readonly SessionInfo[], wanted: string): SessionInfo[] {
  const text = wanted.trim().toLowerCase();
  if (text === '') return [];
  const named = ({ name }: SessionInfo) => name?.toLowerCase();
  const ways: ((session: SessionInfo) => boolean)[] = [
    ({ id }) => id === text,
    (session) => named(session) === text,
    (session) => [session.id, tailOf(session.id), named(session)].some((word) => word?.startsWith(text)),
  ];
  for (const isMeant of ways) {
    const found = sessions.filter(isMeant);
    if (found.length > 0) return found;
  }
  return [];
}

const newestFirst = (one: SessionInfo, other: SessionInfo): number =>
  other.lastAt - one.lastAt || (one.id < other.id ? 1 : -1);

const mostCandidates = 10;

function ambiguous(wanted: string, found: readonly SessionInfo[]): string {
  const lines = found
    .slice(0, mostCandidates)
    .map(({ id, name, firstPrompt }) => `  ${id}  ${name ?? firstPrompt ?? ''}`);
  const more = found.length > lines.length ? [`  and ${found.length - lines.length} more`] : [];
  return [`"${wanted}" fits ${found.length} sessions; give more of it:`, ...lines, ...more].join('\n');
}
