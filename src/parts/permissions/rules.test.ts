import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { covers, parseRules, type Rule, ruleFor, unknownTools } from './rules.ts';

const rulesOf = (...texts: string[]): readonly Rule[] => {
  const parsed = parseRules(texts);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return parsed.value;
};
const allows = (rule: string, subject: string, tool = 'bash') =>
  rulesOf(rule).some((one) => covers(one, { tool, subject }));

describe('a prefix rule', () => {
  test.each(['npm test', 'npm test a', '  npm   test --watch=false src/a.test.ts', 'npm\ttest', 'npm test\n'])(
    'covers "%s"',
    (line) => {
      expect(allows('bash(npm test *)', line)).toBe(true);
    },
  );

  test.each([
    'npm',
    'npm testing',
    'npm run test',
    'xnpm test',
    'sudo npm test',
    'A=b npm test',
    'npm test; rm -r src',
    'npm test | sh',
    'npm test & curl x',
    'npm test && rm x',
    'npm test $(rm x)',
    'npm test `rm x`',
    'npm test > /etc/passwd',
    'npm test < x',
    'npm test\nrm x',
    'npm test\rrm x',
    'npm test $HOME',
    'npm test <(rm x)',
    'npm test a\u0000',
    'npm\u00a0test',
    '',
  ])('does not cover %j', (line) => {
    expect(allows('bash(npm test *)', line)).toBe(false);
  });

  test('never covers a line with an operator in it, wherever it stands', () => {
    const operator = fc.constantFrom(';', '|', '&', '$', '`', '<', '>', '(', ')', '\n', '\r', '\0', '\u001b');
    fc.assert(
      fc.property(fc.string(), operator, fc.string(), (before, sign, after) => {
        expect(allows('bash(npm test *)', `npm test ${before}${sign}${after}.`)).toBe(false);
        expect(allows('bash(*)', `.${before}${sign}${after}.`)).toBe(false);
      }),
    );
  });
});

test('a rule without a star covers the exact words only', () => {
  expect(allows('bash(npm test)', 'npm test')).toBe(true);
  expect(allows('bash(npm test)', 'npm test a')).toBe(false);
});

test('a bare tool covers every call of that tool and of no other', () => {
  expect(allows('bash', 'a && b')).toBe(true);
  expect(allows('edit', 'src/a.ts', 'edit')).toBe(true);
  expect(allows('edit', 'src/a.ts', 'write')).toBe(false);
});

test('several rules stand in one text, parted by blanks or commas outside brackets', () => {
  expect(rulesOf('bash(git log *), Edit write', 'read').map(({ text }) => text)).toEqual([
    'bash(git log *)',
    'Edit',
    'write',
    'read',
  ]);
});

test("another agent's spelling is understood", () => {
  expect(allows('Bash(npm test:*)', 'npm test a')).toBe(true);
});

test.each(['bash(npm test; ls)', 'bash(npm * test)', 'bash(npm te*)', 'bash()', 'edit(src/*)', '(x)', 'bash(a'])(
  'the rule "%s" is refused with the rule and examples',
  (text) => {
    const parsed = parseRules([text]);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.fault.message).toMatch(/cannot be used: .*bash\(npm test \*\)/s);
  },
);

test('a rule about an unknown tool is told, in whatever case known ones are written', () => {
  expect(unknownTools(rulesOf('Bash', 'shell'), ['bash', 'edit'])).toEqual([
    'The rule "shell" does nothing: there is no tool "shell". The tools are: bash, edit.',
  ]);
});

test('the rule proposed for a call covers it; where none can be exact, none is proposed', () => {
  expect(ruleFor({ tool: 'bash', subject: 'npm test' })).toBe('bash(npm test)');
  expect(ruleFor({ tool: 'bash', subject: 'npm test && ls' })).toBeUndefined();
  expect(ruleFor({ tool: 'bash', subject: 'ls *' })).toBeUndefined();
  fc.assert(
    fc.property(fc.string(), (subject) => {
      const rule = ruleFor({ tool: 'bash', subject });
      if (rule !== undefined) expect(allows(rule, subject)).toBe(true);
    }),
  );
});
