/** Readies the end of a journal for the next record, so that nothing is ever glued to a torn one. */
import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import type { Tail } from './load.ts';
import { besides } from './place.ts';

export interface RepairedTail {
  /** Length of the file afterwards. */
  readonly bytes: number;
  /** The next record must be preceded by a newline. */
  readonly needsNewline: boolean;
  readonly tornFile?: string;
}

/**
 * Moves a torn record to a side file and cuts it off. Where that is impossible (a full disk, say) it stays, and a newline
 * will part it from the next record. Never fails.
 */
export function repairTail(file: number, path: string, tail: Tail): RepairedTail {
  const { goodBytes, needsNewline, torn, nulBytes } = tail;
  const asItIs = { bytes: goodBytes + torn.length + nulBytes, needsNewline: true };
  if (torn.length + nulBytes === 0) return { bytes: goodBytes, needsNewline };
  const tornFile = torn.length > 0 ? setAside(torn, besides(path).torn) : undefined;
  if (torn.length > 0 && tornFile === undefined) return asItIs;
  const cut = attemptSync(() => ftruncateSync(file, goodBytes), messageOf);
  const kept = tornFile === undefined ? {} : { tornFile };
  return cut.ok ? { bytes: goodBytes, needsNewline, ...kept } : { ...asItIs, ...kept };
}

/** Writes the bytes to the first free `stem` + number. Returns its path once it is on the disk. */
function setAside(bytes: Buffer, stem: string): string | undefined {
  for (let number = 1; ; number++) {
    const path = `${stem}${number}`;
    const opened = attemptSync(() => openSync(path, 'wx', 0o600), codeOf);
    if (!opened.ok && opened.fault === 'EEXIST') continue;
    if (!opened.ok) return undefined;
    const written = attemptSync(() => {
      writeFileSync(opened.value, bytes);
      fsyncSync(opened.value);
    }, messageOf);
    closeSync(opened.value);
    if (written.ok) return path;
    attemptSync(() => rmSync(path), messageOf);
    return undefined;
  }
}
