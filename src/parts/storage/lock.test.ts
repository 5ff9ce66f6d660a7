import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal, readJournal } from './journal.ts';
import { isLocked, takeLock } from './lock.ts';
import { messageOfFault, startWriter, temporaryDirectory, tickingClock, unwrap } from './testing/samples.ts';

const journalIn = (directory: string) => join(directory, 's.jsonl');

describe('the lock of a session', () => {
  it('is taken once at a time, and again after it was released', () => {
    const path = journalIn(temporaryDirectory());
    const lock = unwrap(takeLock(path));
    expect(isLocked(path)).toBe(true);
    expect(messageOfFault(takeLock(path))).toContain(`Session s is in use by process ${process.pid}.`);
    lock.release();
    lock.release();
    expect(isLocked(path)).toBe(false);
    unwrap(takeLock(path)).release();
  });

  it('costs an empty file and a few milliseconds', () => {
    const directory = temporaryDirectory();
    unwrap(takeLock(journalIn(directory))).release();
    const times = Array.from({ length: 9 }, (_, index) => {
      const before = performance.now();
      const lock = unwrap(takeLock(join(directory, `${index}.jsonl`)));
      const tookMs = performance.now() - before;
      expect(statSync(join(directory, `${index}.lock`)).size).toBe(0);
      lock.release();
      return tookMs;
    });
    // The quickest of them: a busy machine says nothing about the lock.
    expect(Math.min(...times)).toBeLessThan(30);
    expect(readdirSync(directory).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  });

  it('is for its user alone', () => {
    const directory = temporaryDirectory();
    const lock = unwrap(takeLock(journalIn(directory)));
    expect(['s.lock', 's.owner'].map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    lock.release();
  });

  it('stays when another session in the same process comes and goes', () => {
    const directory = temporaryDirectory();
    const lock = unwrap(takeLock(journalIn(directory)));
    unwrap(takeLock(join(directory, 't.jsonl'))).release();
    expect(takeLock(journalIn(directory)).ok).toBe(false);
    expect(isLocked(journalIn(directory))).toBe(true);
    lock.release();
  });

  it('explains what to do where the file system refuses it', () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 's.lock'));
    expect(messageOfFault(takeLock(journalIn(directory)))).toContain('Set SMEW_HOME');
    writeFileSync(join(directory, 'file'), '');
    expect(takeLock(join(directory, 'file', 's.jsonl')).ok).toBe(false);
  });
});

describe('two processes', () => {
  it('never write one session: the second is told by whom it is used', async () => {
    const path = journalIn(temporaryDirectory());
    const first = startWriter(path, 5);
    await first.until((line) => line === 'idle');
    const second = startWriter(path, 5);
    const refusal = await second.until((line) => line.startsWith('fault'));
    expect(refusal).toContain(`Session s is in use by process ${first.child.pid}.`);
    expect(refusal).toContain('--fork');
    expect(unwrap(await readJournal(path)).past).toHaveLength(5);
  });

  it('find the session free as soon as the first was killed', async () => {
    const path = journalIn(temporaryDirectory());
    const first = startWriter(path, 2);
    await first.until((line) => line === 'idle');
    expect(isLocked(path)).toBe(true);
    await first.kill();
    expect(isLocked(path)).toBe(false);
    const journal = unwrap(await openJournal({ path, clock: tickingClock() }));
    expect(journal.past).toHaveLength(2);
    await journal.close();
  });

  it('that start at the same moment: one writes, one is refused', async () => {
    const path = journalIn(temporaryDirectory());
    unwrap(await openNew(path));
    const both = [startWriter(path, 20), startWriter(path, 20)];
    const ends = await Promise.all(
      both.map(({ until }) => until((line) => line === 'idle' || line.startsWith('fault'))),
    );
    expect(ends.map((line) => line.slice(0, 4)).sort()).toEqual(['faul', 'idle']);
    const read = unwrap(await readJournal(path));
    expect(read.past.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

/** An empty journal, so that both processes open and neither creates. */
async function openNew(path: string) {
  writeFileSync(path, '');
  const journal = unwrap(await openJournal({ path, clock: tickingClock() }));
  return journal.close();
}
