/** From the text behind a flag to its value. A message says what was wanted and what came. */
import { fail, ok, type Result } from '../base/result.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Flag, FlagValue } from './flags.ts';

/** Reads `text` as the value of `flag`, which was written as `shown`. `before` is what the flag already holds. */
export function readValue(flag: Flag, shown: string, text: string): Result<FlagValue, Fault> {
  switch (flag.takes) {
    case 'nothing':
      return wrong(`${shown} takes no value, but got "${text}".`);
    case 'text':
    case 'optional':
      return text.trim() === '' ? wrong(`${shown} needs a value; it got an empty one.`) : ok(text);
    case 'texts':
      return text.trim() === '' ? wrong(`${shown} needs a value; it got an empty one.`) : ok([text]);
    case 'patterns':
      return splitPatterns(shown, text);
    case 'count':
      return readCount(shown, text);
    case 'amount':
      return readAmount(shown, text);
    case 'duration':
      return readDuration(shown, text);
    case 'choice': {
      const choice = flag.spellings?.[text] ?? text;
      if (!flag.choices.includes(choice)) return wrong(`${shown} is one of ${flag.choices.join(', ')}; got "${text}".`);
      return ok(choice as FlagValue); // a member of the list from which the type is made
    }
    default:
      return flag satisfies never;
  }
}

const wrong = (message: string): Result<never, Fault> => fail(fault('usage', message));

function readCount(shown: string, text: string): Result<number, Fault> {
  const count = Number(text);
  const isCount = /^\d+$/.test(text) && count >= 1 && Number.isSafeInteger(count);
  return isCount ? ok(count) : wrong(`${shown} is a whole number from 1; got "${text}".`);
}

function readAmount(shown: string, text: string): Result<number, Fault> {
  const amount = Number(text.replace(/^\$/, ''));
  const isAmount = /^\$?\d+(?:\.\d+)?$/.test(text) && amount > 0;
  return isAmount ? ok(amount) : wrong(`${shown} is an amount in dollars such as 0.50; got "${text}".`);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `90`, `90s`, `1.5h`, `500ms` in milliseconds. */
function readDuration(shown: string, text: string): Result<number, Fault> {
  const [, digits, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const durationMs = Math.round(Number(digits) * (unitMs[unit] ?? 1));
  // A timer holds 2^31 - 1 ms, which is 24 days.
  if (durationMs >= 1 && durationMs < 2 ** 31) return ok(durationMs);
  return wrong(`${shown} is a time such as 90s, 10m or 2h (at most 24 days); got "${text}".`);
}

/** Splits at commas that stand outside parentheses: `read,bash(git log, git diff)` holds two patterns. */
function splitPatterns(shown: string, text: string): Result<readonly string[], Fault> {
  const patterns: string[] = [];
  let depth = 0;
  let start = 0;
  for (let place = 0; place <= text.length; place++) {
    const letter = text[place];
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (depth < 0) break;
    if (letter !== undefined && (letter !== ',' || depth > 0)) continue;
    patterns.push(text.slice(start, place).trim());
    start = place + 1;
  }
  if (depth !== 0) return wrong(`${shown}: the parentheses of "${text}" do not match.`);
  const named = patterns.filter((pattern) => pattern !== '');
  return named.length > 0 ? ok(named) : wrong(`${shown} needs at least one tool; got "${text}".`);
}
