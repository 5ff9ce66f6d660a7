/** Finds and ends the processes of a command, also those that left its process group. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { sleep } from '../../base/abort.ts';
import { attemptSync, codeOf } from '../../base/attempt.ts';
import { markName } from './environment.ts';

/** How the processes of one command are known. */
export interface Belonging {
  /** The shell's process id, which is also that of its group and session; `noLeader` once nobody is left in those. */
  readonly leader: number;
  /** The value of the mark in the environment. */
  readonly mark: string;
  /** Path of the pipe that the command prints to; undefined at a terminal. */
  readonly pipe: string | undefined;
  /** Path of a file that its processes inherit open; undefined at a terminal. */
  readonly markFile: string | undefined;
}

/**
 * Servers that rename themselves (PostgreSQL, Redis, nginx) write over their environment, but keep what they inherited
 * open. A number that the runtime itself has in use: libuv would write over its own pipe if that had this one.
 */
export const markDescriptor = 19;

/** No process has this number, and no signal goes to it. */
export const noLeader = -1;

const pollMs = 20;
/** Whoever forks faster than it is killed is hunted no longer than this; the guard goes on. */
const huntMs = 2000;

const read = (path: string): Buffer | undefined => {
  const bytes = attemptSync(() => readFileSync(path), codeOf);
  return bytes.ok ? bytes.value : undefined;
};

const linkOf = (path: string): string | undefined => {
  const target = attemptSync(() => readlinkSync(path), codeOf);
  return target.ok ? target.value : undefined;
};

/** Sends a signal to a process, or with a negative number to a group; 0 only asks. False when there is none. */
export const send = (pid: number, signal: NodeJS.Signals | 0): boolean =>
  Math.abs(pid) > 1 && attemptSync(() => process.kill(pid, signal), codeOf).ok;

/** State letter, group and session of a process, from the line of /proc, whose second field may hold anything. */
function statOf(pid: number): { state: string; group: number; session: number } | undefined {
  const line = read(`/proc/${pid}/stat`)?.toString('latin1');
  const [state = '', , group, session] = line?.slice(line.lastIndexOf(')') + 2).split(' ') ?? [];
  return state === '' ? undefined : { state, group: Number(group), session: Number(session) };
}

function isAlive(pid: number): boolean {
  if (!send(pid, 0)) return false;
  const stat = statOf(pid);
  return stat ? !isGone(stat.state) : linkOf('/proc/self') === undefined;
}

/** A zombie, or on its way out. */
const isGone = (state: string): boolean => state === 'Z' || state === 'X';

/** All living processes; empty where the system has no /proc. */
function processIds(): number[] {
  const names = attemptSync(() => readdirSync('/proc'), codeOf);
  return names.ok ? names.value.map(Number).filter((pid) => pid > 1 && pid !== process.pid) : [];
}

/** Ids of everything alive that belongs to the command. Zombies are not alive. A few milliseconds. */
export function belongings({ leader, mark, pipe, markFile }: Belonging): number[] {
  const entry = Buffer.from(`${markName}=${mark}\0`);
  return processIds().filter((pid) => {
    const stat = statOf(pid);
    // Threads of the kernel belong to no session.
    if (!stat || stat.session === 0 || isGone(stat.state)) return false;
    if (stat.group === leader || stat.session === leader || read(`/proc/${pid}/environ`)?.includes(entry)) return true;
    if (markFile !== undefined && linkOf(`/proc/${pid}/fd/${markDescriptor}`) === markFile) return true;
    return pipe !== undefined && [1, 2].some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === pipe);
  });
}

/** True while the group has a member that is more than a zombie. Cheap when it has none. */
export function hasGroup(leader: number): boolean {
  if (!send(-leader, 0)) return false;
  const pids = processIds();
  // Without /proc the answer of the system must do.
  if (pids.length === 0) return true;
  return pids.some((pid) => {
    const stat = statOf(pid);
    return stat?.group === leader && !isGone(stat.state);
  });
}

/** Asks everything of the command to end, and after `graceMs` makes it. Resolves when nothing is left. */
export async function endAll(belonging: Belonging, graceMs: number): Promise<void> {
  const { leader } = belonging;
  send(-leader, 'SIGTERM');
  const strays = belongings(belonging);
  for (const pid of strays) if (pid !== leader) send(pid, 'SIGTERM');
  // A stopped process hears nothing else.
  send(-leader, 'SIGCONT');
  const until = performance.now() + graceMs;
  while (performance.now() < until && [leader, ...strays].some(isAlive)) await sleep(pollMs);
  const hunted = performance.now() + huntMs;
  send(-leader, 'SIGKILL');
  for (let left = belongings(belonging); left.length > 0; left = belongings(belonging)) {
    send(-leader, 'SIGKILL');
    for (const pid of left) send(pid, 'SIGKILL');
    if (performance.now() > hunted) return;
    await sleep(pollMs);
  }
}

const readCall = process.arch === 'x64' ? '0' : '63';

/** True when a process of the command sits in a read of `input` (a pipe's path, or undefined for its terminal). */
export function isReading(belonging: Belonging, input: string | undefined): boolean {
  return belongings(belonging).some((pid) => {
    const [call, descriptor = ''] = read(`/proc/${pid}/syscall`)?.toString('latin1').split(' ') ?? [];
    if (call !== readCall) return false;
    const target = linkOf(`/proc/${pid}/fd/${Number(descriptor)}`);
    return input === undefined ? target?.startsWith('/dev/pts/') === true : target === input;
  });
}
