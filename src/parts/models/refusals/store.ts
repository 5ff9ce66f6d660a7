/** The quirks on disk: one JSON file, written whole, private. A file that cannot be read counts as empty. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { attemptSync, messageOf } from '../../../base/attempt.ts';
import { keyOf, memoryQuirks, type QuirkStore } from './memory.ts';
import { Quirks } from './quirks.ts';

const File = z.object({ note: z.optional(z.string()), quirks: z.record(z.string(), z.unknown()) });
const note = 'What servers were found to refuse. Delete a line, or this file, to have it found out again.';

export function quirkStore(path: string): QuirkStore {
  const known = memoryQuirks();
  const seen = new Set<string>();
  return {
    of: (url, model) => {
      const key = keyOf(url, model);
      if (!seen.has(key)) {
        const parsed = Quirks.safeParse(read(path)[key] ?? {});
        known.keep(url, model, parsed.success ? parsed.data : {});
        seen.add(key);
      }
      return known.of(url, model);
    },
    keep: (url, model, quirks) => {
      known.keep(url, model, quirks);
      seen.add(keyOf(url, model));
      // Read again: another session may have learned something meanwhile.
      const all = { ...read(path), [keyOf(url, model)]: quirks };
      attemptSync(() => write(path, `${JSON.stringify({ note, quirks: all }, undefined, 2)}\n`), messageOf);
    },
  };
}

function read(path: string): Readonly<Record<string, unknown>> {
  const text = attemptSync(
    () => JSON.parse(readFileSync(path, 'utf8')) as unknown,
    () => undefined,
  );
  const file = File.safeParse(text.ok ? text.value : undefined);
  return file.success ? file.data.quirks : {};
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
