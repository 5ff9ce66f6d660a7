/** Token counts of a response; its input includes what the cache read. */
import type { Usage } from '../../../protocol/model.ts';
import { countOf, loose } from '../loose.ts';

type Field = 'input_tokens' | 'output_tokens' | 'input_tokens_details' | 'output_tokens_details';

/** Undefined where nothing was counted. */
export function usageIn(usage: unknown): Usage | undefined {
  const counts = loose<Field>(usage);
  const inputTokens = countOf(counts.input_tokens);
  const outputTokens = countOf(counts.output_tokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cache = loose<'cached_tokens' | 'cache_write_tokens'>(counts.input_tokens_details);
  const cachedTokens = countOf(cache.cached_tokens);
  const cacheWriteTokens = countOf(cache.cache_write_tokens);
  const reasoningTokens = countOf(loose<'reasoning_tokens'>(counts.output_tokens_details).reasoning_tokens);
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
