/** How hard Gemini shall think: levels since Gemini 3, token budgets before it; never both, which is refused. */

/** Token budgets of Gemini 2.5. Its Pro cannot do without, and begins at 128. */
const budgets: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};
const levels: Readonly<Record<string, string>> = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

/** Signed thoughts are demanded back since Gemini 3. */
export const demandsSignatures = (modelId: string): boolean => generation(modelId) >= 3;

/**
 * The `thinkingConfig` of a request; undefined where nothing need be said. Thoughts are asked for where the model
 * certainly thinks: elsewhere the question is refused.
 */
export function thinkingConfig(modelId: string, effort: string | undefined): object | undefined {
  const isPro = /\bpro\b/.test(modelId);
  const isLevelled = generation(modelId) >= 3;
  const thinksAnyway = isLevelled || (isPro && generation(modelId) >= 2.5);
  if (effort === undefined) return thinksAnyway ? { includeThoughts: true } : undefined;
  if (isLevelled) return { includeThoughts: true, thinkingLevel: levelOf(effort, isPro) };
  const budget = budgets[effort] ?? (Number(effort) >= 0 ? Number(effort) : undefined);
  if (budget === undefined) return { includeThoughts: true };
  if (budget === 0 && !isPro) return { thinkingBudget: 0 };
  return { includeThoughts: true, thinkingBudget: isPro ? Math.max(budget, 128) : budget };
}

/** The Pro models know no `minimal`. A level that is new to us goes out as it is. */
function levelOf(effort: string, isPro: boolean): string {
  const level = levels[effort] ?? effort;
  return isPro && level === 'minimal' ? 'low' : level;
}

/** 2.5 of `gemini-2.5-pro`; 0 where the name does not say. */
const generation = (modelId: string): number => Number(/gemini-(\d+(?:\.\d+)?)/.exec(modelId)?.[1] ?? 0);
