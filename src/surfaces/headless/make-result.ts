/** From a report to the result object. */
import type { Fault } from '../../protocol/fault.ts';
import type { Ledger } from '../../session/ledger.ts';
import { changedFiles, checksAfterChange } from './changes.ts';
import { type Ending, endingOf, endingOfFault } from './exit-code.ts';
import type { Beginning } from './printer.ts';
import type { Action, Report } from './report.ts';
import type { HeadlessResult } from './result.ts';

export interface Outcome {
  /** The journal's fault, where it broke. */
  readonly broken?: Fault | undefined;
  readonly spent?: Ledger | undefined;
}

const costOf = ({ turn, session }: Ledger): HeadlessResult['cost'] => ({
  usd: turn.usd,
  estimatedReplies: turn.estimatedReplies,
  unpricedReplies: turn.unpricedReplies,
  sessionUsd: session.usd,
});

function repliesOf({ tally }: Report): HeadlessResult['replies'] {
  const { replies: accepted, ...counts } = tally.quality;
  return { accepted, ...counts };
}

/** Without an id, nothing of the session was stored. */
type Begun = Omit<Beginning, 'sessionId'> & { readonly sessionId: string | null };

export function resultOf(report: Report, beginning: Begun, { broken, spent }: Outcome = {}): HeadlessResult {
  const { ending } = report;
  const stop = ending === 'released' ? undefined : ending;
  const hasFinished = ending === 'released' && !broken;
  const { sessionId, model, cwd, notices } = beginning;
  return {
    ...frame(endingOf(report, broken), notices),
    result: hasFinished ? report.text : null,
    partial: hasFinished ? null : (stop?.partial ?? report.text) || null,
    sessionId,
    model,
    cwd,
    steps: report.steps,
    durationMs: Math.max(0, Math.round((report.lastAt ?? 0) - (report.startedAt ?? 0))),
    usage: report.usage,
    replies: repliesOf(report),
    cost: spent ? costOf(spent) : null,
    actions: [...report.actions].map(shownAction),
    changedFiles: changedFiles(report.actions),
    verifiedBy: checksAfterChange(report.actions).map(({ command, outcome, exitCode, durationMs }) => {
      return { command, outcome, exitCode, durationMs: wholeMs(durationMs) };
    }),
    denials: [...report.actions].flatMap(({ tool, subject, denial }) => (denial ? [{ tool, subject, ...denial }] : [])),
    stop: stop ? { reason: stop.reason, by: stop.by ?? null } : null,
    fault: broken ?? stop?.fault ?? null,
  };
}

/** The result of a run that could not begin. */
export const resultOfFault = (fault: Fault): HeadlessResult => ({
  ...frame(endingOfFault(fault), []),
  fault,
});

/** A result in which nothing has happened. */
const frame = ({ status, exitCode }: Ending, notices: readonly string[]): HeadlessResult => ({
  type: 'result',
  schema: 1,
  status,
  exitCode,
  result: null,
  partial: null,
  sessionId: null,
  model: null,
  cwd: null,
  steps: 0,
  durationMs: 0,
  usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0, replies: 0, unmeteredReplies: 0 },
  replies: { accepted: 0, wellFormed: 0, mended: 0, retried: 0, refused: 0 },
  cost: null,
  actions: [],
  changedFiles: [],
  verifiedBy: [],
  denials: [],
  stop: null,
  fault: null,
  notices: [...notices],
});

const shownAction = ({
  agent,
  step,
  tool,
  subject,
  outcome,
  durationMs,
}: Action): HeadlessResult['actions'][number] => ({
  agent,
  step,
  tool,
  subject,
  outcome,
  durationMs: wholeMs(durationMs),
});

/** Clocks may be set back in mid-run. */
const wholeMs = (durationMs: number | undefined): number | null =>
  durationMs === undefined ? null : Math.max(0, Math.round(durationMs));
