import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeChecksum } from './checksum.ts';
import { makeLineCodec } from './line.ts';
import { anyEvent, recordsOf, runs, said, unwrap } from './testing/samples.ts';

const codec = makeLineCodec();
const line = (text: string) => {
  const [recorded] = recordsOf([said(text)]);
  return recorded ? unwrap(codec.encode(recorded)) : Buffer.alloc(0);
};

describe('a line of the journal', () => {
  it('has the documented form, with the checksum of what follows it', () => {
    const text = line('hello').toString();
    const body = '"seq":1,"at":1000,"agent":"main","event":{"type":"prompted","text":"hello"}}';
    expect(text).toBe(`{"sum":"${crc32(body).toString(16).padStart(8, '0')}",${body}\n`);
  });

  it('is the CRC-32 that everybody computes', () => {
    const checksum = makeChecksum();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(checksum(bytes)).toBe(crc32(bytes).toString(16).padStart(8, '0'));
      }),
      runs(100, 10_000),
    );
  });

  it('gives back any event as it was', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const recorded = { seq: 7, at: 5, agent: 'helper', parentCall: 'call_1', event };
        const bytes = unwrap(codec.encode(recorded));
        expect(bytes.indexOf('\n')).toBe(bytes.length - 1);
        expect(codec.decode(bytes.subarray(0, -1))).toEqual({ what: 'record', recorded });
      }),
      runs(300, 20_000),
    );
  });

  it('holds no raw line separator of Unicode', () => {
    expect(line('a\u2028b\u2029c').toString()).toContain('a\\u2028b\\u2029c');
  });

  it('notices every change of a single bit', () => {
    const whole = line('some words').subarray(0, -1);
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const changed = Buffer.from(whole);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(codec.decode(changed).what).not.toBe('record');
    }
  });

  it('tells damage, foreign text and events of another version apart', () => {
    expect(codec.decode(Buffer.from('{"a":1}')).what).toBe('foreign');
    expect(codec.decode(Buffer.from('{"a":')).what).toBe('damaged');
    const body = '"seq":9,"at":1,"agent":"main","event":{"type":"dreamt","of":"sheep"}}';
    const future = Buffer.from(`{"sum":"${crc32(body).toString(16).padStart(8, '0')}",${body}`);
    expect(codec.decode(future)).toEqual({ what: 'unknown', seq: 9 });
  });

  it('refuses what JSON cannot hold, naming the event', () => {
    const event = { type: 'noted' as const, by: 'tool', kind: 'big', data: { number: 1n } };
    const refused = codec.encode({ seq: 1, at: 1, agent: 'main', event });
    expect(refused).toMatchObject({
      ok: false,
      fault: { kind: 'internal', message: expect.stringContaining('noted') },
    });
  });
});
