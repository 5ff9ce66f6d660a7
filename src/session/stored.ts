/** What can be done with sessions that are on disk, without opening one for work. */
import { ok, type Result } from '../base/result.ts';
import { conversationOf } from '../loop/conversation.ts';
import { describeDamage } from '../parts/storage/damage.ts';
import { type Found, findSession } from '../parts/storage/find.ts';
import { forkSession } from '../parts/storage/fork.ts';
import { openJournal, readJournal } from '../parts/storage/journal.ts';
import { newSessionId } from '../parts/storage/session-id.ts';
import { allSessions, deleteSession, type Listing, listSessions, type SessionInfo } from '../parts/storage/sessions.ts';
import type { Recorded } from '../protocol/event.ts';
import type { Fault } from '../protocol/fault.ts';
import { shortenHistory } from './compact.ts';
import { type Place, placeOf } from './settings.ts';
import { nameIsFree } from './store.ts';
import type { World } from './world.ts';

export type { SessionInfo };

export interface StoredSession {
  readonly info: SessionInfo;
  readonly past: readonly Recorded[];
  /** What the user should know: where it comes from, what of the journal was damaged. */
  readonly notices: readonly string[];
}

/** Newest first; those of every project with `isEverywhere`. */
export function storedSessions(world: World, cd?: string, isEverywhere = false): Result<Listing, Fault> {
  const place = placeOf(world, cd);
  if (!place.ok) return place;
  return isEverywhere ? ok(allSessions(place.value.project)) : listSessions(place.value.project);
}

/** Reads a session by id, prefix or name, also while another process writes it. */
export async function readStored(world: World, wanted: string, cd?: string): Promise<Result<StoredSession, Fault>> {
  const found = find(world, wanted, cd);
  if (!found.ok) return found;
  const read = await readJournal(found.value.info.path);
  if (!read.ok) return read;
  const { info, notices } = found.value;
  return ok({ info, past: read.value.past, notices: [...notices, ...describeDamage(read.value.damage)] });
}

/** Deletes one session and returns its id. */
export function deleteStored(world: World, wanted: string, cd?: string): Result<string, Fault> {
  const found = find(world, wanted, cd);
  if (!found.ok) return found;
  const deleted = deleteSession(found.value.info.path);
  return deleted.ok ? ok(found.value.info.id) : deleted;
}

export interface Forking {
  readonly session: string;
  readonly name?: string;
}

/** Copies a session; the copy's id. It has no name but the one given here. */
export async function forkStored(
  world: World,
  { session, name }: Forking,
  cd?: string,
): Promise<Result<{ readonly id: string; readonly notices: readonly string[] }, Fault>> {
  const found = find(world, session, cd);
  if (!found.ok) return found;
  const { info, notices, place } = found.value;
  const free = nameIsFree(place, name);
  if (!free.ok) return free;
  const id = newSessionId(place.project, world);
  const forked = await forkSession(place.project, { from: info.path, id });
  if (!forked.ok) return forked;
  const named = name === undefined ? ok(undefined) : await writeName(world, forked.value, name);
  return named.ok ? ok({ id, notices }) : named;
}

export interface Naming {
  readonly session: string;
  readonly name: string;
}

/** Names a session and returns its id. */
export async function nameStored(world: World, { session, name }: Naming, cd?: string): Promise<Result<string, Fault>> {
  const found = find(world, session, cd);
  if (!found.ok) return found;
  const { info, place } = found.value;
  const free = nameIsFree(place, name, info.id);
  if (!free.ok) return free;
  const written = await writeName(world, info.path, name);
  return written.ok ? ok(info.id) : written;
}

async function writeName({ clock }: World, path: string, name: string): Promise<Result<void, Fault>> {
  const journal = await openJournal({ path, clock });
  if (!journal.ok) return journal;
  const written = journal.value.append({ type: 'noted', by: 'session', kind: 'named', data: { name } }, 'main');
  const closed = await journal.value.close();
  return written.ok ? closed : written;
}

/** Leaves out the old tool results of a session; an estimate of the tokens that this frees. */
export async function compactStored(
  world: World,
  wanted: string,
  cd?: string,
): Promise<Result<{ readonly id: string; readonly tokens: number }, Fault>> {
  const found = find(world, wanted, cd);
  if (!found.ok) return found;
  const { id, path } = found.value.info;
  const journal = await openJournal({ path, clock: world.clock });
  if (!journal.ok) return journal;
  const { messages } = conversationOf(journal.value.past, { steps: 0, nudges: 0 });
  const shortened = shortenHistory(messages);
  const written = shortened ? journal.value.append(shortened.event, 'main') : ok(undefined);
  const closed = await journal.value.close();
  if (!written.ok) return written;
  return closed.ok ? ok({ id, tokens: shortened?.freedTokens ?? 0 }) : closed;
}

function find(world: World, wanted: string, cd: string | undefined): Result<Found & { place: Place }, Fault> {
  const place = placeOf(world, cd);
  if (!place.ok) return place;
  const found = findSession(place.value.project, wanted);
  return found.ok ? ok({ ...found.value, place: place.value }) : found;
}
