import { expect, test } from 'vitest';
import type { WireName } from '../endpoint.ts';
import type { ServerName } from '../providers.ts';
import type { ServedFacts } from './server.ts';
import { workingWindow } from './working.ts';

test.each<[string, ServedFacts | undefined, WireName, ServerName | undefined, number | undefined]>([
  ['an open window counts as it is', { contextTokens: 4096, trainedTokens: 40_960 }, 'chat', 'ollama', 4096],
  ['Ollama is told how large it shall be', { contextTokens: 4096, trainedTokens: 131_072 }, 'ollama', 'ollama', 32_768],
  ['and never more than the model was made for', { trainedTokens: 8192 }, 'ollama', 'ollama', 8192],
  [
    'a larger one that is open stays open',
    { contextTokens: 65_536, trainedTokens: 131_072 },
    'ollama',
    'ollama',
    65_536,
  ],
  ['Ollama over chat opens little for a model that is not loaded', { trainedTokens: 131_072 }, 'chat', 'ollama', 4096],
  ['others are trusted up to what is assumed anyway', { trainedTokens: 131_072 }, 'chat', 'lmstudio', 32_768],
  ['what nobody says stays unknown', { seesImages: true }, 'chat', 'vllm', undefined],
  ['no answer stays no answer', undefined, 'chat', 'vllm', undefined],
])('%s', (_says, served, wire, server, contextTokens) => {
  expect(workingWindow(served, { wire, server, wishedTokens: 32_768 })?.contextTokens).toBe(contextTokens);
});
