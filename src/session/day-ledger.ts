/**
 * What was spent on a day, over all sessions: `<data>/ledger/YYYY-MM-DD.jsonl`, a line for each reply, appended in one write so
 * that several processes may share it. Runs that keep no session stand in it, too. It is an index: without it nothing breaks.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
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
  const lines = readLines(fileOf(dataDir, atMs));
  if (!lines.ok) return lines;
  const byModel = new Map<string, Spent>();
  for (const entry of lines.value) byModel.set(entry.model, addEntry(byModel.get(entry.model) ?? nothingSpent, entry));
  return ok({ ...lines.value.reduce(addEntry, nothingSpent), byModel });
}

/** What one session has spent, on whichever days. */
export function readSession(dataDir: string, session: string): Result<Spent, Fault> {
  const directory = join(dataDir, 'ledger');
  let spent = nothingSpent;
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    const lines = name.endsWith('.jsonl') ? readLines(join(directory, name)) : ok([]);
    if (!lines.ok) return lines;
    spent = lines.value.filter((line) => line.session === session).reduce(addEntry, spent);
  }
  return ok(spent);
}

function readLines(file: string): Result<DayLine[], Fault> {
  const text = attemptSync(
    () => readFileSync(file, 'utf8'),
    (cause) => cause,
  );
  if (!text.ok && codeOf(text.fault) === 'ENOENT') return ok([]);
  if (!text.ok) return fail(fault('storage', `The ledger ${file} cannot be read: ${messageOf(text.fault)}.`));
  return ok(
    text.value.split('\n').flatMap((line) => {
      const entry = attemptSync(() => JSON.parse(line) as unknown, messageOf);
      return entry.ok && isLine(entry.value) ? [entry.value] : [];
    }),
  );
}

function isLine(value: unknown): value is DayLine {
  if (typeof value !== 'object' || value === null) return false;
  const { model, inputTokens, outputTokens, cachedTokens, usd } = value as Partial<Record<keyof DayLine, unknown>>; // any object has fields of unknown kinds
  const areCounts = [inputTokens, outputTokens, cachedTokens].every((count) => typeof count === 'number');
  return typeof model === 'string' && areCounts && (usd === null || typeof usd === 'number');
}
