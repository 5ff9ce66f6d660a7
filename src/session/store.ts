/** Which session a run continues, and its journal, opened. */
import { existsSync } from 'node:fs';
import { fail, ok, type Result } from '../base/result.ts';
import type { Journal } from '../loop/ports.ts';
import { describeDamage } from '../parts/storage/damage.ts';
import { forkSession } from '../parts/storage/fork.ts';
import { createJournal, openJournal } from '../parts/storage/journal.ts';
import { besides } from '../parts/storage/place.ts';
import { journalPath } from '../parts/storage/project.ts';
import { prune } from '../parts/storage/retention.ts';
import { newSessionId } from '../parts/storage/session-id.ts';
import { findSession, latestSession } from '../parts/storage/sessions.ts';
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
}

export async function openStored(world: World, place: Place, order: OpeningOrder): Promise<Result<Opening, Fault>> {
  const id = newSessionId(place.project, world);
  if (!order.isStored) return unkept(world, place, id);
  if (order.start.from === 'new') {
    const path = journalPath(place.project, id);
    const journal = await createJournal({ path, clock: world.clock });
    return journal.ok ? opening(world, place, journal.value) : journal;
  }
  const found = order.start.from === 'latest' ? latest(place) : findSession(place.project, order.start.session);
  if (!found.ok) return found;
  if (!order.start.isFork) return await reopen(world, place, found.value.path);
  const forked = await forkSession(place.project, { from: found.value.path, id });
  return forked.ok ? await reopen(world, place, forked.value) : forked;
}

function latest(place: Place) {
  const found = latestSession(place.project);
  if (!found.ok) return found;
  if (found.value) return ok(found.value);
  return fail(fault('usage', `There is no session in ${place.project.root} to continue. Start one without -c.`));
}

async function reopen(world: World, place: Place, path: string): Promise<Result<Opening, Fault>> {
  const journal = await openJournal({ path, clock: world.clock });
  return journal.ok ? opening(world, place, journal.value) : journal;
}

type OpenedJournal = Extract<Awaited<ReturnType<typeof openJournal>>, { ok: true }>['value'];

/** Whole outputs of tools, of all sessions together: they may be read again for a while, not for ever. */
const leftovers = { maxAgeDays: 14, maxBytes: 2 * 1024 ** 3 };

const opening = (world: World, place: Place, journal: OpenedJournal): Result<Opening, never> =>
  ok({
    id: besides(journal.path).id,
    journal,
    past: journal.past,
    notices: describeDamage(journal.damage),
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
