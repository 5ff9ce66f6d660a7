/** A model as we work with it: each fact with the place it comes from. The user's config wins, then the server, then the catalogue. */

import type { FactName, ModelFacts, Price } from './facts.ts';
import type { Entry } from './find.ts';

export interface ModelCard extends ModelFacts {
  /** Always there: where nobody knows the window, a small one is assumed. */
  readonly contextTokens: number;
  /** Where each fact comes from: `config`, `server`, `catalogue (gpt-5-mini)`, `assumed`. */
  readonly sources: Readonly<Partial<Record<FactName, string>>>;
}

/** As a config gives them, where what is not set may be undefined. */
export type OwnFacts = {
  readonly [Name in FactName]?: Name extends 'price' ? OwnPrice | undefined : ModelFacts[Name] | undefined;
};
type OwnPrice = { readonly [Name in keyof Price]: Price[Name] | undefined };

export interface CardSources {
  /** `models.<provider/model>` of the config. */
  readonly own: OwnFacts | undefined;
  /** What the server says of itself. */
  readonly served: ModelFacts | undefined;
  readonly entry: Entry | undefined;
  /** The window of a model that nobody knows, in tokens. */
  readonly assumedTokens: number;
}

const names: readonly FactName[] = [
  'contextTokens',
  'maxOutputTokens',
  'price',
  'efforts',
  'seesImages',
  'callsTools',
  'thinks',
];

export function makeCard({ own, served, entry, assumedTokens }: CardSources): ModelCard {
  const layers: readonly (readonly [place: string, facts: OwnFacts])[] = [
    ['config', own ?? {}],
    ['server', served ?? {}],
    [`catalogue (${entry?.name ?? ''})`, entry?.facts ?? {}],
  ];
  const facts: Record<string, unknown> = {};
  const sources: Partial<Record<FactName, string>> = {};
  for (const name of names) {
    const layer = layers.find(([, one]) => one[name] !== undefined);
    if (!layer) continue;
    facts[name] = layer[1][name];
    sources[name] = layer[0];
  }
  const card: ModelFacts = facts; // filled from facts, by their own names
  if (card.contextTokens !== undefined) return { ...card, contextTokens: card.contextTokens, sources };
  return { ...card, contextTokens: assumedTokens, sources: { ...sources, contextTokens: 'assumed' } };
}

/** Anthropic demands a cap; elsewhere none is sent unless the user sets one. `asked` is the user's own. */
export function outputCap(card: ModelCard, wire: string, asked: number | undefined): number | undefined {
  const { maxOutputTokens } = card;
  if (asked !== undefined) return maxOutputTokens === undefined ? asked : Math.min(asked, maxOutputTokens);
  if (wire !== 'anthropic') return undefined;
  // What a reply may take must be left of the window.
  return Math.min(maxOutputTokens ?? usualCap, Math.max(1, Math.floor(card.contextTokens / 2)));
}

/** Every model that speaks the Anthropic protocol allows at least as much. */
const usualCap = 8192;
