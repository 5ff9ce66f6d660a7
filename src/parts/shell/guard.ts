/**
 * The guard: one small sh process per session that outlives Smew. It holds a pipe from Smew and, when that closes
 * (an orderly end, a crash, kill -9), ends every process that a command of this session left behind.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { attemptSync, codeOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Environment, markName } from './environment.ts';
import { guardPlaces, inFirstPlace, makeGuardDirectory, pruneGuardDirectories } from './guard-place.ts';
import { markDescriptor } from './processes.ts';

export interface Guard {
  /** A private directory with the named pipes and small files of this session; removed at the end. */
  readonly directory: string;
  /** What every process of this session carries in its environment, before the number of the command. */
  readonly session: string;
  /** The path of a pipe that nobody uses; undefined when all are taken. */
  takePipe(): string | undefined;
  /** Gives a pipe back that nobody has open any more. */
  returnPipe(path: string): void;
  began(leader: number): void;
  /** Nothing of the process group is left, so its number may soon be another's. */
  ended(leader: number): void;
  /** The user wants this command to outlive the session. */
  keep(number: number): void;
  /** False once the guard has died, or its directory was cleared away; then another must be started. */
  isAlive(): boolean;
  close(): void;
}

const pipes = Array.from({ length: 24 }, (_, index) => String(index + 1));

/**
 * Its standard input tells it of groups (`+ 12`, `- 12`) and of what to keep (`k 3`). Whoever moved out of its group is
 * found by its environment, by the pipe that it still prints to, or by the file that it inherited open. Plain sh for Linux and macOS.
 */
const script = `
dir=$1 session=$2
trap '' HUP INT TERM
mkfifo ${pipes.map((name) => `"$dir/${name}"`).join(' ')} && echo ready || exit 1
groups=' ' kept=
while read -r what number; do
  case $what in
    +) groups="$groups$number " ;;
    -) case $groups in *" $number "*) groups="\${groups%%" $number "*} \${groups#*" $number "}" ;; esac ;;
    k) kept="$kept -e ${markName}=$session.$number." ;;
  esac
done
exec >/dev/null 2>&1
found() {
  if [ -d /proc/self ]; then
    grep -lsF "${markName}=$session." /proc/[0-9]*/environ | sed 's|/proc/||; s|/.*||'
    ls -l /proc/[0-9]*/fd/[12] /proc/[0-9]*/fd/${markDescriptor} |
      sed -n "s|.* /proc/\\([0-9]*\\)/fd/[0-9]* -> $dir/.*|\\1|p"
  else
    ps -axEww -o pid=,command= | grep -F "${markName}=$session." | grep -vF 'grep -' | awk '{ print $1 }'
  fi
}
left() {
  for pid in $(found); do
    [ -n "$kept" ] && grep -qsF $kept "/proc/$pid/environ" && continue
    echo "$pid"
  done
}
list=$(left)
for group in $groups; do kill -s TERM -- "-$group" && list="$list $group"; done
if [ -n "$list" ]; then
  kill -s TERM $list
  kill -s CONT $list
  sleep 0.4
  for group in $groups; do kill -s KILL -- "-$group"; done
  round=0
  while list=$(left); [ -n "$list" ] && [ $round -lt 40 ]; do
    kill -s KILL $list
    round=$((round + 1))
    sleep 0.05
  done
fi
rm -f "$dir"/*
rmdir "$dir"
`;

export interface GuardOptions {
  /** Where its directory can be when the system's temporary folders cannot be used. Absolute; made when needed. */
  readonly ownFolder?: string | undefined;
  /** Writes into the new directory what commands need; fails with a text. */
  readonly furnish?: (directory: string) => Result<void, string>;
}

/** Starts it and waits until its pipes are there: a few milliseconds, once per session. */
export function startGuard(
  env: Environment,
  { ownFolder, furnish }: GuardOptions = {},
): Promise<Result<Guard, string>> {
  return inFirstPlace(guardPlaces(ownFolder), async (place) => {
    if (place === ownFolder) attemptSync(() => mkdirSync(place, { recursive: true, mode: 0o700 }), codeOf);
    const guard = await guardIn(place, env);
    if (!guard.ok) return guard;
    const furnished = furnish?.(guard.value.directory) ?? ok(undefined);
    if (furnished.ok) return guard;
    guard.value.close();
    return furnished;
  });
}

async function guardIn(place: string, env: Environment): Promise<Result<Guard, string>> {
  const made = makeGuardDirectory(place);
  if (!made.ok) return made;
  const directory = made.value;
  const session = directory.slice(-6) + process.pid.toString(36);
  const { spawn } = process.getBuiltinModule('node:child_process');
  // Without the mark of a Smew around this one: its guard would end this guard before its work.
  const clean = { PATH: `${env['PATH'] ?? ''}:/usr/bin:/bin`, LC_ALL: 'C' };
  const child = spawn('/bin/sh', ['-c', script, 'smew-guard', directory, session], {
    cwd: '/',
    env: clean,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ready = isReady(child);
  // Beside the start of the guard it costs no time.
  pruneGuardDirectories(place);
  if (!(await ready)) {
    rmSync(directory, { recursive: true, force: true });
    return fail(`its guard did not start in ${place} (it needs /bin/sh, mkfifo and some space)`);
  }
  return ok(guardOf(child, directory, session));
}

function isReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', () => resolve(false));
    child.stdout?.once('data', () => resolve(true));
  });
}

function guardOf(child: ChildProcess, directory: string, session: string): Guard {
  const free = pipes.map((name) => join(directory, name));
  let isAlive = true;
  child.once('exit', () => {
    isAlive = false;
  });
  child.stdout?.destroy();
  // A dead guard shows by its exit; the write that finds it dead is no news.
  child.stdin?.on('error', () => {});
  // Nothing waits for it: Smew may end at any moment.
  child.unref();
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  const tell = (line: string) => {
    if (isAlive) child.stdin?.write(`${line}\n`);
  };
  return {
    directory,
    session,
    takePipe: () => free.pop(),
    returnPipe: (path) => void free.push(path),
    began: (leader) => tell(`+ ${leader}`),
    ended: (leader) => tell(`- ${leader}`),
    keep: (number) => tell(`k ${number}`),
    isAlive: () => isAlive && existsSync(directory),
    close: () => {
      if (isAlive) child.stdin?.end();
      else rmSync(directory, { recursive: true, force: true });
    },
  };
}
