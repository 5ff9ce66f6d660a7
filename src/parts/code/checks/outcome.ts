/** What became of a check: from its own status, and from what it said. */
import type { Mask, Seen, Status } from '../status/outcome.ts';
import type { Recognised } from './kinds.ts';
import { type Counts, type Said, saidBy } from './words.ts';

/** `empty`: it ran and found nothing to check. */
export type Outcome = 'passed' | 'failed' | 'empty' | 'not run' | 'unknown';

export interface Verdict {
  readonly outcome: Outcome;
  /** What it rests on. */
  readonly by: 'status' | 'output' | 'nothing';
  readonly counts: Counts | undefined;
}

export interface Circumstances {
  readonly seen: Seen;
  /** No other check of the line may have said it. */
  readonly isAlone: boolean;
  /** As written. */
  readonly text: string;
}

export function verdictOf(check: Recognised, status: Status, circumstances: Circumstances): Verdict {
  const said = heard(check, circumstances);
  const { counts } = said;
  const verdict = (outcome: Outcome, by: Verdict['by']): Verdict => ({ outcome, by, counts });
  switch (status.is) {
    case 'not run':
      return { outcome: 'not run', by: 'status', counts: undefined };
    case 'failed':
      return verdict(said.verdict === 'empty' ? 'empty' : 'failed', 'status');
    case 'exit':
      return byCode(status.code, check, { said, hasTimeout: /\btimeout\b/.test(circumstances.text) });
    case 'unknown':
      if (said.verdict === 'failed') return verdict('failed', 'output');
      if (said.verdict === 'empty' && circumstances.seen.exitCode !== undefined) return verdict('empty', 'output');
      if (said.verdict === 'proven' && isWhole(status.mask) && !mayFailOtherwise.test(circumstances.text))
        return verdict('passed', 'output');
      return verdict('unknown', 'nothing');
    default:
      return status satisfies never;
  }
}

/** With these a run fails although no test did. */
const mayFailOtherwise = /--cov|coverage|--fail-under|--max-warnings|-Werror|warnings-as-errors|threshold/i;

const nothing: Said = { verdict: 'nothing', counts: undefined };

/** Of several checks only those speak for themselves whose words are their own. */
const heard = ({ family }: Recognised, { seen, isAlone }: Circumstances): Said =>
  seen.output === undefined || !isAlone ? nothing : saidBy(seen.output, family);

interface Heard {
  readonly said: Said;
  readonly hasTimeout: boolean;
}

function byCode(code: number, { family }: Recognised, { said, hasTimeout }: Heard): Verdict {
  const { verdict, counts } = said;
  const of = (outcome: Outcome, by: Verdict['by'] = 'status'): Verdict => ({ outcome, by, counts });
  if (code === 0) {
    // A script may swallow a status; a runner whose own words are known does not.
    if (family === undefined && verdict === 'failed' && (counts?.failed ?? 0) > 0) return of('failed', 'output');
    return of(verdict === 'empty' ? 'empty' : 'passed');
  }
  if ((family === 'pytest' && code === 5) || verdict === 'empty') return of('empty');
  // Not found, not executable, out of time, killed from outside: nothing was learned of the code.
  const isOutside =
    code === 126 || code === 127 || (code === 124 && hasTimeout) || code === 130 || code === 137 || code === 143;
  return isOutside && verdict !== 'failed' ? of('unknown') : of('failed');
}

/** Programs that keep the last lines as they are. */
const keepsTheEnd = /^(?:\S*\/)?(?:tail|cat|tee|head|less|more)$/;

/** Nothing between the check and its reader took single lines out. */
const isWhole = ({ kind, by }: Mask): boolean =>
  kind === 'after' ||
  kind === 'or' ||
  ((kind === 'pipe' || kind === 'cut off') && by !== undefined && keepsTheEnd.test(by));
