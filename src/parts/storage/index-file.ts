/**
 * The summaries of a project's sessions in one file, so that listing reads only what has grown. Deleting it costs one slow
 * listing: everything in it can be gathered again from the journals.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { attemptSync, messageOf } from '../../base/attempt.ts';
import { Summary } from './summary.ts';

const Entry = z.object({ bytes: z.number(), changedMs: z.number(), summary: Summary });
export type Entry = z.infer<typeof Entry>;

const IndexFile = z.object({ version: z.literal(2), entries: z.record(z.string(), Entry) });

const pathIn = (directory: string) => join(directory, 'index.json');

/** Entries by session id; empty where there is no index or it is not whole. */
export function readIndex(directory: string): Map<string, Entry> {
  const read = attemptSync(() => IndexFile.parse(JSON.parse(readFileSync(pathIn(directory), 'utf8'))), messageOf);
  return new Map(read.ok ? Object.entries(read.value.entries) : []);
}

/** Replaces the index in one step. A failure is no matter: the next listing gathers again. */
export function writeIndex(directory: string, entries: ReadonlyMap<string, Entry>): void {
  const draft = join(directory, `index.json.${process.pid}`);
  const text = JSON.stringify({ version: 2, entries: Object.fromEntries(entries) } satisfies z.infer<typeof IndexFile>);
  const written = attemptSync(() => {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, pathIn(directory));
  }, messageOf);
  if (!written.ok) attemptSync(() => rmSync(draft, { force: true }), messageOf);
}
