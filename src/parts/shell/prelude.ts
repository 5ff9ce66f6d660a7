/** What bash reads before a command, so that at its end the shell tells in which directory it stands, and how its last pipeline ended. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptSync, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Environment } from './environment.ts';

const preludeIn = (directory: string): string => join(directory, 'prelude');

/** Where the shell with this process id writes both: a line of exit codes, then the directory. */
export const directoryFile = (directory: string, pid: number): string => join(directory, `cwd.${pid}`);

export const withPrelude = (env: Environment, directory: string): Environment => ({
  ...env,
  BASH_ENV: preludeIn(directory),
});

/** Writes it once for a session. What the user has put in BASH_ENV still counts, and nested shells see only that. */
export function writePrelude(directory: string, { BASH_ENV: own }: Environment): Result<void, string> {
  const theirs = own ? `export BASH_ENV=${quoted(own)}; [ -r "$BASH_ENV" ] && . "$BASH_ENV"` : 'unset BASH_ENV';
  // Braces, so that neither a trace of the shell nor a directory that is gone prints anything.
  const codes = 'builtin printf "%s " "$' + '{PIPESTATUS[@]}"; builtin echo';
  const trap = `trap '{ { ${codes}; pwd -P; } >| "${directory}/cwd."$$; } 2>/dev/null' EXIT`;
  const path = preludeIn(directory);
  const written = attemptSync(() => writeFileSync(path, `${theirs}\n${trap}\n`), messageOf);
  return written.ok ? ok(undefined) : fail(`${path} could not be written: ${written.fault}`);
}

/** What the shell told at its end. */
export interface LastWords {
  /** Absolute; empty where it was gone. */
  readonly directory: string;
  /** Exit codes of the stages of the pipeline that ran last in the shell itself. */
  readonly pipeStatus: readonly number[];
}

export function readLastWords(text: string): LastWords {
  const end = text.indexOf('\n');
  const codes = text.slice(0, end).trim().split(' ');
  return { directory: text.slice(end + 1).replace(/\n$/, ''), pipeStatus: codes.map(Number) };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
