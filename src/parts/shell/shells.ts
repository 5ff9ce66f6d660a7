/** The shells of a session: runs commands, keeps those that go on in the background, and ends them all with the session. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../../base/abort.ts';
import { attemptSync, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Environment, findShell, quietEnvironment } from './environment.ts';
import { type Guard, startGuard } from './guard.ts';
import { type Cause, Job } from './job.ts';
import type { Shown } from './output.ts';
import { type Running, type StartOrder, startShell } from './start.ts';

export interface ShellsOptions {
  /** What commands may see. */
  readonly env: Environment;
  /** How many shells may go on in the background at once. */
  readonly backgroundAtMost?: number;
  /** A command is stopped when it has printed more. */
  readonly outputLimitBytes?: number;
}

export interface RunOrder {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** After so long it goes on in the background. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Output as it comes, decoded, with its control sequences. */
  readonly onOutput?: (text: string) => void;
  /** A file that does not exist yet; made once the output is longer than what is shown. */
  readonly spillPath: string;
  /** Text that it reads, then the end of input. */
  readonly input?: string;
  /** Goes to the background at once; its input stays open. */
  readonly isBackground?: boolean;
  /** Runs at a pseudo-terminal. */
  readonly isTerminal?: boolean;
}

export interface FollowOrder {
  readonly id: string;
  readonly signal: AbortSignal;
  /** How long to wait for its end; without it only for something new. */
  readonly waitMs?: number;
  readonly input?: string;
  readonly onOutput?: (text: string) => void;
}

/** What is known of a command now. Its output is what came since it was last told. */
export interface Report extends Shown {
  readonly id: string;
  readonly command: string;
  /** `left`: the shell has ended, a process of it goes on. */
  readonly state: 'ended' | 'running' | 'left';
  /** Undefined while it runs, and when a signal ended the shell. */
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly stoppedBy: Cause | undefined;
  /** It waits for input. */
  readonly isAsking: boolean;
  /** Processes that go on, where there are any. */
  readonly processes: readonly number[];
  /** All that it ever printed, in bytes. */
  readonly bytes: number;
  /** The file that holds the whole output. */
  readonly spillPath: string | undefined;
  /** Why there is no such file although the output is long. */
  readonly spillFault: string | undefined;
  /** Absolute; where the shell stood when it ended, if that is known. */
  readonly directory: string | undefined;
  readonly durationMs: number;
}

export interface Shells {
  /** Absolute path of the shell that runs the commands. */
  readonly shell: string;
  /** Starts what the first command would otherwise have to wait for. */
  warm(): void;
  /** Fails, with a text, only when the command cannot be started. */
  run(order: RunOrder): Promise<Result<Report, string>>;
  /** Feeds a background shell, waits, and tells what is new. */
  follow(order: FollowOrder): Promise<Result<Report, string>>;
  stop(id: string): Promise<Result<Report, string>>;
  /** Background shells that ended (`all`: or printed) since they were last told. */
  news(which: 'all' | 'ended'): readonly News[];
  /** The user wants it to outlive the session; what it prints afterwards is lost. */
  keep(id: string): Result<void, string>;
  /** Ends everything. */
  close(): Promise<void>;
}

export interface News extends Pick<Report, 'id' | 'command' | 'state' | 'exitCode' | 'signal' | 'stoppedBy'> {
  readonly newBytes: number;
  /** The last lines of what it printed. */
  readonly text: string;
}

const defaultBackgroundAtMost = 8;
const defaultOutputLimitBytes = 2 * 1024 ** 3;
/** How long a background command is watched for what goes wrong at once. */
const firstLookMs = 1000;
const waitForNewsMs = 5000;
const lookEveryMs = 100;
/** An interrupted person is answered after so long, whatever still has to be killed. */
const interruptAnswerMs = 120;

export function createShells(options: ShellsOptions): Shells {
  const env = quietEnvironment(options.env);
  const shell = findShell(env);
  const backgroundAtMost = options.backgroundAtMost ?? defaultBackgroundAtMost;
  const jobs = new Map<string, Job>();
  const kept = new Set<string>();
  const endings = new Set<Promise<void>>();
  /** Bytes that the news have spoken of. */
  const spoken = new Map<string, number>();
  let guard: Promise<Result<Guard, string>> | undefined;
  let count = 0;

  const newGuard = async () => {
    const started = await startGuard(env);
    return started.ok ? prepared(started.value, env) : started;
  };

  const guarding = async (): Promise<Result<Guard, string>> => {
    guard ??= newGuard();
    const current = await guard;
    if (current.ok && current.value.isAlive()) return current;
    guard = newGuard();
    return await guard;
  };

  const stop = (job: Job, cause: Cause): Promise<void> => {
    const ending = job.stop(cause).finally(() => endings.delete(ending));
    endings.add(ending);
    return ending;
  };

  const inBackground = () => [...jobs.values()].filter((job) => !job.isOver);
  const isFull = () => inBackground().length >= backgroundAtMost;

  const begin = async (order: RunOrder): Promise<Result<Job, string>> => {
    const guarded = await guarding();
    if (!guarded.ok) return fail(`The shell could not be started: ${guarded.fault}.`);
    const number = ++count;
    const { command, cwd } = order;
    const started = await startAs(
      order,
      { command, cwd, env: withPrelude(env, guarded.value), shell, number },
      guarded.value,
    );
    if (!started.ok) return started;
    const running = started.value;
    return ok(
      new Job({
        number,
        command,
        running,
        spillPath: order.spillPath,
        outputLimitBytes: options.outputLimitBytes ?? defaultOutputLimitBytes,
        directoryFile: join(guarded.value.directory, `cwd.${running.leader}`),
      }),
    );
  };

  const told = (job: Job): Report => {
    const report = reportOf(job);
    if (report.state === 'ended') jobs.delete(report.id);
    else {
      jobs.set(report.id, job);
      job.output.tell();
      spoken.set(report.id, job.output.bytes);
    }
    return report;
  };

  const settled = async (job: Job, why: Why): Promise<Report> => {
    job.listen(undefined);
    if (why === 'abort') await Promise.race([stop(job, 'abort'), sleep(interruptAnswerMs)]);
    else if (!job.isOver && job.stoppedBy) await job.stop(job.stoppedBy);
    else if (!job.isOver && isFull()) await stop(job, 'timeout');
    return told(job);
  };

  const find = (id: string): Result<Job, string> => {
    const job = jobs.get(id);
    if (job) return ok(job);
    const known = [...jobs.keys()].join(', ');
    return fail(`There is no shell "${id}". ${known ? `There are: ${known}.` : 'None is in the background.'}`);
  };

  return {
    shell,
    warm: () => void guarding(),
    async run(order) {
      const goesOn = order.isBackground === true || order.isTerminal === true;
      if (goesOn && isFull())
        return fail(
          `${backgroundAtMost} shells run in the background already. Stop one first: ${[...jobs.keys()].join(', ')}.`,
        );
      const begun = await begin(order);
      if (!begun.ok) return begun;
      const job = begun.value;
      job.listen(order.onOutput);
      const limitMs = order.isBackground ? Math.min(firstLookMs, order.limitMs) : order.limitMs;
      return ok(
        await settled(job, await watch(job, { signal: order.signal, limitMs, until: goesOn ? 'asks' : 'end' })),
      );
    },
    async follow({ id, signal, waitMs, input, onOutput }) {
      const found = find(id);
      if (!found.ok) return found;
      const job = found.value;
      const isOld = job.output.newBytes === 0;
      const written = input === undefined ? ok(undefined) : job.write(input);
      if (!written.ok) return written;
      job.listen(onOutput);
      const limitMs = waitMs ?? (isOld || input !== undefined ? waitForNewsMs : lookEveryMs);
      await watch(job, { signal, limitMs, until: waitMs === undefined ? 'news' : 'asks' });
      job.listen(undefined);
      return ok(told(job));
    },
    async stop(id) {
      const found = find(id);
      if (!found.ok) return found;
      await stop(found.value, 'asked');
      return ok(told(found.value));
    },
    news: (which) =>
      [...jobs.entries()].flatMap(([id, job]) => {
        const newBytes = job.output.bytes - (spoken.get(id) ?? 0);
        if (!job.isOver && (newBytes === 0 || which === 'ended')) return [];
        spoken.set(id, job.output.bytes);
        const { text, ...report } = reportOf(job);
        if (job.isOver) jobs.delete(id);
        return [{ ...report, newBytes, text: lastLines(text, job.isOver) }];
      }),
    keep(id) {
      const found = find(id);
      if (!found.ok) return found;
      kept.add(id);
      void guard?.then((current) => current.ok && current.value.keep(found.value.number));
      return ok(undefined);
    },
    async close() {
      for (const [id, job] of jobs) {
        if (kept.has(id)) job.letGo();
        else void stop(job, 'closed');
      }
      await Promise.all(endings);
      const current = await guard;
      if (current?.ok) current.value.close();
      guard = undefined;
    },
  };
}

const startAs = async (
  { isTerminal, isBackground, input }: RunOrder,
  order: Omit<StartOrder, 'input'>,
  guard: Guard,
): Promise<Result<Running, string>> => {
  if (!isTerminal) {
    const given = input === undefined ? 'none' : { text: input };
    const started = await startShell({ ...order, input: isBackground ? 'open' : given }, guard);
    if (started.ok && isBackground && input !== undefined) started.value.write(input);
    return started;
  }
  const { startAtTerminal } = await import('./terminal.ts');
  const started = await startAtTerminal({ ...order, input: 'open' }, guard);
  if (started.ok && input !== undefined) started.value.write(input);
  return started;
};

/** bash reads this before a command: at its end the shell tells where it stands. */
function prepared(guard: Guard, env: Environment): Result<Guard, string> {
  const own = env['BASH_ENV'];
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const theirs = own ? `export BASH_ENV=${quoted(own)}; [ -r "$BASH_ENV" ] && . "$BASH_ENV"` : 'unset BASH_ENV';
  // Braces, so that neither a trace of the shell nor a directory that is gone prints anything.
  const trap = `trap '{ pwd -P >| ${quoted(`${guard.directory}/cwd.`).replaceAll("'", '"')}$$; } 2>/dev/null' EXIT`;
  const written = attemptSync(() => writeFileSync(preludeOf(guard), `${theirs}\n${trap}\n`), messageOf);
  return written.ok ? ok(guard) : fail(`${preludeOf(guard)} could not be written: ${written.fault}`);
}

const preludeOf = ({ directory }: Guard): string => join(directory, 'prelude');
const withPrelude = (env: Environment, guard: Guard): Environment => ({ ...env, BASH_ENV: preludeOf(guard) });

type Why = 'end' | 'limit' | 'abort' | 'asks' | 'news';

interface Watching {
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** What ends the waiting beside end, limit and abort: a question, or a question or any output that then pauses. */
  readonly until: 'end' | 'asks' | 'news';
}

async function watch(job: Job, { signal, limitMs, until }: Watching): Promise<Why> {
  const untilMs = performance.now() + limitMs;
  const ended = job.ended.then((): Why => 'end');
  const bytes = job.output.bytes;
  for (;;) {
    const leftMs = untilMs - performance.now();
    const step = until === 'end' ? leftMs : Math.min(leftMs, lookEveryMs);
    const stop = new AbortController();
    const pause = AbortSignal.any([signal, stop.signal]);
    const first = await Promise.race([ended, sleep(step, pause).then((): Why | undefined => undefined)]);
    stop.abort();
    if (first) return first;
    if (signal.aborted) return 'abort';
    if (performance.now() >= untilMs) return 'limit';
    if (until !== 'end' && job.isAsking()) return 'asks';
    if (until === 'news' && job.output.bytes > bytes && job.silentMs > lookEveryMs * 2) return 'news';
  }
}

function reportOf(job: Job): Report {
  const isOver = job.isOver || job.stoppedBy !== undefined;
  return {
    id: String(job.number),
    command: job.command,
    state: isOver ? 'ended' : job.end ? 'left' : 'running',
    exitCode: job.end?.exitCode,
    signal: job.end?.signal,
    stoppedBy: job.stoppedBy,
    isAsking: !isOver && job.isAsking(),
    processes: isOver ? [] : job.processes(),
    ...job.output.shown(),
    bytes: job.output.bytes,
    spillPath: job.output.spillPath,
    spillFault: job.output.spillFault,
    directory: job.directory,
    durationMs: job.durationMs ?? Math.round(performance.now() - job.startedAtMs),
  };
}

/** Of an end more than of a sign of life, which comes again and again. */
const lastLines = (text: string, isOver: boolean): string =>
  text
    .trimEnd()
    .split('\n')
    .slice(isOver ? -12 : -3)
    .join('\n')
    .slice(isOver ? -1200 : -300)
    .toWellFormed();
