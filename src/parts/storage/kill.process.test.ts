import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sleep } from '../../base/abort.ts';
import { readJournal } from './journal.ts';
import { startWriter, temporaryDirectory, unwrap } from './testing/samples.ts';

const kills = process.env['SMEW_TEST_LONG'] ? 200 : 20;

describe('a process killed at a random moment', () => {
  it('loses no record that it had acknowledged, and the next one goes on', { timeout: kills * 2000 }, async () => {
    const path = join(temporaryDirectory(), 's.jsonl');
    let acknowledged = 0;
    for (let kill = 0; kill < kills; kill++) {
      const writer = startWriter(path, 'forever');
      await writer.until((line) => Number(line) > acknowledged);
      await sleep((kill * 7) % 40);
      await writer.kill();
      acknowledged = Math.max(acknowledged, ...writer.printed.map(Number));
      const { past, damage } = unwrap(await readJournal(path));
      expect(past.length).toBeGreaterThanOrEqual(acknowledged);
      expect(past.map(({ seq }) => seq)).toEqual(past.map((_, index) => index + 1));
      expect(damage).toMatchObject({ damagedLines: 0, foreignLines: 0, clashes: 0 });
    }
    expect(acknowledged).toBeGreaterThan(kills);
  });
});
