/** Where the guard's private directory can be, and the clearing away of those that a killed Smew left there. */
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';

const prefix = 'smew-shell-';
/** Younger ones may be just being made. */
const staleAfterMs = 60_000;

/** Absolute folders in the order of preference: the system's, /tmp, and the session's own, which may not exist yet. */
export function guardPlaces(ownFolder: string | undefined): readonly string[] {
  const places = [tmpdir(), '/tmp', ...(ownFolder === undefined ? [] : [ownFolder])];
  return [...new Set(places.filter((place) => isAbsolute(place)))];
}

/** A fresh directory whose name tells which process it belongs to. Fails with the system's words. */
export const makeGuardDirectory = (place: string): Result<string, string> =>
  attemptSync(() => mkdtempSync(join(place, `${prefix}${process.pid}-${processSpace()}-`)), messageOf);

/** Removes directories whose process is gone; their guard, which does it otherwise, was killed too or never came to be. */
export function pruneGuardDirectories(place: string): void {
  const names = attemptSync(() => readdirSync(place), codeOf);
  if (!names.ok) return;
  const space = processSpace();
  for (const name of names.value) {
    const [, pid, theirSpace] = /^smew-shell-(\d+)-(\d+)-/.exec(name) ?? [];
    // Processes of another container that shares the folder cannot be seen from here.
    if (pid === undefined || theirSpace !== space || isRunning(Number(pid))) continue;
    const path = join(place, name);
    if (isOldAndOurs(path)) attemptSync(() => rmSync(path, { recursive: true, force: true }), codeOf);
  }
}

function isRunning(pid: number): boolean {
  const asked = attemptSync(() => process.kill(pid, 0), codeOf);
  return asked.ok || asked.fault !== 'ESRCH';
}

function isOldAndOurs(path: string): boolean {
  const stats = attemptSync(() => statSync(path), codeOf);
  if (!stats.ok || !stats.value.isDirectory()) return false;
  return stats.value.uid === process.getuid?.() && Date.now() - stats.value.mtimeMs > staleAfterMs;
}

/** The number of the space in which process ids count; 0 where there is only one. */
function processSpace(): string {
  const link = attemptSync(() => readlinkSync('/proc/self/ns/pid'), codeOf);
  return (link.ok && /\d+/.exec(link.value)?.[0]) || '0';
}

/** The first place in which `make` succeeds; else all that went wrong, for the model and the user. */
export async function inFirstPlace<Made>(
  places: readonly string[],
  make: (place: string) => Promise<Result<Made, string>>,
): Promise<Result<Made, string>> {
  const faults: string[] = [];
  for (const place of places) {
    const made = await make(place);
    if (made.ok) return ok(made.value);
    faults.push(made.fault);
  }
  return fail(
    `no folder for its pipes could be used (${[...new Set(faults)].join('; ')}); free some space or point TMPDIR to a folder that can be written, then try again`,
  );
}
