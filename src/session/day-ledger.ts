/**
 * What was spent on a day, over all sessions: `<data>/ledger/YYYY-MM-DD.jsonl`, a line for each reply, appended in one write so
 * that several processes may share it. Runs that keep no session stand in it, too. It is an index: without it nothing breaks.
 */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptSync, codeOf, messageOf } from '../base/attempt.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import { addEntry, type Entry, nothingSpent, type Spent } from './ledger.ts';

export interface DayLine extends Entry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly session: string;
}

const fileOf = (dataDir: string, atMs: number): string => join(dataDir, 'ledger', `${localDay(atMs)}.jsonl`);

/** `2026-01-31`, where the user lives. */
export function localDay(atMs: number): string {
  const day = new Date(atMs);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`;
}

export function addToDay(dataDir: string, line: DayLine): Result<void, Fault> {
  const file = fileOf(dataDir, line.at);
  return attemptSync(
    () => {
      mkdirSync(join(dataDir, 'ledger'), { recursive: true, mode: 0o700 });
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
    (cause) => fault('storage', `The ledger ${file} cannot be written: ${messageOf(cause)}.`),
  );
}

export interface DaySpent extends Spent {
  readonly byModel: ReadonlyMap<string, Spent>;
}

/** A day without a file is a day on which nothing was spent; a line that cannot be read is left out. */
export function readDay(dataDir: string, atMs: number): Result<DaySpent, Fault> {
  const file = fileOf(dataDir, atMs);
  const text = attemptSync(
    () => readFileSync(file, 'utf8'),
    (cause) => cause,
  );
  if (!text.ok && codeOf(text.fault) !== 'ENOENT') {
    return fail(fault('storage', `The ledger ${file} cannot be read: ${messageOf(text.fault)}.`));
  }
  const byModel = new Map<string, Spent>();
  let total = nothingSpent;
  for (const line of text.ok ? text.value.split('\n') : []) {
    const entry = attemptSync(() => JSON.parse(line) as unknown, messageOf);
    if (!entry.ok || !isEntry(entry.value)) continue;
    total = addEntry(total, entry.value);
    byModel.set(entry.value.model, addEntry(byModel.get(entry.value.model) ?? nothingSpent, entry.value));
  }
  return ok({ ...total, byModel });
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { model, inputTokens, outputTokens, cachedTokens, usd } = value as Partial<Record<keyof Entry, unknown>>; // any object has fields of unknown kinds
  const areCounts = [inputTokens, outputTokens, cachedTokens].every((count) => typeof count === 'number');
  return typeof model === 'string' && areCounts && (usd === null || typeof usd === 'number');
}
