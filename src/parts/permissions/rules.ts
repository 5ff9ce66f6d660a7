/** Rules that allow calls without a question: `edit`, `bash`, `bash(npm test *)`. */
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';

/** What a rule looks at. */
export interface RuledCall {
  readonly tool: string;
  /** The whole command line, or the path. */
  readonly subject: string;
}

export interface Rule {
  /** As the user wrote it. */
  readonly text: string;
  readonly tool: string;
  /** The words that a command must begin with; absent where the rule covers every call of the tool. */
  readonly command?: { readonly words: readonly string[]; readonly isPrefix: boolean };
}

/** The tool whose subject is a command line, so that a rule can speak of its words. */
const shell = 'bash';

/** What joins, feeds or expands commands. A rule for `npm test` must not cover `npm test; rm -r src`. */
const operators = /[;|&$`<>()\p{Cc}]/u;

/** Fails on a rule that could not do what its author means. `texts` may hold several rules each. */
export function parseRules(texts: readonly string[]): Result<readonly Rule[], Fault> {
  const rules: Rule[] = [];
  for (const text of texts.flatMap(splitRules)) {
    const rule = parseRule(text);
    if (!rule.ok) return rule;
    rules.push(rule.value);
  }
  return ok(rules);
}

/** Notices for rules about tools that do not exist. */
export const unknownTools = (rules: readonly Rule[], tools: readonly string[]): string[] =>
  rules
    .filter(({ tool }) => !tools.includes(tool))
    .map(
      ({ text, tool }) =>
        `The rule "${text}" does nothing: there is no tool "${tool}". The tools are: ${tools.join(', ')}.`,
    );

/** Only what the shell takes for a blank parts words: a no-break space is a letter of the name to it. */
const trimmed = (line: string): string => line.replaceAll('\t', ' ').replace(/^[ \n]+|[ \n]+$/g, '');

/** True where the rule covers the call. */
export function covers(rule: Rule, { tool, subject }: RuledCall): boolean {
  if (rule.tool !== tool) return false;
  if (!rule.command) return true;
  const line = trimmed(subject);
  if (operators.test(line)) return false;
  const words = line.split(/ +/);
  const { words: wanted, isPrefix } = rule.command;
  if (isPrefix ? words.length < wanted.length : words.length !== wanted.length) return false;
  return wanted.every((word, index) => word === words[index]);
}

/** Why no rule but one for every command covers the call, as a clause; undefined where one could. */
export function ruleless({ tool, subject }: RuledCall): string | undefined {
  const found = tool === shell ? operators.exec(trimmed(subject))?.[0] : undefined;
  if (found === undefined) return undefined;
  const name = /\p{Cc}/u.test(found) ? 'a line break or control character' : found;
  return `it holds ${name}, and rules cover one plain command only, without ; | & $ \` < > or brackets, even in quotes`;
}

/** The rule that would have covered this very call; undefined where no rule can say it exactly. */
export function ruleFor({ tool, subject }: RuledCall): string | undefined {
  if (tool !== shell) return tool;
  const text = `${tool}(${subject.trim()})`;
  const rule = subject.length <= 120 ? parseRule(text) : undefined;
  const isExact = rule?.ok && rule.value.command?.isPrefix === false && covers(rule.value, { tool, subject });
  return isExact && !/['"\\]/.test(subject) ? text : undefined;
}

/** `edit, bash(git log *)` are two rules; a blank or a comma in brackets parts nothing. */
const splitRules = (text: string): string[] => text.match(/(?:\([^)]*\)?|[^\s,(])+/g) ?? [];

function parseRule(text: string): Result<Rule, Fault> {
  const parts = /^([\w-]+)(?:\((.*)\))?$/s.exec(text);
  const tool = parts?.[1]?.toLowerCase();
  if (!tool) return fail(wrong(text, 'it is neither a tool nor tool(words *)'));
  const pattern = parts?.[2];
  if (pattern === undefined) return ok({ text, tool });
  if (tool !== shell)
    return fail(wrong(text, `only ${shell} takes words in brackets; write "${tool}" for every call of it`));
  // `npm test:*` is how another agent writes `npm test *`.
  const words = pattern.replace(/:\*$/, ' *').trim().split(/\s+/);
  const isPrefix = words.at(-1) === '*';
  const wanted = isPrefix ? words.slice(0, -1) : words;
  if (wanted.some((word) => word === '' || word.includes('*'))) {
    return fail(wrong(text, 'a * may only stand alone, as the last word'));
  }
  if (operators.test(wanted.join(' '))) {
    return fail(wrong(text, 'a rule covers one plain command, without ; | & $ ` < > or brackets'));
  }
  return ok({ text, tool, command: { words: wanted, isPrefix } });
}

const wrong = (text: string, why: string): Fault =>
  fault('usage', `The rule "${text}" cannot be used: ${why}. Examples: edit, bash, bash(npm test *).`);
