/** Where the next command starts: `cd` lasts, as long as it stays inside the workspace. */
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { attemptSync, codeOf } from '../../base/attempt.ts';
import { isInside } from './workspace.ts';

export interface ShellDirectory {
  /** Absolute. Falls back to the working directory when the last one is gone; `lost` names that one. */
  current(): { readonly cwd: string; readonly lost?: string };
  /** A command has ended in `directory`. Returns what the model must know of it; empty where nothing. */
  ended(directory: string | undefined, command: string): string;
}

export interface ShellDirectoryOptions {
  /** The working directory, absolute and real. */
  readonly cwd: string;
  /** Where `cd` may stay. */
  readonly roots: readonly string[];
  /** Where a resumed session's shell stood; counts only inside the roots. */
  readonly last?: string | undefined;
}

const changesDirectory = /(^|[\s;&|({])(cd|pushd|popd)\b/;

export function shellDirectory({ cwd, roots, last }: ShellDirectoryOptions): ShellDirectory {
  const isInRoots = (path: string) => roots.some((root) => isInside(root, path));
  let current = last !== undefined && isInRoots(last) ? last : cwd;
  const shown = (path: string) => (isInside(cwd, path) ? relative(cwd, path) || '.' : path);
  const standing = () => shown(isThere(current) ? current : cwd);
  const told = (command: string) => (changesDirectory.test(command) ? where(shown(current)) : '');
  return {
    current: () => {
      const lost = current;
      if (lost === cwd || isThere(lost)) return { cwd: current };
      current = cwd;
      return { cwd, lost: shown(lost) };
    },
    ended: (directory, command) => {
      if (directory === undefined) return told(command);
      if (directory === '') return gone(standing());
      const isAllowed = isInRoots(directory);
      if (!isAllowed && directory !== current)
        return `[${directory} is outside the workspace, so the next command starts in ${shown(current)} again.]`;
      const isMoved = directory !== current;
      if (isAllowed) current = directory;
      if (isMoved) return `[bash directory: ${shown(current)} from now on; the other tools still start from ${cwd}]`;
      return current === cwd ? told(command) : where(shown(current));
    },
  };
}

const gone = (shown: string): string =>
  `[The directory where the shell stood is gone; the next command starts in ${shown}.]`;

const isThere = (path: string): boolean => attemptSync(() => statSync(path), codeOf).ok;

const where = (shown: string): string => `[bash directory: ${shown}]`;
