/**
 * Who rests, kept between runs: a key that has had enough is not asked again by the next run. One JSON file, written whole,
 * private; keys and addresses stand in it as hashes. A file that cannot be read counts as empty.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { attemptSync, messageOf } from '../../base/attempt.ts';

export interface Rest {
  /** Milliseconds since 1970. */
  readonly untilMs: number;
  /** In a row. */
  readonly failures: number;
}

export interface RestStore {
  /** `name` is only asked for where somebody rests at all. */
  of(name: () => string): Rest | undefined;
  /** Undefined forgets it. A disk that refuses costs one more refused request next time, no more. */
  keep(name: string, rest: Rest | undefined): void;
}

const dayMs = 24 * 60 * 60_000;
/** How long a count of failures outlives its rest. */
const memoryMs = 60 * 60_000;
const note = 'Models and keys that rest. Delete this file to have them asked at once.';

const File = z.object({ rests: z.record(z.string(), z.object({ untilMs: z.number(), failures: z.number() })) });
type Rests = z.infer<typeof File>['rests'];

/** `now` in milliseconds since 1970. */
export function restStore(path: string, now: () => number): RestStore {
  let first: Rests | undefined;
  return {
    of: (name) => {
      first ??= read(path, now());
      return Object.keys(first).length === 0 ? undefined : first[name()];
    },
    keep: (name, rest) => {
      // Read again: another session may have learned something meanwhile.
      const { [name]: _, ...others } = read(path, now());
      const rests = { ...others, ...(rest ? { [name]: rest } : {}) };
      attemptSync(() => write(path, `${JSON.stringify({ note, rests }, undefined, 2)}\n`), messageOf);
    },
  };
}

/** The name of one key of one model at one address: a hash, from which nobody gets the key. */
export const restName = (parts: readonly string[]): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);

/** What is long over is left out, and what a clock that stood wrong wrote. */
function read(path: string, nowMs: number): Rests {
  const text = attemptSync(
    () => JSON.parse(readFileSync(path, 'utf8')) as unknown,
    () => undefined,
  );
  const file = File.safeParse(text.ok ? text.value : undefined);
  const rests = file.success ? Object.entries(file.data.rests) : [];
  return Object.fromEntries(rests.filter(([, { untilMs }]) => untilMs > nowMs - memoryMs && untilMs <= nowMs + dayMs));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
