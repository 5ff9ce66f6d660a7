import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { restName, restStore } from './rests.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});
function place(): string {
  const dir = mkdtempSync(join(tmpdir(), 'smew-rests-'));
  dirs.push(dir);
  return join(dir, 'deep', 'rests.json');
}
const now = 1_000_000_000;
const open = (path: string, at = now) => restStore(path, () => at);

describe('rests', () => {
  it('are found by the next run, in a file for the user alone that holds no key', () => {
    const path = place();
    const name = restName(['https://h', 'a/x', 'sk-secret']);
    const rest = { untilMs: now + 5000, failures: 2 };
    open(path).keep(name, rest);
    expect(open(path).of(() => name)).toEqual(rest);
    expect(open(path).of(() => restName(['https://h', 'a/x', 'another']))).toBeUndefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).not.toMatch(/sk-secret|https/);
    open(path).keep(name, undefined);
    expect(open(path).of(() => name)).toBeUndefined();
  });

  it('are forgotten long after their end, and where a clock stood wrong', () => {
    const path = place();
    open(path).keep('a', { untilMs: now + 5000, failures: 1 });
    expect(open(path, now + 10_000).of(() => 'a')).toBeDefined();
    expect(open(path, now + 4_000_000).of(() => 'a')).toBeUndefined();
    expect(open(path, now - 100_000_000).of(() => 'a')).toBeUndefined();
  });

  it.each(['', '{"rests": [1]}', '{"rests": {"a": 7}}', 'null'])('are none in a file that holds %j', (text) => {
    const path = place();
    open(path).keep('b', { untilMs: now, failures: 1 });
    writeFileSync(path, text);
    expect(open(path).of(() => 'a')).toBeUndefined();
    open(path).keep('a', { untilMs: now + 1, failures: 1 });
    expect(open(path).of(() => 'a')).toEqual({ untilMs: now + 1, failures: 1 });
  });

  it('ask for no name, which costs a hash, where nobody rests', () => {
    const unasked = () => {
      throw new Error('asked');
    };
    expect(open(place()).of(unasked)).toBeUndefined();
  });
});
