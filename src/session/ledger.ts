/** What the model's replies cost: a fold over `heard`, per turn and session. The provider's count where there is one. */
import { estimateTokens } from '../parts/context/estimate.ts';
import type { Heard, Recorded } from '../protocol/event.ts';
import type { Usage } from '../protocol/model.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input that the provider had in its cache; the input's price where it is not given. */
  readonly cached?: number | undefined;
  /** Input that the provider wrote into its cache; a quarter above the input's price where it is not given. */
  readonly cacheWrite?: number | undefined;
}

/** The price of `provider/model`; undefined where nobody knows it. */
export type PriceOf = (model: string) => Price | undefined;

export interface Spent {
  readonly replies: number;
  /** Cached ones included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** US dollars, as far as prices are known. */
  readonly usd: number;
  /** Replies of which the server told no usage: their tokens are our estimate. */
  readonly estimatedReplies: number;
  /** Replies of models whose price is not known: they count as nothing in `usd`. */
  readonly unpricedReplies: number;
}

/** One reply in the ledger. */
export interface Entry {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** Null where the price is not known. */
  readonly usd: number | null;
  readonly isEstimate: boolean;
}

export interface Ledger {
  readonly turn: Spent;
  readonly session: Spent;
  readonly isTurnOpen: boolean;
}

export const nothingSpent: Spent = {
  replies: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  usd: 0,
  estimatedReplies: 0,
  unpricedReplies: 0,
};

export const emptyLedger: Ledger = { turn: nothingSpent, session: nothingSpent, isTurnOpen: false };

/** A session's ledger from its journal. */
export const ledgerOf = (past: Iterable<Recorded>, priceOf: PriceOf): Ledger => {
  let ledger = emptyLedger;
  for (const recorded of past) ledger = stepLedger(ledger, recorded, priceOf);
  return ledger;
};

/** Sub-agents' replies count in the turn under which they work. */
export function stepLedger(ledger: Ledger, { agent, event }: Recorded, priceOf: PriceOf): Ledger {
  switch (event.type) {
    case 'prompted':
      return ledger.isTurnOpen || agent !== 'main' ? ledger : { ...ledger, turn: nothingSpent, isTurnOpen: true };
    case 'released':
    case 'stopped':
      return agent === 'main' ? { ...ledger, isTurnOpen: false } : ledger;
    case 'heard': {
      const entry = entryOf(event, priceOf);
      return { ...ledger, turn: addEntry(ledger.turn, entry), session: addEntry(ledger.session, entry) };
    }
    default:
      return ledger;
  }
}

export function entryOf({ model, raw, requestBytes }: Heard, priceOf: PriceOf): Entry {
  const usage: Usage = raw.usage ?? {
    inputTokens: Math.ceil(requestBytes * tokensPerByte),
    outputTokens: estimateTokens(
      `${raw.text}${raw.reasoning ?? ''}${raw.calls.map((call) => call.arguments).join('')}`,
    ),
  };
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const price = priceOf(model);
  const usd =
    price &&
    (Math.max(0, inputTokens - cachedTokens - cacheWriteTokens) * price.input +
      cachedTokens * (price.cached ?? price.input) +
      cacheWriteTokens * (price.cacheWrite ?? price.input * writingFactor) +
      outputTokens * price.output) /
      1_000_000;
  return { model, inputTokens, outputTokens, cachedTokens, usd: usd ?? null, isEstimate: raw.usage === undefined };
}

/** What Anthropic asks for input that stays in the cache for five minutes, as we have it kept. */
const writingFactor = 1.25;

/** JSON of code and prose, as set against providers' own counts. */
const tokensPerByte = 0.27;

export const addEntry = (spent: Spent, entry: Entry): Spent => ({
  replies: spent.replies + 1,
  inputTokens: spent.inputTokens + entry.inputTokens,
  outputTokens: spent.outputTokens + entry.outputTokens,
  cachedTokens: spent.cachedTokens + entry.cachedTokens,
  usd: spent.usd + (entry.usd ?? 0),
  estimatedReplies: spent.estimatedReplies + (entry.isEstimate ? 1 : 0),
  unpricedReplies: spent.unpricedReplies + (entry.usd === null ? 1 : 0),
});

/** `$1.23`, `$0.0042`: four digits below a dollar, where cents would say nothing. */
export const dollars = (usd: number): string => `$${usd.toFixed(usd !== 0 && usd < 1 ? 4 : 2)}`;
