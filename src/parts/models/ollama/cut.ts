/** Finds out that a server read less of the prompt than it was sent. */

export interface Reading {
  /** What was sent. */
  readonly characters: number;
  /** What the server says it read. */
  readonly tokens: number;
}

/** No text that agents send has more characters a token than this. */
const mostPerToken = 8;
/** How far the text of one session may differ from what of it was seen before. */
const drift = 1.5;

export interface PromptGauge {
  /** How many tokens the prompt must have been at the least; undefined where the server seems to have read it all. */
  missing(reading: Reading): number | undefined;
}

/**
 * Learns from each prompt that was read whole how many characters a token has here. A count of zero says nothing: old
 * servers leave it out for a prompt in their cache. `contextTokens` is the window that was asked for.
 */
export function promptGauge(contextTokens: number | undefined): PromptGauge {
  let seen = 0;
  return {
    missing: ({ characters, tokens }) => {
      if (tokens === 0) return undefined;
      const perToken = seen === 0 ? mostPerToken : Math.min(mostPerToken, seen * drift);
      const least = Math.floor(characters / perToken);
      const isFull = contextTokens !== undefined && tokens >= contextTokens;
      if (tokens < least || isFull) return Math.max(least, tokens);
      seen = Math.max(seen, characters / tokens);
      return undefined;
    },
  };
}
