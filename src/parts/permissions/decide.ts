/** The verdict about one call. Pure: the same facts give the same verdict; it asks nobody and remembers nothing. */
import type { Effect, Mode, Verdict } from '../../protocol/permission.ts';
import { protection } from './protected.ts';
import { covers, type Rule, type RuledCall } from './rules.ts';

export interface CallFacts extends RuledCall {
  readonly effect: Effect;
}

export interface Policies {
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  /** What a person allowed for this session, as `grantOf` names it. */
  readonly sessionAllows: ReadonlySet<string>;
}

/** One exact call: the same tool on the same subject. */
export const grantOf = ({ tool, subject }: CallFacts): string => JSON.stringify([tool, subject]);

/** The `by` of a question that no rule and no mode but bypass can spare. */
export const protectedFile = 'protected';

/** Plan mode stands above rules and grants: what a person allowed for working was not meant for planning. */
export function decide(facts: CallFacts, { mode, rules, sessionAllows }: Policies): Verdict {
  const { tool, effect } = facts;
  const by = `mode:${mode}`;
  if (mode === 'bypass') return { verdict: 'allow', by, reason: 'Bypass mode allows everything.' };
  if (effect === 'reads') return { verdict: 'allow', by, reason: 'Reading is allowed.' };
  if (mode === 'plan') return { verdict: 'deny', by, reason: planReason(tool) };
  if (sessionAllows.has(grantOf(facts))) {
    return { verdict: 'allow', by: 'user', reason: 'Allowed by the user for this session.' };
  }
  const why = effect === 'writes' ? protection(facts.subject) : undefined;
  if (why !== undefined) return { verdict: 'ask', by: protectedFile, reason: protectedReason(facts.subject, why) };
  const rule = rules.find((one) => covers(one, facts));
  if (rule) return { verdict: 'allow', by: `rule:${rule.text}`, reason: `Allowed by the rule ${rule.text}.` };
  if (mode === 'accept-edits' && effect === 'writes') {
    return { verdict: 'allow', by, reason: 'Accept-edits mode allows edits.' };
  }
  return { verdict: 'ask', by, reason: askReason(mode, effect) };
}

const planReason = (tool: string): string =>
  `${tool} was not run: plan mode is read-only. Read what you need and answer with a plan; changes come after the user ends plan mode.`;

const protectedReason = (path: string, why: string): string =>
  `${path} is protected (${why}), so a person is asked, whatever rules and accept-edits mode allow`;

function askReason(mode: Exclude<Mode, 'plan' | 'bypass'>, effect: Exclude<Effect, 'reads'>): string {
  const what = effect === 'writes' ? 'it changes files' : 'it runs a command';
  // Auto mode will run what a sandbox can hold; there is none yet, and saying so is better than a riddle.
  const auto = mode === 'auto' ? ' (auto mode asks like default mode as long as there is no sandbox)' : '';
  return `${what}, and ${mode} mode asks before that${auto}`;
}
