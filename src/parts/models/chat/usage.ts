/** Token counts, wherever a server puts them. */
import type { Usage } from '../../../protocol/model.ts';
import { countOf, isObject, listOf, loose } from '../loose.ts';

type UsageField =
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'prompt_tokens_details'
  | 'completion_tokens_details'
  | 'prompt_cache_hit_tokens'
  | 'cached_tokens';

/** The usage in a chunk: at its top, in its choice, or in a vendor's corner. Undefined without one. */
export function usageIn(chunk: unknown): Usage | undefined {
  const { usage, choices, x_groq: corner } = loose<'usage' | 'choices' | 'x_groq'>(chunk);
  const [choice] = listOf(choices);
  const found = [usage, loose<'usage'>(choice).usage, loose<'usage'>(corner).usage].find(isObject);
  return found ? readUsage(found) : undefined;
}

function readUsage(usage: object): Usage | undefined {
  const counts = loose<UsageField>(usage);
  const inputTokens = countOf(counts.prompt_tokens);
  const outputTokens = countOf(counts.completion_tokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const input = loose<'cached_tokens' | 'cache_write_tokens'>(counts.prompt_tokens_details);
  const cachedTokens =
    countOf(input.cached_tokens) ?? countOf(counts.prompt_cache_hit_tokens) ?? countOf(counts.cached_tokens);
  const cacheWriteTokens = countOf(input.cache_write_tokens);
  const reasoningTokens = countOf(loose<'reasoning_tokens'>(counts.completion_tokens_details).reasoning_tokens);
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
