/** Token counts of the AI SDK: flat numbers in V2, grouped ones in V3. */
import type { Usage } from '../../../protocol/model.ts';
import { countOf, loose } from '../loose.ts';

type Flat = 'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'reasoningTokens';
type Grouped = 'total' | 'cacheRead' | 'cacheWrite' | 'reasoning';

export function usageIn(usage: unknown): Usage | undefined {
  const { inputTokens: input, outputTokens: output, ...flat } = loose<Flat>(usage);
  const inputs = loose<Grouped>(input);
  const outputs = loose<Grouped>(output);
  const inputTokens = countOf(input) ?? countOf(inputs.total);
  const outputTokens = countOf(output) ?? countOf(outputs.total);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cachedTokens = countOf(flat.cachedInputTokens) ?? countOf(inputs.cacheRead);
  const cacheWriteTokens = countOf(inputs.cacheWrite);
  const reasoningTokens = countOf(flat.reasoningTokens) ?? countOf(outputs.reasoning);
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
