/** Where a session's files are, relative to its journal. */
import { basename, dirname, join } from 'node:path';

export const journalSuffix = '.jsonl';

export interface Place {
  readonly id: string;
  readonly directory: string;
  /** Locked by whoever writes the session; empty. */
  readonly lock: string;
  /** Names the process that holds the lock, for messages only. */
  readonly owner: string;
  /** Directory for the whole output of tools, where it was too long for the model. */
  readonly spill: string;
  /** Beginning of the names of files with torn records; a number follows. */
  readonly torn: string;
}

/** `journalPath` ends in `.jsonl`. */
export function besides(journalPath: string): Place {
  const directory = dirname(journalPath);
  const id = basename(journalPath, journalSuffix);
  const stem = join(directory, id);
  return {
    id,
    directory,
    lock: `${stem}.lock`,
    owner: `${stem}.owner`,
    spill: `${stem}.spill`,
    torn: `${stem}.torn-`,
  };
}
