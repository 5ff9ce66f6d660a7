/** A second session that begins with a copy of the first. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { attemptSync, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Event, Recorded } from '../../protocol/event.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { explain } from './faults.ts';
import { flushDirectory, makeDirectory } from './flush.ts';
import { readJournal } from './journal.ts';
import { makeLineCodec } from './line.ts';
import { besides } from './place.ts';
import { journalPath, type Project } from './project.ts';

export interface ForkOrder {
  /** Journal to copy; another process may be writing it. */
  readonly from: string;
  /** Id of the new session, which goes to the project. */
  readonly id: string;
  /** Number of the last record to copy; all where absent. */
  readonly upTo?: number;
}

/**
 * Writes the new journal and returns its path. Times and agents stay, numbers count anew from 1, and every `opened` bears
 * the new id and where it was forked from; the name stays with the first. Fails where the source has no whole `opened` or the new id is taken.
 */
export async function forkSession(project: Project, { from, id, upTo }: ForkOrder): Promise<Result<string, Fault>> {
  const source = await readJournal(from);
  if (!source.ok) return source;
  const copied = source.value.past.filter(({ seq }) => upTo === undefined || seq <= upTo);
  const last = copied.at(-1);
  if (!last || !copied.some(({ event }) => event.type === 'opened')) {
    return fail(
      fault('storage', `Session ${besides(from).id} has no whole opening record to fork from. Resume it instead.`),
    );
  }
  const forkOf = { sessionId: besides(from).id, seq: last.seq };
  const records = copied.filter(isShared).map((recorded, index) => ({
    ...recorded,
    seq: index + 1,
    event: adopt(recorded.event, id, forkOf),
  }));
  const made = makeDirectory(project.directory);
  if (!made.ok) return made;
  const path = journalPath(project, id);
  const written = writeNew(path, records);
  if (!written.ok) return written;
  for (const directory of [project.directory, ...made.value]) {
    const flushed = flushDirectory(directory);
    if (!flushed.ok) return flushed;
  }
  return ok(path);
}

/** All but the name: with that, neither of the two could be found by it. */
const isShared = ({ event }: Recorded): boolean =>
  event.type !== 'noted' || event.kind !== 'named' || event.by !== 'session';

const adopt = (event: Event, sessionId: string, forkOf: { sessionId: string; seq: number }): Event =>
  event.type === 'opened' ? { ...event, sessionId, forkOf } : event;

/** The journal appears whole under a name that nobody had: the name is taken first, then the content moves there. */
function writeNew(path: string, records: readonly Recorded[]): Result<void, Fault> {
  const taken = attemptSync(() => closeSync(openSync(path, 'wx', 0o600)), explain('create', path));
  if (!taken.ok) return taken;
  const draft = `${path}.draft`;
  const written = attemptSync(
    () => {
      const file = openSync(draft, 'w', 0o600);
      const filled = attemptSync(
        () => fill(file, records),
        (cause) => cause,
      );
      closeSync(file);
      if (!filled.ok) throw filled.fault;
      renameSync(draft, path);
    },
    explain('write', path),
  );
  if (!written.ok) for (const file of [draft, path]) attemptSync(() => rmSync(file, { force: true }), messageOf);
  return written;
}

function fill(file: number, records: readonly Recorded[]): void {
  const codec = makeLineCodec();
  for (const recorded of records) {
    const line = codec.encode(recorded);
    if (!line.ok) throw new Error(line.fault.message);
    for (let done = 0; done < line.value.length; ) done += writeSync(file, line.value, done);
  }
  fsyncSync(file);
}
