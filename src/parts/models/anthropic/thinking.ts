/**
 * What models of this wire are told about thinking and output, by what their names say. Claude from 4.6 on thinks
 * adaptively under an effort; from 3.7 to 4.5, and on compatible servers, thinking is a budget inside the output cap.
 */

/** The largest output that the model allows, where a server has told it. */
export interface OutputCap {
  tokens: number | undefined;
}

export interface OutputWishes {
  readonly maxOutputTokens?: number;
  readonly effort?: string;
  readonly temperature?: number;
  readonly capTokens: number | undefined;
}

/** The settings of a request that depend on the model. `max_tokens` is demanded by every server. */
export function outputSettings(modelId: string, { maxOutputTokens, effort, temperature, capTokens }: OutputWishes) {
  const version = claudeVersion(modelId);
  const max_tokens = Math.min(maxOutputTokens ?? usualCap(version), capTokens ?? Number.POSITIVE_INFINITY);
  const thinking = effort === undefined ? {} : thinkingFor(version, effort.toLowerCase(), max_tokens);
  // A temperature beside thinking is refused, and by Claude from 4.7 on in any case.
  const mayVary = !('thinking' in thinking) && !(version !== undefined && version >= 4.7);
  return { max_tokens, ...thinking, ...(temperature !== undefined && mayVary ? { temperature } : {}) };
}

/** The cap that a refusal of `sent` tokens names: `max_tokens: 64000 > 32000`, `the valid range is [1, 8192]`. */
export function capIn(refusal: string, sent: number): number | undefined {
  if (!/max_tokens/.test(refusal)) return undefined;
  const named = [...refusal.matchAll(/\b\d[\d,]{2,}\b/g)].map(([digits]) => Number(digits.replaceAll(',', '')));
  const smaller = named.filter((tokens) => tokens < sent);
  return smaller.length > 0 ? Math.max(...smaller) : undefined;
}

/** 3.7 of `claude-3-7-sonnet-...`, 4.6 of `anthropic/claude-opus-4.6`, 4 of `claude-opus-4-20250514`. */
export function claudeVersion(modelId: string): number | undefined {
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/i.exec(modelId) ?? [];
  return major === undefined ? undefined : Number(`${major}.${minor}`);
}

/** Tokens. Of older models all that they allow; of newer ones what files that are written whole, with thinking, may take. */
export function usualCap(version: number | undefined): number {
  if (version === undefined) return 32_000;
  if (version < 3.5) return 4096;
  if (version < 3.7) return 8192;
  return version < 4.6 ? 32_000 : 64_000;
}

function thinkingFor(version: number | undefined, effort: string, cap: number) {
  if (version !== undefined && version >= 4.6) return adaptive(version, effort);
  if (version !== undefined && version < 3.7) return {};
  if (effort === 'none') return version === undefined ? { thinking: { type: 'disabled' } } : {};
  // The cap holds thinking and answer, and the answer may be a whole file.
  const budget = Math.min(budgets[effort] ?? 8192, Math.floor(cap / 2));
  return budget < 1024 ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** Tokens. The least that is taken is 1,024. */
const budgets: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 4096,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 31_999,
};

/** From 5 on thinking is on unless it is refused, which several models do not allow: their least is a low effort. */
function adaptive(version: number, effort: string) {
  if (effort === 'none') return version < 5 ? {} : { output_config: { effort: 'low' } };
  const lowest = effort === 'minimal' ? 'low' : effort;
  const level = lowest === 'xhigh' && version < 4.7 ? 'high' : lowest;
  // From 4.7 on thinking comes empty unless its summary is asked for, and people see nothing for minutes.
  const display = version < 4.7 ? {} : { display: 'summarized' };
  return { thinking: { type: 'adaptive', ...display }, output_config: { effort: level } };
}
