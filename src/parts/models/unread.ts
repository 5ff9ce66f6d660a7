/** Refusals behind which the server is well: the model said something that its parser could not read. */
import { attemptSync } from '../../base/attempt.ts';
import { loose, textOf } from './loose.ts';

/** How servers word it. Data: any row that fits decides. */
const wordings: readonly RegExp[] = [
  /(?:fail\w*|error|unable|could not|cannot) (?:to )?pars\w+ (?:the )?(?:model'?s? )?(?:tool|function)[ _-]?calls?/i,
  /(?:fail\w*|error|unable|could not|cannot) (?:to )?pars\w+ (?:the )?(?:model|generated) (?:output|response|text)/i,
  /fail\w* to parse input at (?:pos|position)/i,
  /tool[ _-]?calls?\b.{0,60}(?:invalid|malformed|not valid|unparsable) ?json/i,
  /(?:invalid|malformed) (?:tool|function)[ _-]?call/i,
  /malformed_function_call|tool_use_failed|output_parse_failed|generated output that could not be parsed|failed to call a function/i,
  /unexpected tokens? remaining in message header|(?:unknown|unexpected) (?:role|channel|token)\b.{0,60}(?:header|harmony)/i,
  /(?:unknown|unexpected|invalid) (?:role|recipient)\b.{0,40}<\|/i,
  /\bharmony\b.{0,80}(?:pars|error|invalid)/i,
  /xml syntax error on line \d+|element <\w+> closed by <\/\w+>/i,
];

/** What the model said, as far as the refusal quotes it; empty where it does not; undefined where it is another refusal. */
export function unreadIn(body: string): string | undefined {
  if (!wordings.some((wording) => wording.test(body))) return undefined;
  const parsed = attemptSync(
    () => JSON.parse(body) as unknown,
    () => undefined,
  );
  const { error, ...top } = loose<'error' | 'failed_generation' | 'message'>(parsed.ok ? parsed.value : undefined);
  const inner = loose<'failed_generation' | 'message'>(error);
  const quoted = textOf(inner.failed_generation) || textOf(top.failed_generation);
  return quoted || rawIn(textOf(inner.message) || textOf(error) || textOf(top.message) || body);
}

/** `raw='...'` up to the server's own words about it. */
const rawIn = (message: string): string =>
  /\braw ?[=:] ?'([\s\S]*?)'(?=,? ?(?:err|error)\b|\s*$)/.exec(message)?.[1] ??
  /\braw ?[=:] ?"([\s\S]*?)"(?=,? ?(?:err|error)\b|\s*$)/.exec(message)?.[1] ??
  '';
