/**
 * Ollama. `/api/ps` tells the window of a model that is loaded; `/api/show` what it was made for and what its model file
 * sets. Ollama cuts a longer prompt without a word.
 */
import { isObject, listOf, loose, textOf } from '../loose.ts';
import { isForChat, type LocalServer, type ServedFacts, type ServedModel, whole } from './server.ts';

export const ollama: LocalServer = {
  models: async (ask) => {
    const [tags, running] = await Promise.all([ask('/api/tags'), ask('/api/ps')]);
    if (!Array.isArray(loose<'models'>(tags).models)) return undefined;
    const loaded = new Set(namesIn(running));
    return namesIn(tags).map((id): ServedModel => ({ id, isLoaded: loaded.has(id), isForChat: isForChat(id) }));
  },
  facts: async (ask, modelId) => {
    const [shown, running] = await Promise.all([ask('/api/show', { model: modelId }), ask('/api/ps')]);
    const entry = listOf(loose<'models'>(running).models).find((one) => isSame(nameOf(one), modelId));
    const loadedTokens = whole(loose<'context_length'>(entry).context_length);
    const facts = readShown(shown);
    if (loadedTokens === undefined) return facts;
    return { ...facts, contextTokens: loadedTokens };
  },
};

/** `qwen3` is `qwen3:latest`. */
const isSame = (one: string, other: string): boolean => withTag(one) === withTag(other);
const withTag = (name: string): string => (/:[^/]+$/.test(name) ? name : `${name}:latest`);

const nameOf = (entry: unknown): string => {
  const { model, name } = loose<'model' | 'name'>(entry);
  return textOf(model) || textOf(name);
};
const namesIn = (answer: unknown): string[] =>
  listOf(loose<'models'>(answer).models)
    .map(nameOf)
    .filter((name) => name !== '');

function readShown(answer: unknown): ServedFacts | undefined {
  if (!isObject(answer)) return undefined;
  const { model_info: info, parameters, capabilities } = loose<'model_info' | 'parameters' | 'capabilities'>(answer);
  const trained = Object.entries(isObject(info) ? info : {}).find(([name]) => name.endsWith('.context_length'));
  const trainedTokens = whole(trained?.[1]);
  const setTokens = whole(Number(/^\s*num_ctx\s+(\d+)\s*$/m.exec(textOf(parameters))?.[1] ?? 0));
  const can = listOf(capabilities);
  return {
    ...(trainedTokens === undefined ? {} : { trainedTokens }),
    ...(setTokens === undefined ? {} : { contextTokens: setTokens }),
    ...(can.length === 0 ? {} : { callsTools: can.includes('tools'), seesImages: can.includes('vision') }),
    ...(can.includes('thinking') ? { thinks: true } : {}),
  };
}
