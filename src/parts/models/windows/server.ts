/** What can be asked of any server of one's own, whoever made it. */
import type { ModelFacts } from '../catalogue/facts.ts';
import { listOf, loose, textOf } from '../loose.ts';
import type { Ask } from './ask.ts';

export interface ServedModel {
  readonly id: string;
  /** In memory, so that it answers at once. */
  readonly isLoaded: boolean;
  /** False for what only makes vectors. */
  readonly isForChat: boolean;
}

export interface LocalServer {
  /** Its models; undefined where no server of this kind answers. */
  models(ask: Ask): Promise<readonly ServedModel[] | undefined>;
  /** The window that it has really opened for the model, and what else it tells; undefined where it does not say. */
  facts(ask: Ask, modelId: string): Promise<ServedFacts | undefined>;
}

export interface ServedFacts extends ModelFacts {
  /** The window that the model was made for, which the server need not have opened. */
  readonly trainedTokens?: number;
}

export const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

/** Names that vector models go by. */
const forVectors = /embed|rerank|bge-|minilm/i;

/** The entries of OpenAI's list of models, which everybody serves at the same place. */
export async function listed(ask: Ask): Promise<readonly unknown[] | undefined> {
  const { data } = loose<'data'>(await ask('/v1/models'));
  return Array.isArray(data) ? listOf(data) : undefined;
}

/** A model of that list that is held in memory anyway. */
export const loadedModel = (entry: unknown): ServedModel => {
  const id = textOf(loose<'id'>(entry).id);
  return { id, isLoaded: true, isForChat: isForChat(id) };
};

export const isForChat = (id: string): boolean => !forVectors.test(id);
