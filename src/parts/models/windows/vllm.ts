/** vLLM. Its list of models tells the window as `max_model_len`; adapters are in it beside their base. */
import { loose, textOf } from '../loose.ts';
import { type LocalServer, listed, loadedModel, whole } from './server.ts';

export const vllm: LocalServer = {
  models: async (ask) => (await listed(ask))?.map(loadedModel).filter(({ id }) => id !== ''),
  facts: async (ask, modelId) => {
    const entry = (await listed(ask))?.find((one) => textOf(loose<'id'>(one).id) === modelId);
    const contextTokens = whole(loose<'max_model_len'>(entry).max_model_len);
    return contextTokens === undefined ? undefined : { contextTokens };
  },
};
