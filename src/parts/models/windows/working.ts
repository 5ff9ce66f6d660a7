/** The window to work with, from what a server says. */
import type { WireName } from '../endpoint.ts';
import type { ServerName } from '../providers.ts';
import type { ServedFacts } from './server.ts';

/** What Ollama opens on small machines, for a model that it has not loaded yet. What is longer it cuts without a word. */
const unloadedOllama = 4096;

export interface WindowWish {
  readonly wire: WireName;
  readonly server: ServerName | undefined;
  /** As large as this, where it is ours to say. */
  readonly wishedTokens: number;
}

/**
 * A window that is open counts as it is. On Ollama's own wire we say how large it shall be: as wished, where the model
 * was made for as much, and never smaller than what is open already.
 */
export function workingWindow(served: ServedFacts | undefined, wish: WindowWish): ServedFacts | undefined {
  if (!served) return undefined;
  const { contextTokens, trainedTokens } = served;
  const wished = Math.min(wish.wishedTokens, trainedTokens ?? wish.wishedTokens);
  if (wish.wire === 'ollama') return { ...served, contextTokens: Math.max(contextTokens ?? 0, wished) };
  if (contextTokens !== undefined) return served;
  if (wish.server === 'ollama') return { ...served, contextTokens: Math.min(wished, unloadedOllama) };
  return trainedTokens === undefined ? served : { ...served, contextTokens: wished };
}
