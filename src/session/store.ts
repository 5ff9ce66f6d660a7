/** Which session a run continues, and its journal, opened. */
import { existsSync } from 'node:fs';
import { fail, ok, type Result } from '../base/result.ts';
import type { Journal } from '../loop/ports.ts';
import { describeDamage } from '../parts/storage/damage.ts';
import { type Found, findSession, sessionNamed } from '../parts/storage/find.ts';
import { forkSession } from '../parts/storage/fork.ts';
import { createJournal, openJournal } from '../parts/storage/journal.ts';
import { besides } from '../parts/storage/place.ts';
import { journalPath } from '../parts/storage/project.ts';
import { prune } from '../parts/storage/retention.ts';
import { newSessionId } from '../parts/storage/session-id.ts';
import { latestSession } from '../parts/storage/sessions.ts';
import type { Recorded } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Place } from './settings.ts';
import { spillDirOf } from './toolset.ts';
import { unkeptJournal } from './unkept.ts';
import type { World } from './world.ts';

/** Which session to open. */
export type Start =
  | { readonly from: 'new' }
  | { readonly from: 'latest'; readonly isFork: boolean }
  | { readonly from: 'session'; readonly session: string; readonly isFork: boolean };

export interface Opening {
  readonly id: string;
  readonly journal: Journal;
  readonly past: readonly Recorded[];
  readonly notices: readonly string[];
  /** Where outputs go that are too long for the model. */
  readonly spillDir: string;
  readonly close: () => Promise<void>;
}

export interface OpeningOrder {
  readonly start: Start;
  /** False keeps nothing on disk. */
  readonly isStored: boolean;
  /** Gives the session a name, which no other session of the project may bear. */
  readonly name?: string;
}

export async function openStored(world: World, place: Place, order: OpeningOrder): Promise<Result<Opening, Fault>> {
  const id = newSessionId(place.project, world);
  if (!order.isStored) return unkept(world, place, id);
  const { start } = order;
  const found = start.from === 'new' ? ok(undefined) : start.from === 'latest' ? latest(place) : named(place, start);
  if (!found.ok) return found;
  const isCopy = start.from === 'new' || start.isFork;
  const free = nameIsFree(place, order.name, isCopy ? undefined : found.value?.info.id);
  if (!free.ok) return free;
  const journal = await journalFor(world, place, { id, from: found.value?.info.path, isCopy });
  return journal.ok ? opening(world, place, { journal: journal.value, notices: found.value?.notices ?? [] }) : journal;
}

/** A name that two sessions bear would find neither. `ownId` is of the session that is to bear it. */
export function nameIsFree({ project }: Place, name: string | undefined, ownId?: string): Result<void, Fault> {
  if (name === undefined) return ok(undefined);
  const other = sessionNamed(project, name, ownId);
  if (!other.ok) return other;
  if (!other.value) return ok(undefined);
  return fail(
    fault('usage', `Session ${other.value.id} is named "${name}" already. Take another name, or go on there with -r.`),
  );
}

interface JournalWish {
  /** Of a session that is made now. */
  readonly id: string;
  /** Journal of the session to go on with, or to copy. */
  readonly from: string | undefined;
  readonly isCopy: boolean;
}

async function journalFor({ clock }: World, { project }: Place, { id, from, isCopy }: JournalWish) {
  if (from === undefined) return await createJournal({ path: journalPath(project, id), clock });
  if (!isCopy) return await openJournal({ path: from, clock });
  const forked = await forkSession(project, { from, id });
  return forked.ok ? await openJournal({ path: forked.value, clock }) : forked;
}

const named = ({ project }: Place, { session }: Extract<Start, { from: 'session' }>) => findSession(project, session);

function latest({ project }: Place): Result<Found, Fault> {
  const found = latestSession(project);
  if (!found.ok) return found;
  if (found.value) return ok({ info: found.value, notices: [] });
  return fail(fault('usage', `There is no session in ${project.root} to continue. Start one without -c.`));
}

type OpenedJournal = Extract<Awaited<ReturnType<typeof openJournal>>, { ok: true }>['value'];

/** Whole outputs of tools, of all sessions together: they may be read again for a while, not for ever. */
const leftovers = { maxAgeDays: 14, maxBytes: 2 * 1024 ** 3 };

interface Ready {
  readonly journal: OpenedJournal;
  readonly notices: readonly string[];
}

const opening = (world: World, place: Place, { journal, notices }: Ready): Result<Opening, never> =>
  ok({
    id: besides(journal.path).id,
    journal,
    past: journal.past,
    notices: [...notices, ...describeDamage(journal.damage)],
    spillDir: besides(journal.path).spill,
    close: async () => {
      await journal.close();
      if (existsSync(besides(journal.path).spill)) prune(place.dirs.data, leftovers, world.clock);
    },
  });

const unkept = (world: World, { dirs }: Place, id: string): Result<Opening, never> =>
  ok({
    id,
    journal: unkeptJournal(world.clock),
    past: [],
    notices: [],
    spillDir: spillDirOf(dirs.cache, id),
    close: async () => {},
  });
