/** The loop's permission gate: decides, asks a person where it must, remembers what was allowed for the session. */
import type { Permit, PermitIo } from '../../loop/ports.ts';
import type { Question } from '../../protocol/live.ts';
import type { Answer, Decision, Mode, Verdict } from '../../protocol/permission.ts';
import { type CallFacts, decide, grantOf, protectedFile } from './decide.ts';
import { type Rule, ruleFor, ruleless } from './rules.ts';

export interface PermitOptions {
  /** Read for every call, since a person may change it in the middle of a turn. */
  readonly mode: () => Mode;
  readonly rules: readonly Rule[];
  /** Absent where nobody can be asked: every question is then a denial. */
  readonly ask?: ((question: Question, signal: AbortSignal) => Promise<Answer>) | undefined;
}

export function permit({ mode, rules, ask }: PermitOptions): Permit {
  const sessionAllows = new Set<string>();
  return async (call, { effect, subject }, io) => {
    const facts: CallFacts = { tool: call.name, effect, subject };
    const verdict = decide(facts, { mode: mode(), rules, sessionAllows });
    if (verdict.verdict === 'allow') return { decision: 'allow', by: verdict.by };
    if (verdict.verdict === 'deny') return { decision: 'deny', by: verdict.by, reason: verdict.reason };
    if (!ask) return { decision: 'deny', by: 'nobody', reason: nobodyReason(facts, verdict) };
    const question = { callId: call.id, tool: call.name, subject, reason: verdict.reason };
    const answer = await putQuestion(question, ask, io);
    if (answer?.answer === 'session') sessionAllows.add(grantOf(facts));
    return decisionOf(answer, facts);
  };
}

/** Undefined when the turn was called off before the answer came. */
async function putQuestion(
  question: Question,
  ask: NonNullable<PermitOptions['ask']>,
  io: PermitIo,
): Promise<Answer | undefined> {
  if (io.signal.aborted) return undefined;
  io.emit({ type: 'question.asked', question });
  const answer = await io.waiting(() => answeredOrAborted(ask(question, io.signal), io.signal));
  io.emit({ type: 'question.closed', callId: question.callId });
  return answer;
}

/** A surface that does not listen to the signal must not hold up an interrupt. */
function answeredOrAborted(asking: Promise<Answer>, signal: AbortSignal): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    asking.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function decisionOf(answer: Answer | undefined, facts: CallFacts): Decision {
  if (!answer) {
    return {
      decision: 'deny',
      by: 'nobody',
      reason: `${facts.tool} was not run: the turn ended before the user answered.`,
    };
  }
  if (answer.answer !== 'no') return { decision: 'allow', by: 'user' };
  const said = answer.reason?.trim();
  const next = said
    ? `and gave the reason: ${said}`
    : 'without a reason. Do not try the same by another way; go on with what is left, or ask what is wanted instead.';
  return { decision: 'deny', by: 'user', reason: `${facts.tool} was not run: the user said no ${next}` };
}

/** Two readers: the model, which must find another way, and the user, who can change the next run. */
const nobodyReason = (facts: CallFacts, verdict: Verdict): string =>
  `${facts.tool} was not run: ${verdict.reason}, and in this run nobody can answer. ` +
  `Do what can be done without it, and name it in your summary as not done. ${remedyFor(facts, verdict)}`;

function remedyFor(facts: CallFacts, { by }: Verdict): string {
  if (by === protectedFile) {
    return 'Do not change the file by another way. The user can make the change, or allow everything in the next run with --permission-mode bypass.';
  }
  if (facts.effect === 'writes') return 'The user can allow it in the next run with --permission-mode accept-edits.';
  const why = ruleless(facts);
  if (why !== undefined) {
    return `No rule can allow this line: ${why}. Run its simple commands in calls of their own, so that the user's rules can cover them. The user can add a rule for each, such as bash(npm test *), or allow everything in the next run with --permission-mode bypass.`;
  }
  const rule = ruleFor(facts);
  return rule === undefined
    ? 'The user can allow it in the next run with a rule for its first words, such as --allowed-tools "bash(npm test *)", or everything with --permission-mode bypass.'
    : `The user can allow it in the next run with --allowed-tools "${rule}".`;
}
