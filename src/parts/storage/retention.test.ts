import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLock } from './lock.ts';
import { diskSizes, prune } from './retention.ts';
import { opened, said, temporaryDirectory, unwrap, writeJournal } from './testing/samples.ts';

const daySeconds = 24 * 60 * 60;
const clock = { now: () => 100 * daySeconds * 1000 };

/** A data directory with one session, spilled outputs of 1,000 bytes and a torn copy of 10, each with its day. */
function dataWith(spillDays: readonly number[], tornDay = 99) {
  const data = temporaryDirectory();
  const directory = join(data, 'sessions', 'project-12345678');
  mkdirSync(join(directory, 's.spill'), { recursive: true });
  const journal = join(directory, 's.jsonl');
  writeJournal(journal, [opened('s'), said('one')]);
  utimesSync(journal, 1, 1);
  const spill = spillDays.map((day, index) => write(join(directory, 's.spill', `${index}.txt`), 1000, day));
  const torn = write(join(directory, 's.torn-1'), 10, tornDay);
  return { data, directory, journal, spill, torn };
}

function write(path: string, bytes: number, day: number): string {
  writeFileSync(path, Buffer.alloc(bytes));
  utimesSync(path, day * daySeconds, day * daySeconds);
  return path;
}

const wide = { maxAgeDays: 30, maxBytes: 1_000_000 };

describe('pruning', () => {
  it('removes what is older than the limit, and never a session', () => {
    const { data, journal, spill, torn } = dataWith([60, 69, 71, 99], 50);
    expect(prune(data, wide, clock)).toEqual({ files: 3, bytes: 2010 });
    expect(spill.map((path) => existsSync(path))).toEqual([false, false, true, true]);
    expect([existsSync(torn), existsSync(journal)]).toEqual([false, true]);
  });

  it('then removes the oldest until the rest fits, so that growth is bounded', () => {
    const { data, spill, torn } = dataWith([98, 96, 97], 99);
    expect(prune(data, { ...wide, maxBytes: 1500 }, clock)).toEqual({ files: 2, bytes: 2000 });
    expect(spill.map((path) => existsSync(path))).toEqual([true, false, false]);
    expect(existsSync(torn)).toBe(true);
  });

  it('leaves alone what a running session may still read', () => {
    const { data, journal } = dataWith([1, 2]);
    const lock = unwrap(takeLock(journal));
    expect(prune(data, wide, clock).files).toBe(0);
    lock.release();
    expect(prune(data, wide, clock).files).toBe(2);
  });

  it('removes an emptied directory and makes no files of its own', () => {
    const { data, directory } = dataWith([1, 2]);
    prune(data, wide, clock);
    expect(readdirSync(directory).sort()).toEqual(['s.jsonl', 's.torn-1']);
    expect(prune(join(data, 'nowhere'), wide, clock)).toEqual({ files: 0, bytes: 0 });
  });

  it('is preceded by figures of what there is', () => {
    const { data } = dataWith([1, 2]);
    expect(diskSizes(data)).toMatchObject({ sessions: 1, spillBytes: 2000, tornBytes: 10 });
    expect(diskSizes(data).journalBytes).toBeGreaterThan(200);
  });
});
