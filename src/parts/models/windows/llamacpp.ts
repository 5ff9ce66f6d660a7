/** llama.cpp's server. `/props` tells the window of one slot, which is what a request gets: the whole is cut into slots. */
import { loose, textOf } from '../loose.ts';
import type { Ask } from './ask.ts';
import { type LocalServer, listed, loadedModel, type ServedFacts, whole } from './server.ts';

export const llamacpp: LocalServer = {
  models: async (ask) => (await listed(ask))?.map(readEntry).filter(({ id }) => id !== ''),
  facts: async (ask, modelId) => (await props(ask, modelId)) ?? (await trained(ask, modelId)),
};

/** A router holds several models and says which of them are in memory. */
function readEntry(entry: unknown) {
  const { status } = loose<'status'>(entry);
  const { value } = loose<'value'>(status);
  return { ...loadedModel(entry), isLoaded: value === undefined || value === 'loaded' };
}

async function props(ask: Ask, modelId: string): Promise<ServedFacts | undefined> {
  // A router answers for the named model, and must not load one for a question; a single server ignores both.
  const answer = await ask(`/props?model=${encodeURIComponent(modelId)}&autoload=false`);
  const answered = loose<'default_generation_settings' | 'modalities' | 'chat_template_caps'>(answer);
  const contextTokens = whole(loose<'n_ctx'>(answered.default_generation_settings).n_ctx);
  if (contextTokens === undefined) return undefined;
  const { vision } = loose<'vision'>(answered.modalities);
  const { supports_tools: tools } = loose<'supports_tools'>(answered.chat_template_caps);
  return {
    contextTokens,
    ...(typeof vision === 'boolean' ? { seesImages: vision } : {}),
    ...(typeof tools === 'boolean' ? { callsTools: tools } : {}),
  };
}

/** `/props` can be switched off. The list tells only what the model was made for. */
async function trained(ask: Ask, modelId: string): Promise<ServedFacts | undefined> {
  const entries = (await listed(ask)) ?? [];
  const entry = entries.find((one) => textOf(loose<'id'>(one).id) === modelId) ?? entries[0];
  const { meta } = loose<'meta'>(entry);
  const { n_ctx, n_ctx_train } = loose<'n_ctx' | 'n_ctx_train'>(meta);
  const contextTokens = whole(n_ctx);
  const trainedTokens = whole(n_ctx_train);
  if (contextTokens === undefined && trainedTokens === undefined) return undefined;
  return {
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(trainedTokens === undefined ? {} : { trainedTokens }),
  };
}
