/** The last lines of a run in text: what was changed, what proves it, what it cost, how to go on. */
import { costWords } from './cost.ts';
import type { Verbosity } from './printer.ts';
import type { HeadlessResult } from './result.ts';
import { terminalLine, terminalText } from './terminal-text.ts';
import { duration, grouped, type Line, lineChange } from './wording.ts';

export interface SummaryOptions {
  readonly verbosity: Verbosity;
  readonly isStored: boolean;
}

export function summaryLines(result: HeadlessResult, { verbosity, isStored }: SummaryOptions): Line[] {
  const ending = endingLines(result);
  if (verbosity === 'quiet') return ending;
  const facts = [...changeLines(result), ...denialLines(result)];
  const cost: Line = ['dim', costLine(result)];
  const resume: Line[] =
    isStored && result.sessionId !== null
      ? [['dim', `Session ${result.sessionId}; to go on: ${resumeLine(result.sessionId)}`]]
      : [];
  return [...facts, ...ending, cost, ...resume];
}

const resumeLine = (sessionId: string): string => `smew run -r ${sessionId} "<what next>"`;

function changeLines({ changedFiles, verifiedBy }: HeadlessResult): Line[] {
  if (changedFiles.length === 0) return [];
  const files = changedFiles.map((file) => `${terminalLine(file.path, 200)} (${lineChange(file)})`);
  const changed: Line = ['plain', `Changed: ${files.join(', ')}`];
  if (verifiedBy.length === 0) {
    return [changed, ['warning', 'Not checked: no test, build or linter ran after the last change.']];
  }
  return [changed, ...verifiedBy.map(checkLine)];
}

function checkLine({ command, outcome, exitCode, durationMs }: HeadlessResult['verifiedBy'][number]): Line {
  const time = durationMs === null ? '' : `, ${duration(durationMs)}`;
  const words = exitCode === null ? 'no exit code' : `exit ${exitCode}`;
  const line = `${terminalLine(command, 200)} (${words}${time})`;
  switch (outcome) {
    case 'passed':
      return ['good', `Checked: ${line}`];
    case 'failed':
      return ['bad', `Check failed: ${line}`];
    case 'empty':
      return ['warning', `Check found nothing to check: ${line}`];
    case 'unknown':
      return ['warning', `Check without a known outcome: ${line}`];
    default:
      return outcome satisfies never;
  }
}

const denialLines = ({ denials }: HeadlessResult): Line[] =>
  denials.map(({ tool, subject }) => ['bad', `Denied: ${terminalLine(`${tool} ${subject}`, 200)}`]);

/** Why there is no answer; nothing where the model finished with one. */
function endingLines({ status, result, partial, stop, fault }: HeadlessResult): Line[] {
  if (status === 'finished') return result?.trim() ? [] : [['warning', 'The last reply of the model was empty.']];
  const unfinished: Line[] = partial?.trim()
    ? [
        ['dim', 'The model had said:'],
        ['plain', terminalText(partial).trim()],
      ]
    : [];
  return [...unfinished, ['bad', endingLine({ status, stop, fault })]];
}

function endingLine({ status, stop, fault }: Pick<HeadlessResult, 'status' | 'stop' | 'fault'>): string {
  const by = stop?.by ? ` (${terminalLine(stop.by, 60)})` : '';
  if (fault?.kind === 'budget') return `Stopped at a limit: ${terminalText(fault.message)}`;
  if (fault) return `${stop?.reason === 'policy' ? `Stopped${by}` : 'Failed'}: ${terminalText(fault.message)}`;
  switch (status) {
    case 'limit':
      return `Stopped at a limit: ${stop?.reason ?? 'unknown'}${by}. ${limitHelp(stop?.reason)}`;
    case 'denied':
      return 'Unfinished: the last step needed a permission, and nobody could be asked. See --permission-mode and --allowed-tools.';
    case 'interrupted':
      return 'Interrupted.';
    case 'terminated':
      return `Terminated${by}.`;
    default:
      return `Failed${stop ? `: ${stop.reason}${by}` : ': the run broke off'}.`;
  }
}

function limitHelp(reason: string | undefined): string {
  if (reason === 'step limit') return 'Go on in the same session, or allow more with --max-steps.';
  if (reason === 'time limit') return 'Go on in the same session, or allow more with --max-time.';
  return 'Go on in the same session with a more precise task.';
}

function costLine({ steps, usage, cost, durationMs }: HeadlessResult): string {
  const cached = usage.cachedTokens > 0 ? ` (${grouped(usage.cachedTokens)} cached)` : '';
  const missing = usage.unmeteredReplies > 0 ? `, ${usage.unmeteredReplies} replies without figures` : '';
  return [
    `${steps} ${steps === 1 ? 'step' : 'steps'}`,
    `${grouped(usage.inputTokens)} tokens in${cached}, ${grouped(usage.outputTokens)} out${missing}`,
    ...costPart(cost, usage.replies),
    duration(durationMs),
  ].join(' · ');
}

/** Nothing where no price is known, or where there is none to pay. */
function costPart(cost: HeadlessResult['cost'], replies: number): string[] {
  const words = cost ? costWords({ ...cost, replies }) : '';
  return words === '' || cost?.usd === 0 ? [] : [words];
}
