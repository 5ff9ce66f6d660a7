/** Token counts of Gemini. The prompt's include the cached ones; thinking is counted apart from the answer. */
import type { Usage } from '../../../protocol/model.ts';
import { countOf, loose } from '../loose.ts';

type UsageField =
  | 'promptTokenCount'
  | 'toolUsePromptTokenCount'
  | 'candidatesTokenCount'
  | 'thoughtsTokenCount'
  | 'cachedContentTokenCount'
  | 'totalTokenCount';

/** Reads `usageMetadata`; undefined where it counts nothing. Streams send it with every piece: the last one counts. */
export function usageIn(metadata: unknown): Usage | undefined {
  const counts = loose<UsageField>(metadata);
  const prompt = countOf(counts.promptTokenCount);
  const answer = countOf(counts.candidatesTokenCount);
  const reasoningTokens = countOf(counts.thoughtsTokenCount);
  const cachedTokens = countOf(counts.cachedContentTokenCount);
  if (prompt === undefined && answer === undefined) return undefined;
  return {
    inputTokens: (prompt ?? 0) + (countOf(counts.toolUsePromptTokenCount) ?? 0),
    outputTokens: (answer ?? 0) + (reasoningTokens ?? 0),
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
