import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Recorded } from '../../protocol/event.ts';
import { describeDamage } from './damage.ts';
import { createJournal, openJournal, readJournal } from './journal.ts';
import {
  anyEvent,
  linesOf,
  messageOfFault,
  recordsOf,
  runs,
  said,
  temporaryDirectory,
  tickingClock,
  unwrap,
  writeJournal,
} from './testing/samples.ts';

const place = (directory = temporaryDirectory()) => ({ path: join(directory, 's.jsonl'), clock: tickingClock() });
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('a journal', () => {
  it('gives back after closing what was appended, numbered, timed and with its agent', async () => {
    const at = place();
    const journal = unwrap(await createJournal(at));
    const first = unwrap(journal.append(said('one'), 'main'));
    const second = unwrap(journal.append({ type: 'released' }, 'helper', 'call_1'));
    unwrap(await journal.close());
    expect(second).toMatchObject({ seq: 2, at: first.at + 1000, agent: 'helper', parentCall: 'call_1' });
    const again = unwrap(await openJournal(at));
    expect(again.past).toEqual([first, second]);
    expect(unwrap(again.append(said('two'), 'main')).seq).toBe(3);
    await again.close();
  });

  it('is for its user alone: 0600 in 0700, also where a copy came back open to all', async () => {
    const at = place(join(temporaryDirectory(), 'new', 'deep'));
    const journal = unwrap(await createJournal(at));
    journal.append(said('one'), 'main');
    await journal.close();
    expect([mode(at.path), mode(join(at.path, '..')), mode(join(at.path, '..', '..'))]).toEqual(['600', '700', '700']);
    execFileSync('chmod', ['644', at.path]);
    await unwrap(await openJournal(at)).close();
    expect(mode(at.path)).toBe('600');
  });

  it('leaves nothing behind when nothing happened', async () => {
    const at = place();
    await unwrap(await createJournal(at)).close();
    expect(readdirSync(join(at.path, '..'))).toEqual([]);
  });

  it('is in the hands of the operating system when append returns', async () => {
    const at = place();
    const journal = unwrap(await createJournal(at));
    journal.append(said('one'), 'main');
    expect(readFileSync(at.path, 'utf8')).toContain('"text":"one"');
    expect(unwrap(await readJournal(at.path)).past).toHaveLength(1);
    await journal.close();
  });

  it('shares one flush among those who wait, and still answers each', async () => {
    const at = place();
    const journal = unwrap(await createJournal(at));
    journal.append(said('one'), 'main');
    const waiting = Array.from({ length: 50 }, () => journal.sync());
    expect(new Set(waiting).size).toBe(1);
    await waiting[0];
    journal.append(said('two'), 'main');
    expect(journal.sync()).not.toBe(waiting[0]);
    expect((await Promise.all(waiting)).every(({ ok }) => ok)).toBe(true);
    await journal.close();
  });

  it('takes no event after it was closed', async () => {
    const journal = unwrap(await createJournal(place()));
    journal.append(said('one'), 'main');
    await journal.close();
    expect(messageOfFault(journal.append(said('two'), 'main'))).toContain('closed');
    expect((await journal.close()).ok).toBe(true);
  });

  it('neither overwrites a session nor opens one that is not there', async () => {
    const at = place();
    expect(messageOfFault(await openJournal(at))).toContain('There is no session s');
    writeJournal(at.path, [said('one')]);
    expect(messageOfFault(await createJournal(at))).toContain('already a session s');
  });
});

describe('the end of a journal', () => {
  it('is cut where a record is torn, and the torn bytes are kept beside it', async () => {
    const at = place();
    writeJournal(at.path, [said('one'), said('two')]);
    const whole = statSync(at.path).size;
    for (const number of [1, 2]) {
      appendFileSync(at.path, '{"sum":"12345678","seq":3,"at"\0\0\0\0');
      const journal = unwrap(await openJournal(at));
      const torn = join(at.path, '..', `s.torn-${number}`);
      expect(journal.damage).toMatchObject({ tornBytes: 30, nulBytes: 4, tornFile: torn });
      expect(readFileSync(torn, 'utf8')).toBe('{"sum":"12345678","seq":3,"at"');
      expect(mode(torn)).toBe('600');
      expect(statSync(at.path).size).toBe(whole);
      expect(describeDamage(journal.damage)[0]).toContain(torn);
      await journal.close();
    }
  });

  it('loses a tail of NULs without a side file', async () => {
    const at = place();
    writeJournal(at.path, [said('one')]);
    appendFileSync(at.path, Buffer.alloc(5000));
    const journal = unwrap(await openJournal(at));
    expect(journal.damage).toMatchObject({ nulBytes: 5000, tornBytes: 0 });
    journal.append(said('two'), 'main');
    await journal.close();
    expect(unwrap(await readJournal(at.path)).past).toHaveLength(2);
    expect(readdirSync(join(at.path, '..')).filter((name) => name.includes('torn'))).toEqual([]);
  });

  it('gets the newline that it lacks before the next record', async () => {
    const at = place();
    writeJournal(at.path, [said('one'), said('two')]);
    truncateSync(at.path, statSync(at.path).size - 1);
    const journal = unwrap(await openJournal(at));
    journal.append(said('three'), 'main');
    await journal.close();
    expect(unwrap(await readJournal(at.path))).toMatchObject({ past: [{ seq: 1 }, { seq: 2 }, { seq: 3 }] });
    expect(describeDamage(unwrap(await readJournal(at.path)).damage)).toEqual([]);
  });
});

type Harm =
  | { readonly what: 'byte'; readonly at: number; readonly to: number }
  | { readonly what: 'cut'; readonly at: number }
  | { readonly what: 'line'; readonly at: number; readonly bytes: Uint8Array };

const anyHarm: fc.Arbitrary<Harm> = fc.oneof(
  fc.record({ what: fc.constant('byte' as const), at: fc.nat(), to: fc.nat(255) }),
  fc.record({ what: fc.constant('cut' as const), at: fc.nat() }),
  fc.record({ what: fc.constant('line' as const), at: fc.nat(), bytes: fc.uint8Array({ maxLength: 80 }) }),
);

/** The harmed file, and the records of which no byte was touched. */
function harm(records: readonly Recorded[], damage: Harm): { bytes: Buffer; intact: Recorded[] } {
  const lines = linesOf(records);
  const bytes = Buffer.concat(lines);
  let end = -1;
  const ranges = lines.map(({ length }) => {
    const start = end + 1;
    end += length;
    return { start, end };
  });
  const keep = (isIntact: (range: { start: number; end: number }) => boolean) =>
    records.filter((_, index) => isIntact(ranges[index] ?? { start: 0, end: 0 }));
  if (damage.what === 'line') {
    const before = lines.slice(0, damage.at % (lines.length + 1));
    const garbage = Buffer.from([...damage.bytes, 0x0a]);
    return { bytes: Buffer.concat([...before, garbage, ...lines.slice(before.length)]), intact: [...records] };
  }
  if (damage.what === 'cut') {
    const cut = damage.at % (bytes.length + 1);
    return { bytes: bytes.subarray(0, cut), intact: keep(({ end }) => end <= cut) };
  }
  const at = damage.at % bytes.length;
  const isChanged = bytes[at] !== damage.to;
  bytes[at] = damage.to;
  return { bytes, intact: keep((range) => !isChanged || at < range.start || at >= range.end) };
}

describe('whatever happens to the file', () => {
  const slow = { timeout: 300_000 };
  it('every intact record is kept, appending works and what was appended is there after reopening', slow, async () => {
    const at = place();
    const directory = join(at.path, '..');
    const property = fc.asyncProperty(
      fc.array(anyEvent, { minLength: 1, maxLength: 8 }),
      anyHarm,
      anyEvent,
      async (events, damage, next) => {
        for (const name of readdirSync(directory)) rmSync(join(directory, name));
        const { bytes, intact } = harm(recordsOf(events), damage);
        writeFileSync(at.path, bytes);
        const journal = unwrap(await openJournal(at));
        expect(journal.past).toEqual(intact);
        const added = unwrap(journal.append(next, 'main'));
        expect(added.seq).toBe((intact.at(-1)?.seq ?? 0) + 1);
        await journal.close();
        const again = unwrap(await openJournal(at));
        expect(again.past).toEqual([...intact, added]);
        await again.close();
      },
    );
    await fc.assert(property, runs(150, 3_000));
  });
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0 && canMountTmpfs();

function canMountTmpfs(): boolean {
  // A container may be root and still not be allowed to mount.
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
}

describe.skipIf(!canMount)('on a full disk (needs the right to mount a tmpfs)', () => {
  function smallDisk(): string {
    const directory = temporaryDirectory();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory]);
    // Lazily, because a test that failed half-way still holds its journal open.
    onTestFinished(() => void execFileSync('umount', ['-l', directory]));
    return directory;
  }

  it('says so, leaves no half record, and goes on once there is space', async () => {
    const disk = smallDisk();
    const at = place(disk);
    const journal = unwrap(await createJournal(at));
    unwrap(journal.append(said('one'), 'main'));
    const before = statSync(at.path).size;
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(40_000));
    const failed = journal.append(said('x'.repeat(30_000)), 'main');
    expect(failed).toMatchObject({ ok: false, fault: { kind: 'storage' } });
    expect(messageOfFault(failed)).toBe(
      `Could not write to ${at.path}: the disk is full (ENOSPC). Free some space and go on; everything stored before is intact.`,
    );
    expect(statSync(at.path).size).toBe(before);
    rmSync(join(disk, 'ballast'));
    expect(unwrap(journal.append(said('y'.repeat(30_000)), 'main')).seq).toBe(2);
    unwrap(await journal.close());
    const read = unwrap(await readJournal(at.path));
    expect(read.past.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(describeDamage(read.damage)).toEqual([]);
  });

  it('leaves no session behind that holds nothing', async () => {
    const disk = smallDisk();
    const at = place(disk);
    execFileSync('sh', ['-c', `cat /dev/zero > ${join(disk, 'ballast')} 2> /dev/null || true`]);
    const journal = unwrap(await createJournal(at));
    expect(messageOfFault(journal.append(said('one'), 'main'))).toContain('ENOSPC');
    await journal.close();
    expect(readdirSync(disk)).toEqual(['ballast']);
  });

  it('keeps a torn record in the file where there is no space for a copy', async () => {
    const disk = smallDisk();
    const at = place(disk);
    writeJournal(at.path, [said('one')]);
    appendFileSync(at.path, '{"sum":"12345678","se');
    await unwrap(await openJournal(at)).close();
    rmSync(join(disk, 's.torn-1'));
    appendFileSync(at.path, '{"sum":"12345678","se');
    execFileSync('sh', ['-c', `cat /dev/zero > ${join(disk, 'ballast')} 2> /dev/null || true`]);
    const journal = unwrap(await openJournal(at));
    expect(journal.past).toHaveLength(1);
    expect(existsSync(join(disk, 's.torn-1'))).toBe(false);
    expect(describeDamage(journal.damage)[0]).toContain('left in the file');
    rmSync(join(disk, 'ballast'));
    unwrap(journal.append(said('two'), 'main'));
    await journal.close();
    expect(unwrap(await readJournal(at.path)).past).toHaveLength(2);
  });

  it('tells a read-only disk from a full one', async () => {
    const disk = smallDisk();
    const at = place(disk);
    writeJournal(at.path, [said('one')]);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expect(messageOfFault(await createJournal({ ...at, path: join(disk, 'new', 't.jsonl') }))).toContain('read-only');
    expect(messageOfFault(await openJournal(at))).toContain('read-only');
    expect(unwrap(await readJournal(at.path)).past).toHaveLength(1);
  });
});
