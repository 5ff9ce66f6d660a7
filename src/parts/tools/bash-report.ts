/** What the model is told of a command: its output, then a line for everything that it must know about it. */
import { exitCodeWords, signalWords } from '../shell/endings.ts';
import type { Fate, News, Report } from '../shell/report.ts';
import { quoted } from './quoted.ts';

export interface Circumstances {
  readonly limitMs: number;
  readonly maxTimeoutMs: number;
  /** Further lines. */
  readonly remarks: readonly string[];
}

export function textOf(report: Report, circumstances: Circumstances): string {
  const lines = [stateRemark(report, circumstances), inputRemark(report), cutRemark(report), ...circumstances.remarks];
  const output = report.text.replace(/\s+$/, '');
  const nothing = report.state === 'running' && report.bytes > 0 ? '(no new output)' : '(no output)';
  return [output === '' ? nothing : output, ...lines.filter((line) => line !== '')].join('\n');
}

export function dataOf(report: Report): Record<string, unknown> {
  const { id, command, state, exitCode, signal, stoppedBy, durationMs, bytes, spillPath, directory } = report;
  return {
    command,
    durationMs,
    bytes,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(stoppedBy === undefined ? {} : { stoppedBy }),
    ...(spillPath === undefined ? {} : { spill: spillPath }),
    ...(directory === undefined ? {} : { cwd: directory }),
    ...(state === 'ended' ? {} : { shell: id, state }),
  };
}

/** A paragraph about background shells that ended or printed since they were last told; empty without any. */
export const newsText = (news: readonly News[]): string => news.map(oneNews).join('\n');

function oneNews(news: News): string {
  const { id, command, state, newBytes, text, spillPath } = news;
  const name = `Shell ${id} (${shortened(command)})`;
  const output = newBytes === 0 || text.trim() === '' ? '' : `\n${text}`;
  if (state === 'running') return `[${name} printed ${newBytes} bytes; the last:]${output}`;
  if (state === 'left') return `[A process of shell ${id} printed ${newBytes} bytes; the last:]${output}`;
  const isPart = spillPath !== undefined && newBytes > text.length + 100;
  const whole = isPart
    ? `\n${news.isBinary ? keptBinary(spillPath) : `[These are its last lines. The whole is in ${spillPath}.]`}`
    : '';
  return `[${name} has ended: ${howItEnded(news)}]${output}${whole}`;
}

const namelessSignal = 'Killed by a signal that has no name here, such as SIGRTMIN.';

/** For the user, one line. */
export const fateText = (fate: Fate): string =>
  `shell ${fate.id} (${shortened(fate.command)}) ${fate.isOver ? `ended: ${howItEnded(fate)}` : 'is stopped with the session.'}`;

function howItEnded({ exitCode, signal, stoppedBy }: Pick<News, 'exitCode' | 'signal' | 'stoppedBy'>): string {
  if (stoppedBy === 'flood') return 'stopped, it printed too much.';
  if (signal !== undefined) return `killed by ${signalWords(signal)}.`;
  return exitCode === undefined ? namelessSignal.toLowerCase() : `exit code ${exitCode}.`;
}

const shortened = (command: string): string => {
  const line = command.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

function stateRemark(report: Report, circumstances: Circumstances): string {
  if (report.stoppedBy !== undefined) return stopRemark(report, circumstances);
  if (report.state === 'running') return runningRemark(report);
  const { exitCode, signal, state } = report;
  const left = state === 'left' ? leftRemark(report) : crowdRemark(report);
  if (signal !== undefined) return `[Killed by ${signalWords(signal)}.]${left}`;
  if (exitCode === undefined) return `[${namelessSignal}]${left}`;
  if (exitCode === 0) return left;
  const words = exitCodeWords(exitCode);
  return `[Exit code ${exitCode}${words === '' ? '' : `: ${words}`}.]${left}`;
}

function runningRemark({ id, isAsking, canBeFed, durationMs }: Report): string {
  if (isAsking && !canBeFed)
    return `[It looks like a question, but its input is closed: stop shell_id "${id}" and run it again with input, or with background: true to answer it later.]`;
  if (isAsking) return `[It waits for input, as shell_id "${id}": answer with input, or stop it.]`;
  return `[Not finished after ${seconds(durationMs)} s: it goes on in the background as shell_id "${id}". You are told when it ends; wait for it with shell_id and timeout, or stop it.]`;
}

const leftRemark = ({ id, processes }: Report): string =>
  `[Still running in background, pid ${processes.slice(0, 5).join(', ') || 'unknown'}, as shell_id "${id}". It ends with the session.]`;

/** What it had left is gone, and must not be taken for running. */
const crowdRemark = ({ crowdedBy }: Report): string =>
  crowdedBy === undefined
    ? ''
    : `[What it left in the background was stopped: ${crowdedBy.length} shells run there already, which is the most (shell_id ${crowdedBy.join(', ')}). Stop one, then run this again.]`;

const inputRemark = ({ waitingBytes }: Report): string =>
  waitingBytes === 0 ? '' : `[${waitingBytes} bytes of the input wait until it reads them.]`;

function stopRemark(
  { stoppedBy, bytes, durationMs, crowdedBy }: Report,
  { limitMs, maxTimeoutMs }: Circumstances,
): string {
  switch (stoppedBy) {
    case 'timeout': {
      const longer = limitMs < maxTimeoutMs ? `give a longer timeout (at most ${maxTimeoutMs / 1000} s), or ` : '';
      return `[Time-out: stopped after ${seconds(durationMs)} s, not finished, because too many shells are in the background (shell_id ${crowdedBy?.join(', ')}). Stop one of those, ${longer}run a smaller part.]`;
    }
    case 'abort':
      return '[Interrupted before it finished. All of its processes were stopped.]';
    case 'flood':
      return `[Stopped: it had printed ${bytes} bytes. Print less: filter, or write to a file.]`;
    case 'asked':
    case 'closed':
    case undefined:
      return '[Stopped.]';
    default:
      return stoppedBy satisfies never;
  }
}

const seconds = (ms: number): number => (ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000));

/** `read` would refuse it. */
function keptBinary(path: string): string {
  const file = quoted(path);
  return `[It is kept in ${path}. Look at it in bash: file ${file}, or xxd ${file} | head]`;
}

function cutRemark({ isCut, isBinary, bytes, spillPath, spillFault }: Report): string {
  if (!isCut) return '';
  if (isBinary) return spillPath === undefined ? `[It could not be kept (${spillFault}).]` : keptBinary(spillPath);
  if (spillPath === undefined)
    return `[Output cut: ${bytes} bytes in all; the whole could not be kept (${spillFault}).]`;
  return `[Output cut: ${bytes} bytes in all. The whole is in ${spillPath}: page it with read and offset, or grep in it.]`;
}
