/** Finds ripgrep and runs it: no configuration from outside, bounded in time and memory, killed on abort. */
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join, resolve as resolvePath } from 'node:path';
import { attemptSync, codeOf } from '../../../base/attempt.ts';
import { type OnRecord, recordReader } from './records.ts';
import { createUnread, type Unread } from './unread.ts';

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
  /** Returning false ends the run. */
  readonly onRecord: OnRecord;
}

export interface RipgrepEnd {
  /** `failed`: it could not be started or complained; `stderr` says why. */
  readonly end: 'done' | 'enough' | 'timeout' | 'aborted' | 'failed';
  /** The first kilobytes, without what is in `unread`. */
  readonly stderr: string;
  readonly unread: Unread;
}

const stderrAtMostBytes = 8192;

export function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    const complaints = complaintReader(run.cwd);
    if (run.signal.aborted) return resolve({ end: 'aborted', ...complaints.end() });
    const child = spawn(run.program, ['--no-config', ...run.args], {
      cwd: run.cwd,
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let ended: RipgrepEnd['end'] | undefined;
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
    child.stderr.setEncoding('utf8').on('data', complaints.add);
    const finish = (end: RipgrepEnd['end']) => {
      clearTimeout(timer);
      run.signal.removeEventListener('abort', onAbort);
      resolve({ end: ended ?? end, ...complaints.end() });
    };
    child.on('error', (cause) => {
      complaints.add(cause.message);
      finish('failed');
    });
    // 0: matches, 1: none; 2 with output is a file that could not be read, and the rest counts.
    child.on('close', (code) => finish(code === 0 || code === 1 ? 'done' : 'failed'));
  });
}

/** Sorts complaints about single files from those about the run. */
function complaintReader(cwd: string) {
  const unread = createUnread();
  let stderr = '';
  let rest = '';
  const take = (line: string) => {
    const [, path, code] = /^rg: (.+): .+ \(os error (\d+)\)$/.exec(line) ?? [];
    if (path === undefined) stderr += stderr.length < stderrAtMostBytes ? `${line}\n` : '';
    else unread.add(resolvePath(cwd, path), code === '2' ? 'ENOENT' : undefined);
  };
  return {
    add: (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop()?.slice(0, stderrAtMostBytes) ?? '';
      lines.forEach(take);
    },
    end: () => {
      if (rest !== '') take(rest);
      rest = '';
      return { stderr, unread: unread.seen() };
    },
  };
}
