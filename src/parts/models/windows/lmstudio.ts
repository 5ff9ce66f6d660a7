/** LM Studio. Its own list tells the window of a loaded model; the one of OpenAI's form does not. */
import { listOf, loose, textOf } from '../loose.ts';
import type { Ask } from './ask.ts';
import { type LocalServer, type ServedFacts, type ServedModel, whole } from './server.ts';

interface Found extends ServedModel {
  readonly facts: ServedFacts;
}

export const lmstudio: LocalServer = {
  models: async (ask) => await found(ask),
  facts: async (ask, modelId) => (await found(ask))?.find(({ id }) => id === modelId)?.facts,
};

/** The older list first: every version since 0.3.6 has it, and newer ones keep it. */
async function found(ask: Ask): Promise<readonly Found[] | undefined> {
  const { data } = loose<'data'>(await ask('/api/v0/models'));
  if (Array.isArray(data)) return data.map(fromFirst);
  const { models } = loose<'models'>(await ask('/api/v1/models'));
  return Array.isArray(models) ? models.map(fromSecond) : undefined;
}

function fromFirst(entry: unknown): Found {
  const { id, type, state, capabilities, ...tokens } = loose<
    'id' | 'type' | 'state' | 'capabilities' | 'loaded_context_length' | 'max_context_length'
  >(entry);
  return {
    id: textOf(id),
    isLoaded: state === 'loaded',
    isForChat: type !== 'embeddings',
    facts: {
      ...windows(whole(tokens.loaded_context_length), whole(tokens.max_context_length)),
      seesImages: type === 'vlm',
      ...(Array.isArray(capabilities) ? { callsTools: capabilities.includes('tool_use') } : {}),
    },
  };
}

function fromSecond(entry: unknown): Found {
  const { key, type, loaded_instances, max_context_length, capabilities } = loose<
    'key' | 'type' | 'loaded_instances' | 'max_context_length' | 'capabilities'
  >(entry);
  const [instance] = listOf(loaded_instances);
  const { context_length } = loose<'context_length'>(loose<'config'>(instance).config);
  const { vision, trained_for_tool_use: tools } = loose<'vision' | 'trained_for_tool_use'>(capabilities);
  return {
    id: textOf(key),
    isLoaded: instance !== undefined,
    isForChat: type !== 'embedding',
    facts: {
      ...windows(whole(context_length), whole(max_context_length)),
      ...(typeof vision === 'boolean' ? { seesImages: vision } : {}),
      ...(typeof tools === 'boolean' ? { callsTools: tools } : {}),
    },
  };
}

const windows = (loaded: number | undefined, trained: number | undefined): ServedFacts => ({
  ...(loaded === undefined ? {} : { contextTokens: loaded }),
  ...(trained === undefined ? {} : { trainedTokens: trained }),
});
