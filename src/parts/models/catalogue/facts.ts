/** What is known about a model from outside: its window, prices, and what it can do. */

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** For input that the provider had in its cache. */
  readonly cached?: number;
  /** For input that the provider wrote into its cache. */
  readonly cacheWrite?: number;
}

/** A field that is not known is absent. */
export interface ModelFacts {
  /** Prompt and reply together, in tokens. */
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly price?: Price;
  /** Words for `--effort` that it understands. */
  readonly efforts?: readonly string[];
  readonly seesImages?: boolean;
  readonly callsTools?: boolean;
  readonly thinks?: boolean;
}

export type FactName = keyof ModelFacts;
