/** Keeps what is beside the journals from filling the disk. Journals themselves are never deleted here. */
import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attemptSync, messageOf } from '../../base/attempt.ts';
import type { Clock } from '../../loop/ports.ts';
import { isLocked } from './lock.ts';
import { journalSuffix } from './place.ts';

export interface Limits {
  /** Older files go. */
  readonly maxAgeDays: number;
  /** Then the oldest go until no more than this is left. */
  readonly maxBytes: number;
}

export interface Pruned {
  readonly files: number;
  readonly bytes: number;
}

export interface DiskSizes {
  readonly sessions: number;
  readonly journalBytes: number;
  /** Whole outputs of tools. */
  readonly spillBytes: number;
  /** Torn records set aside. */
  readonly tornBytes: number;
}

interface Leftover {
  readonly path: string;
  readonly kind: 'spill' | 'torn';
  readonly journal: string;
  readonly bytes: number;
  readonly changedMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Removes spilled tool outputs and torn copies by age, then by size; those of sessions in use stay. Never fails. */
export function prune(dataDirectory: string, limits: Limits, clock: Clock): Pruned {
  const oldest = clock.now() - limits.maxAgeDays * dayMs;
  const byAge = leftovers(dataDirectory).sort((one, other) => one.changedMs - other.changedMs);
  let left = byAge.reduce((sum, { bytes }) => sum + bytes, 0);
  const pruned = { files: 0, bytes: 0 };
  const inUse = new Map<string, boolean>();
  for (const { path, kind, journal, bytes, changedMs } of byAge) {
    if (changedMs >= oldest && left <= limits.maxBytes) break;
    const isInUse = inUse.get(journal) ?? isLocked(journal);
    inUse.set(journal, isInUse);
    if (isInUse || !attemptSync(() => rmSync(path), messageOf).ok) continue;
    if (kind === 'spill') attemptSync(() => rmdirSync(dirname(path)), messageOf); // goes with its last file
    left -= bytes;
    pruned.files++;
    pruned.bytes += bytes;
  }
  return pruned;
}

/** What the sessions of all projects take, in bytes. */
export function diskSizes(dataDirectory: string): DiskSizes {
  const journals = entriesOf(dataDirectory).filter((path) => path.endsWith(journalSuffix));
  const rest = leftovers(dataDirectory);
  const total = (kind: Leftover['kind']) =>
    rest.filter((file) => file.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    sessions: journals.length,
    journalBytes: journals.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0),
    spillBytes: total('spill'),
    tornBytes: total('torn'),
  };
}

function leftovers(dataDirectory: string): Leftover[] {
  return entriesOf(dataDirectory).flatMap((path) => {
    const [, stem, kind] = /^(.+)\.(spill|torn-\d+)$/.exec(path) ?? [];
    if (stem === undefined) return [];
    const journal = `${stem}${journalSuffix}`;
    if (kind !== 'spill') return leftover(path, 'torn', journal);
    return namesIn(path).flatMap((name) => leftover(join(path, name), 'spill', journal));
  });
}

function leftover(path: string, kind: Leftover['kind'], journal: string): Leftover[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? [{ path, kind, journal, bytes: stats.size, changedMs: stats.mtimeMs }] : [];
}

/** Everything in the directories of all projects. */
function entriesOf(dataDirectory: string): string[] {
  const sessions = join(dataDirectory, 'sessions');
  return namesIn(sessions).flatMap((key) => namesIn(join(sessions, key)).map((name) => join(sessions, key, name)));
}

function namesIn(directory: string): string[] {
  const names = attemptSync(() => readdirSync(directory), messageOf);
  return names.ok ? names.value : [];
}
