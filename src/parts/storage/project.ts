/** To which project a session belongs: the git top level, or the folder. Found without running git. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attemptSync } from '../../base/attempt.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Fault } from '../../protocol/fault.ts';
import { makeChecksum } from './checksum.ts';
import { explain } from './faults.ts';
import { journalSuffix } from './place.ts';

export interface Project {
  /** A readable name and a checksum of `root`. */
  readonly key: string;
  /** Real path. */
  readonly root: string;
  /** Where its sessions are; made with the first. */
  readonly directory: string;
  /** Where the sessions of all projects are. */
  readonly sessionsDirectory: string;
}

/** The project around `cwd`. Fails where that does not exist. */
export function projectAt(dataDirectory: string, cwd: string): Result<Project, Fault> {
  const real = attemptSync(() => realpathSync(cwd), explain('resolve', cwd));
  if (!real.ok) return real;
  const root = topLevel(real.value);
  const key = `${slug(basename(root))}-${makeChecksum()(Buffer.from(root))}`;
  const sessionsDirectory = join(dataDirectory, 'sessions');
  return ok({ key, root, directory: join(sessionsDirectory, key), sessionsDirectory });
}

export const journalPath = ({ directory }: Project, id: string): string => join(directory, `${id}${journalSuffix}`);

/** `.git` is a directory in a repository and a file in a worktree or submodule. */
function topLevel(start: string): string {
  for (let directory = start; ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.git'))) return directory;
    if (directory === dirname(directory)) return start;
  }
}

const slugLength = 32;

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, slugLength)
    .replaceAll(/^-|-$/g, '') || 'root';
