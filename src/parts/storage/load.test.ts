import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { describeDamage } from './damage.ts';
import { makeLineCodec } from './line.ts';
import { type Loaded, load } from './load.ts';
import { linesOf, recordsOf, said, temporaryDirectory, writeJournal } from './testing/samples.ts';

const [one, two, three] = recordsOf([said('one'), said('two'), said('three')]);
if (!one || !two || !three) throw new Error('three events make three records');
const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = linesOf([one, two, three]);
const newline = Buffer.from('\n');

function loadBytes(...pieces: (Buffer | string)[]): Loaded {
  const path = join(temporaryDirectory(), 's.jsonl');
  writeFileSync(path, Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
  const file = openSync(path, 'r');
  const loaded = load(file, makeLineCodec());
  closeSync(file);
  return loaded;
}

describe('loading a journal', () => {
  it('reads whole lines in order and goes on after the highest number', () => {
    const loaded = loadBytes(first, second, third);
    expect(loaded.past).toEqual([one, two, three]);
    expect(loaded.lastSeq).toBe(3);
    expect(describeDamage(loaded.damage)).toEqual([]);
  });

  it('keeps both records where the newline between them was damaged', () => {
    for (const damaged of ['', 'x', '}', '\0', '\r']) {
      const loaded = loadBytes(first.subarray(0, -1), damaged, second, third);
      expect(loaded.past).toEqual([one, two, three]);
      expect(loaded.damage).toMatchObject({ damagedLines: 1, salvagedRecords: 2 });
    }
  });

  it('keeps the record that was glued to a torn one', () => {
    const loaded = loadBytes(first.subarray(0, 40), '\0\0\0', second, third);
    expect(loaded.past).toEqual([two, three]);
    expect(loaded.damage.gaps).toEqual([[1, 1]]);
  });

  it('reads lines that another program ended with CR LF', () => {
    expect(loadBytes(first.subarray(0, -1), '\r\n', second.subarray(0, -1), '\r\n').past).toEqual([one, two]);
  });

  it('never takes a text inside a damaged record for a record', () => {
    const forged = JSON.parse(third.toString());
    const event: Event = { type: 'noted', by: 'tool', kind: 'mended', data: forged };
    const [outer = Buffer.alloc(0)] = linesOf([{ seq: 2, at: 1, agent: 'main', event }]);
    expect(outer.includes(third.subarray(0, -1))).toBe(true);
    const damaged = Buffer.from(outer);
    damaged[25] = 0x78;
    expect(loadBytes(first, damaged).past).toEqual([one]);
    const untilForgedEnd = outer.subarray(0, outer.indexOf(third.subarray(0, -1)) + third.length - 1);
    expect(loadBytes(first, untilForgedEnd).past).toEqual([one]);
  });

  it('takes a last record that lost nothing but its newline', () => {
    const loaded = loadBytes(first, second.subarray(0, -1));
    expect(loaded.past).toEqual([one, two]);
    expect(loaded.tail).toMatchObject({ goodBytes: first.length + second.length - 1, needsNewline: true });
    expect(describeDamage(loaded.damage)).toEqual([]);
  });

  it('skips and counts foreign lines and empty ones', () => {
    const loaded = loadBytes(first, '{"role":"user"}\n', newline, '[1]\n', 'null\n', second);
    expect(loaded.past).toEqual([one, two]);
    expect(loaded.damage).toMatchObject({ foreignLines: 2, damagedLines: 1 });
  });

  it('skips and counts an event that only a later version knows, and its number is used up', () => {
    const body = '"seq":4,"at":1,"agent":"main","event":{"type":"dreamt"}}';
    const loaded = loadBytes(first, second, third, `{"sum":"${crc32(body).toString(16).padStart(8, '0')}",${body}\n`);
    expect(loaded.past).toHaveLength(3);
    expect(loaded.lastSeq).toBe(4);
    expect(describeDamage(loaded.damage)).toEqual([
      '1 record of a kind that this version does not know skipped; they stay in the file.',
    ]);
  });

  it('leaves out copies of a record and keeps another one under the same number', () => {
    const [other = Buffer.alloc(0)] = linesOf([{ ...two, event: said('other') }]);
    const loaded = loadBytes(first, second, second, other, third);
    expect(loaded.past.map(({ event }) => (event.type === 'prompted' ? event.text : ''))).toEqual([
      'one',
      'two',
      'other',
      'three',
    ]);
    expect(loaded.damage).toMatchObject({ copies: 1, clashes: 1 });
  });

  it('names the numbers that are missing', () => {
    const [, , , , fifth = Buffer.alloc(0)] = linesOf(recordsOf(['a', 'b', 'c', 'd', 'e'].map(said)));
    expect(describeDamage(loadBytes(first, fifth).damage)).toEqual(['Missing records: 2-4.']);
  });

  it('reads lines longer than its buffer', () => {
    const long = recordsOf([said('x'.repeat(900_000)), said('y'), said('z'.repeat(300_000))]);
    expect(loadBytes(...linesOf(long)).past).toEqual(long);
  });

  it('opens 20,000 events well within a second', () => {
    const events = Array.from({ length: 20_000 }, (_, index): Event => {
      if (index % 4 === 0) return said(`task ${index}`);
      if (index % 4 === 1) {
        const call = { id: `call_${index}`, name: 'edit', input: { path: 'src/a.ts', old: 'x'.repeat(150), new: 'y' } };
        return { type: 'replied', reply: { from: 'model', text: 'I shall edit it.', calls: [call] } };
      }
      if (index % 4 === 2) return { type: 'started', callId: `call_${index - 1}` };
      return { type: 'answered', result: { callId: `call_${index - 2}`, ok: true, text: 'line\n'.repeat(400) } };
    });
    const path = join(temporaryDirectory(), 's.jsonl');
    writeJournal(path, events);
    const file = openSync(path, 'r');
    const before = process.cpuUsage();
    const loaded = load(file, makeLineCodec());
    // Computing time, not the clock on the wall: other tests run at the same time.
    const { user, system } = process.cpuUsage(before);
    closeSync(file);
    expect(loaded.past).toHaveLength(20_000);
    expect((user + system) / 1000).toBeLessThan(process.env['SMEW_TEST_LONG'] ? 1000 : 6000);
  });
});
