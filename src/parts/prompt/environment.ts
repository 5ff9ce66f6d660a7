/** All that the prompt says about this machine and project, gathered once at the start of a session. */

import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { attemptSync, codeOf } from '../../base/attempt.ts';
import { type NotesPlaces, projectNotes, readNotes } from './notes.ts';
import { firstLevel, gitBranch } from './place.ts';
import type { PromptNote } from './render.ts';

export interface EnvironmentOptions extends NotesPlaces {
  /** Nothing that the folder says takes effect before it is trusted. */
  readonly isTrusted: boolean;
  /** Of all project notes together. */
  readonly maxNoteBytes: number;
}

export interface Environment {
  readonly branch: string | undefined;
  readonly tree: string;
  readonly notes: readonly PromptNote[];
  /** What was cut or left out; one line each. */
  readonly notices: readonly string[];
  /** The folder's own files that would take effect but for want of trust, by their paths in the workspace. */
  readonly ignored: readonly string[];
}

/** Reads a handful of small files; starts no process. */
export function gatherEnvironment(options: EnvironmentOptions): Environment {
  const { cwd, workspaceRoot, isTrusted, maxNoteBytes } = options;
  const { notes, notices } = readNotes(options, { maxBytes: maxNoteBytes, isTrusted });
  return {
    branch: gitBranch(workspaceRoot),
    tree: firstLevel(cwd),
    notes: notes.map(({ file, text, bytes, isCut }) => ({
      file: shownPath(file, options),
      text: isCut ? `${text}\n[cut: the file has ${bytes} bytes; read it where you need the rest]` : text,
    })),
    notices,
    ignored: isTrusted ? [] : [...projectNotes(options), ...configIn(workspaceRoot)],
  };
}

const configIn = (workspaceRoot: string): string[] => {
  const file = join('.smew', 'config.yaml');
  return attemptSync(() => statSync(join(workspaceRoot, file)), codeOf).ok ? [file] : [];
};

/** Relative to the working directory where it lies below it, else absolute: so that `read` finds it. */
function shownPath(file: string, { cwd }: EnvironmentOptions): string {
  const way = relative(cwd, file);
  return way.startsWith('..') ? file : way;
}
