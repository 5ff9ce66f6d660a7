import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeenFiles, fingerprint, largeFingerprint } from './seen.ts';

const of = (text: string) => ({ path: '/w/a.ts', hash: fingerprint(Buffer.from(text)) });

test('a file is unknown until it was shown, fresh while it stays, and changed after', () => {
  const seen = createSeenFiles();
  expect(seen.check(of('one'))).toBe('never read');
  seen.remember(of('one'));
  expect(seen.check(of('one'))).toBe('fresh');
  expect(seen.check(of('two'))).toBe('changed since');
  seen.remember(of('two'));
  expect(seen.check(of('two'))).toBe('fresh');
});

test('a resumed session knows what its results say, the newest of each file', () => {
  const results = [
    { data: { file: of('one') } },
    { data: { hits: 3 } },
    {},
    { data: { file: 'damaged' } },
    { data: { file: of('two') } },
  ];
  const seen = createSeenFiles(results);
  expect(seen.check(of('two'))).toBe('fresh');
  expect(seen.check(of('one'))).toBe('changed since');
});

test('another content has another fingerprint', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.nat(59),
      fc.integer({ min: 1, max: 255 }),
      (bytes, place, change) => {
        const other = Uint8Array.from(bytes);
        if (bytes.length === 0) return;
        const index = place % bytes.length;
        other[index] = (other[index] ?? 0) ^ change;
        expect(fingerprint(other)).not.toBe(fingerprint(bytes));
      },
    ),
    { seed: 7 },
  );
});

test('100,000 similar short contents of one length do not meet', () => {
  const hashes = new Set<string>();
  for (let number = 0; number < 100_000; number++)
    hashes.add(fingerprint(Buffer.from(String(number).padStart(6, '0'))));
  expect(hashes.size).toBe(100_000);
});

test('a large file is known by size and time', () => {
  expect(largeFingerprint({ size: 5, mtimeMs: 1 })).not.toBe(largeFingerprint({ size: 5, mtimeMs: 2 }));
});
