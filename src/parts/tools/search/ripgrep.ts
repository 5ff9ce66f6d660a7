/** Finds ripgrep and runs it: no configuration from outside, bounded in time and memory, killed on abort. */
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { attemptSync, codeOf } from '../../../base/attempt.ts';

/** The program's path, or undefined when this machine has none. */
export type FindRipgrep = () => string | undefined;

/** Looks once, at the first call: the platform package of the installation, else `rg` on the given PATH. */
export function ripgrepFinder(pathVariable: string | undefined): FindRipgrep {
  let found: { readonly path: string | undefined } | undefined;
  return () => {
    found ??= { path: installed() ?? onPath(pathVariable) };
    return found.path;
  };
}

function installed(): string | undefined {
  const require = createRequire(import.meta.url);
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const path = attemptSync(
    () => require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`),
    codeOf,
  );
  return path.ok && canRun(path.value) ? path.value : undefined;
}

function onPath(pathVariable = ''): string | undefined {
  // An empty or relative entry would run a program out of the repository.
  const directories = pathVariable.split(delimiter).filter((directory) => directory.startsWith('/'));
  return directories.map((directory) => join(directory, 'rg')).find(canRun);
}

const canRun = (path: string): boolean => attemptSync(() => accessSync(path, constants.X_OK), codeOf).ok;

export interface RipgrepRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The byte that ends a record of the output. */
  readonly separator: number;
  /** One record without its separator; over-long ones come cut. Returning false ends the run. */
  onRecord(record: Buffer, isCut: boolean): boolean;
}

export interface RipgrepEnd {
  /** `failed`: it could not be started or complained; `stderr` says why. */
  readonly end: 'done' | 'enough' | 'timeout' | 'aborted' | 'failed';
  /** The first kilobytes. */
  readonly stderr: string;
}

const stderrAtMostBytes = 8192;

export function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    if (run.signal.aborted) return resolve({ end: 'aborted', stderr: '' });
    const child = spawn(run.program, ['--no-config', ...run.args], {
      cwd: run.cwd,
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let ended: RipgrepEnd['end'] | undefined;
    let stderr = '';
    const stop = (end: RipgrepEnd['end']) => {
      ended ??= end;
      child.kill('SIGKILL');
    };
    const onAbort = () => stop('aborted');
    const timer = setTimeout(() => stop('timeout'), run.timeoutMs);
    run.signal.addEventListener('abort', onAbort, { once: true });
    const records = recordReader(run.separator, run.onRecord);
    child.stdout.on('data', (chunk: Buffer) => {
      if (ended === undefined && !records(chunk)) stop('enough');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < stderrAtMostBytes) stderr += chunk.toString('utf8');
    });
    const finish = (end: RipgrepEnd['end']) => {
      clearTimeout(timer);
      run.signal.removeEventListener('abort', onAbort);
      resolve({ end: ended ?? end, stderr });
    };
    child.on('error', (cause) => {
      stderr ||= cause.message;
      finish('failed');
    });
    // 0: matches, 1: none; 2 with output is a file that could not be read, and the rest counts.
    child.on('close', (code) => finish(code === 0 || code === 1 ? 'done' : 'failed'));
  });
}

const recordAtMostBytes = 1 << 20;

/** Splits chunks into records and never holds more than one bounded record. */
function recordReader(separator: number, onRecord: RipgrepRun['onRecord']): (chunk: Buffer) => boolean {
  let parts: Buffer[] = [];
  let held = 0;
  let isCut = false;
  const hold = (piece: Buffer) => {
    const room = recordAtMostBytes - held;
    if (piece.length > room) isCut = true;
    if (room > 0 && piece.length > 0) parts.push(piece.subarray(0, room));
    held += Math.min(piece.length, Math.max(room, 0));
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(separator); end >= 0; end = chunk.indexOf(separator, start)) {
      hold(chunk.subarray(start, end));
      const record = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
      const wantsMore = onRecord(record, isCut);
      parts = [];
      held = 0;
      isCut = false;
      start = end + 1;
      if (!wantsMore) return false;
    }
    hold(chunk.subarray(start));
    return true;
  };
}
