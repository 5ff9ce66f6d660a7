import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Effect, Mode } from '../../protocol/permission.ts';
import { type CallFacts, decide, grantOf } from './decide.ts';
import { parseRules, type Rule } from './rules.ts';

const none: { rules: readonly Rule[]; sessionAllows: ReadonlySet<string> } = { rules: [], sessionAllows: new Set() };
const facts = (effect: Effect): CallFacts => ({ tool: 'tool', effect, subject: 'subject' });

const matrix = {
  default: { reads: 'allow', writes: 'ask', executes: 'ask' },
  'accept-edits': { reads: 'allow', writes: 'allow', executes: 'ask' },
  plan: { reads: 'allow', writes: 'deny', executes: 'deny' },
  auto: { reads: 'allow', writes: 'ask', executes: 'ask' },
  bypass: { reads: 'allow', writes: 'allow', executes: 'allow' },
} as const;

for (const mode of Mode.options) {
  for (const effect of Effect.options) {
    test(`in mode ${mode} a call that ${effect} gets "${matrix[mode][effect]}"`, () => {
      const verdict = decide(facts(effect), { ...none, mode });
      expect(verdict.verdict).toBe(matrix[mode][effect]);
      expect(verdict.by).toBe(`mode:${mode}`);
    });
  }
}

test('plan mode says in its refusal that it is read-only and what to do instead', () => {
  const { reason } = decide(facts('writes'), { ...none, mode: 'plan' });
  expect(reason).toContain('plan mode is read-only');
  expect(reason).toContain('answer with a plan');
});

test('auto mode says that it asks because there is no sandbox', () => {
  expect(decide(facts('executes'), { ...none, mode: 'auto' }).reason).toContain('no sandbox');
});

test('a rule and a grant allow, and name themselves', () => {
  const call: CallFacts = { tool: 'bash', effect: 'executes', subject: 'npm test' };
  const parsed = parseRules(['bash(npm test *)']);
  const rules = parsed.ok ? parsed.value : [];
  expect(decide(call, { ...none, rules, mode: 'default' })).toMatchObject({
    verdict: 'allow',
    by: 'rule:bash(npm test *)',
  });
  const sessionAllows = new Set([grantOf(call)]);
  expect(decide(call, { ...none, sessionAllows, mode: 'default' })).toMatchObject({ verdict: 'allow', by: 'user' });
  expect(decide({ ...call, subject: 'npm test x' }, { ...none, sessionAllows, mode: 'default' }).verdict).toBe('ask');
});

test('neither a rule nor a grant lifts plan mode', () => {
  const call: CallFacts = { tool: 'edit', effect: 'writes', subject: 'a.ts' };
  const rules: Rule[] = [{ text: 'edit', tool: 'edit' }];
  const policies = { mode: 'plan' as const, rules, sessionAllows: new Set([grantOf(call)]) };
  expect(decide(call, policies).verdict).toBe('deny');
});

test('a grant of one call is never a grant of another', () => {
  // One letter and short words, so that a careless key would run two calls together.
  const word = fc.string({ unit: fc.constantFrom('a', '"', ','), maxLength: 3 });
  const call = fc.record({ tool: word, effect: fc.constant('writes' as const), subject: word });
  fc.assert(
    fc.property(call, call, (one, other) => {
      const isSame = one.tool === other.tool && one.subject === other.subject;
      const policies = { mode: 'default' as const, rules: [], sessionAllows: new Set([grantOf(one)]) };
      expect(decide(other, policies).verdict === 'allow').toBe(isSame);
    }),
  );
});
