/** Shortening a history on request: every old tool result becomes one line, the last steps stay. */
import type { List } from '../base/list.ts';
import { maskOldest, trimNewest } from '../parts/context/mask.ts';
import { createMeasure } from '../parts/context/measure.ts';
import { type CompactionOptions, compaction } from '../parts/policies/compaction.ts';
import type { Compacted } from '../protocol/event.ts';
import type { Message } from '../protocol/message.ts';

/** Of the last steps, so many keep their results. */
const keepSteps = 2;

export interface ShortenedHistory {
  readonly event: Compacted;
  /** An estimate. */
  readonly freedTokens: number;
}

/** Undefined where nothing can be left out. */
export function shortenHistory(messages: List<Message>): ShortenedHistory | undefined {
  const measure = createMeasure();
  const tokensOf = (message: Message) => measure.message(message);
  const masked = maskOldest(messages, { tokensToFree: Number.POSITIVE_INFINITY, keepSteps, tokensOf });
  if (!masked) return undefined;
  const { cut, messages: shorter, freedTokens } = masked;
  return { event: { type: 'compacted', by: 'user', cut, messages: [...shorter] }, freedTokens };
}

/** The policy that keeps requests within the window. */
export const compactionPolicy = (windowOf: CompactionOptions['windowOf']) =>
  compaction({ windowOf, measure: createMeasure(), mask: maskOldest, trim: trimNewest });
