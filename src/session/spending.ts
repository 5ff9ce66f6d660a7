/** What was spent, from the ledgers of the days: today, and in the latest session of a folder. */
import { ok, type Result } from '../base/result.ts';
import { latestSession } from '../parts/storage/sessions.ts';
import type { Fault } from '../protocol/fault.ts';
import { type DaySpent, localDay, readDay, readSession } from './day-ledger.ts';
import type { Spent } from './ledger.ts';
import { placeOf } from './settings.ts';
import type { World } from './world.ts';

export interface Spending {
  /** `2026-01-31`. */
  readonly day: string;
  readonly today: DaySpent;
  readonly latest?: { readonly id: string; readonly spent: Spent };
}

export function spending(world: World, cd?: string): Result<Spending, Fault> {
  const place = placeOf(world, cd);
  if (!place.ok) return place;
  const { data } = place.value.dirs;
  const now = world.clock.now();
  const today = readDay(data, now);
  if (!today.ok) return today;
  const latest = latestSession(place.value.project);
  if (!latest.ok) return latest;
  const spent = latest.value ? readSession(data, latest.value.id) : undefined;
  if (spent && !spent.ok) return spent;
  return ok({
    day: localDay(now),
    today: today.value,
    ...(latest.value && spent ? { latest: { id: latest.value.id, spent: spent.value } } : {}),
  });
}
