/** What is known of a command, as facts. */
import type { Cause, Job } from './job.ts';
import type { Shown } from './output.ts';

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
  /** It can be given input. */
  readonly canBeFed: boolean;
  /** Bytes of its input that it has not read yet, beyond what a pipe holds. */
  readonly waitingBytes: number;
  /** The shells in the background, where all places were taken and what would have gone on was stopped. */
  readonly crowdedBy?: readonly string[];
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
  /** Exit codes of the pipeline that ran last in the shell itself, where that is known. */
  readonly pipeStatus: readonly number[] | undefined;
  readonly durationMs: number;
}

export interface News
  extends Pick<Report, 'id' | 'command' | 'state' | 'exitCode' | 'signal' | 'stoppedBy' | 'spillPath' | 'isBinary'> {
  readonly newBytes: number;
  /** The last lines of what it printed. */
  readonly text: string;
}

/** What became of a shell in the background. */
export type Fate = Pick<Report, 'id' | 'command' | 'exitCode' | 'signal' | 'stoppedBy'> & { readonly isOver: boolean };

export const fateOf = ({ number, command, end, stoppedBy, isOver }: Job): Fate => ({
  id: String(number),
  command,
  exitCode: end?.exitCode,
  signal: end?.signal,
  stoppedBy,
  isOver,
});

export function reportOf(job: Job): Report {
  const isOver = job.isOver || job.stoppedBy !== undefined;
  return {
    id: String(job.number),
    command: job.command,
    state: isOver ? 'ended' : job.end ? 'left' : 'running',
    exitCode: job.end?.exitCode,
    signal: job.end?.signal,
    stoppedBy: job.stoppedBy,
    isAsking: !isOver && job.isAsking(),
    canBeFed: !isOver && job.canBeFed,
    waitingBytes: job.waitingBytes,
    processes: isOver ? [] : job.processes(),
    ...job.output.shown(),
    bytes: job.output.bytes,
    spillPath: job.output.spillPath,
    spillFault: job.output.spillFault,
    directory: job.directory,
    pipeStatus: job.pipeStatus,
    durationMs: job.durationMs ?? Math.round(performance.now() - job.startedAtMs),
  };
}

/** What a background shell did since `toldBytes`, its count of bytes when it was last spoken of. */
export function newsOf(job: Job, toldBytes: number): News {
  const { text, ...report } = reportOf(job);
  return { ...report, newBytes: job.output.bytes - toldBytes, text: lastLines(text, job.isOver) };
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
