import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createHttp, defaultLimits } from '../http.ts';
import type { ServerName } from '../providers.ts';
import { type LocalAnswers, ollamaAnswers, tinyServer } from '../testing/local-server.ts';
import { windowMemory } from './memory.ts';
import { findLocal, servedFacts, servedModels } from './probe.ts';

const folder = mkdtempSync(join(tmpdir(), 'smew-windows-'));
const http = createHttp(defaultLimits);
let count = 0;
const freshMemory = () => windowMemory(join(folder, `${count++}`, 'windows.json'));
afterAll(() => {
  http.close();
  rmSync(folder, { recursive: true, force: true });
});

const propsOf = (n_ctx: number): LocalAnswers => ({
  'GET /props': {
    default_generation_settings: { n_ctx },
    total_slots: 4,
    modalities: { vision: true },
    chat_template_caps: { supports_tools: true },
  },
});
const lmStudio: LocalAnswers = {
  'GET /api/v0/models': {
    data: [
      { id: 'text-embedding-x', type: 'embeddings', state: 'loaded', max_context_length: 2048 },
      { id: 'cold', type: 'llm', state: 'not-loaded', max_context_length: 131_072 },
      {
        id: 'warm',
        type: 'vlm',
        state: 'loaded',
        max_context_length: 32_768,
        loaded_context_length: 12_000,
        capabilities: ['tool_use'],
      },
    ],
  },
};
const newLmStudio: LocalAnswers = {
  'GET /api/v1/models': {
    models: [
      {
        key: 'warm',
        type: 'llm',
        max_context_length: 65_536,
        loaded_instances: [{ id: 'warm', config: { context_length: 16_000 } }],
        capabilities: { vision: false, trained_for_tool_use: true },
      },
    ],
  },
};
const vllm: LocalAnswers = {
  'GET /v1/models': {
    object: 'list',
    data: [
      { id: 'base', max_model_len: 24_000 },
      { id: 'adapter', parent: 'base' },
    ],
  },
};

async function factsOf(server: ServerName | undefined, answers: LocalAnswers, modelId: string) {
  await using tiny = await tinyServer(answers);
  return await servedFacts({ server, root: tiny.root }, modelId, { http, memory: freshMemory() });
}

describe('the real window', () => {
  it.each<[string, ServerName, LocalAnswers, string, object | undefined]>([
    [
      'llama.cpp, of one slot',
      'llamacpp',
      propsOf(4096),
      'm',
      { contextTokens: 4096, seesImages: true, callsTools: true },
    ],
    [
      'llama.cpp without /props, only what it was made for',
      'llamacpp',
      { 'GET /v1/models': { data: [{ id: 'm', meta: { n_ctx_train: 32_768 } }] } },
      'm',
      { trainedTokens: 32_768 },
    ],
    [
      'Ollama, loaded',
      'ollama',
      ollamaAnswers(4096),
      'qwen3:8b',
      { contextTokens: 4096, trainedTokens: 40_960, callsTools: true, seesImages: false, thinks: true },
    ],
    [
      'Ollama, set in the model file',
      'ollama',
      ollamaAnswers(),
      'small:1b',
      { contextTokens: 8192, trainedTokens: 131_072 },
    ],
    [
      'Ollama, not loaded',
      'ollama',
      ollamaAnswers(),
      'qwen3:8b',
      { trainedTokens: 40_960, callsTools: true, seesImages: false, thinks: true },
    ],
    [
      'LM Studio, loaded',
      'lmstudio',
      lmStudio,
      'warm',
      { contextTokens: 12_000, trainedTokens: 32_768, seesImages: true, callsTools: true },
    ],
    ['LM Studio, not loaded', 'lmstudio', lmStudio, 'cold', { trainedTokens: 131_072, seesImages: false }],
    [
      'LM Studio by its newer list',
      'lmstudio',
      newLmStudio,
      'warm',
      { contextTokens: 16_000, trainedTokens: 65_536, seesImages: false, callsTools: true },
    ],
    ['vLLM', 'vllm', vllm, 'base', { contextTokens: 24_000 }],
    ['vLLM, an adapter', 'vllm', vllm, 'adapter', undefined],
    ['a server that knows none of it', 'llamacpp', {}, 'm', undefined],
    ['a server that answers rubbish', 'ollama', { 'GET /api/ps': 'no json', 'POST /api/show': '[]' }, 'm', undefined],
  ])('%s', async (_says, server, answers, modelId, facts) => {
    expect(await factsOf(server, answers, modelId)).toEqual(facts);
  });

  it('is found on this machine also where nobody says what kind of server it is', async () => {
    expect(await factsOf(undefined, propsOf(9000), 'm')).toMatchObject({ contextTokens: 9000 });
    expect(await factsOf(undefined, vllm, 'base')).toEqual({ contextTokens: 24_000 });
  });

  it('does not load a model of a llama.cpp router for a question', async () => {
    await using tiny = await tinyServer(propsOf(1));
    await servedFacts({ server: 'llamacpp', root: tiny.root }, 'a b', { http, memory: freshMemory() });
    expect(tiny.calls).toEqual(['GET /props?model=a%20b&autoload=false']);
  });

  it('sends the key where the server wants one', async () => {
    await using tiny = await tinyServer(propsOf(2048));
    const place = { server: 'llamacpp', root: tiny.root, headers: { authorization: 'Bearer k' } } as const;
    await servedFacts(place, 'm', { http, memory: freshMemory() });
    expect(tiny.keys).toEqual(['Bearer k']);
  });
});

describe('a server that is too busy to answer', () => {
  it('costs half a second at most, and what it said last time counts', async () => {
    const memory = freshMemory();
    const answers = propsOf(8192);
    await using quick = await tinyServer(answers);
    const place = { server: 'llamacpp', root: quick.root } as const;
    expect(await servedFacts(place, 'm', { http, memory })).toMatchObject({ contextTokens: 8192 });
    await quick[Symbol.asyncDispose]();
    expect(await servedFacts(place, 'm', { http, memory })).toMatchObject({ contextTokens: 8192 });

    await using slow = await tinyServer(answers, 3000);
    const startedMs = performance.now();
    expect(await servedFacts({ server: 'llamacpp', root: slow.root }, 'm', { http, memory })).toBeUndefined();
    expect(performance.now() - startedMs).toBeLessThan(6000);
  });

  it('is not remembered for another model', async () => {
    const memory = freshMemory();
    await memory.keep('http://h', 'one', { contextTokens: 1 });
    await memory.keep('http://h', 'two', { contextTokens: 2 });
    expect(await memory.recall('http://h', 'one')).toEqual({ contextTokens: 1 });
    expect(await memory.recall('http://h', 'three')).toBeUndefined();
  });
});

describe('a server on this machine', () => {
  it('is found with the model that it has in memory', async () => {
    await using first = await tinyServer(ollamaAnswers());
    await using second = await tinyServer(lmStudio);
    const found = await findLocal(
      [
        { provider: 'ollama', server: 'ollama', root: first.root },
        { provider: 'lmstudio', server: 'lmstudio', root: second.root },
      ],
      http,
    );
    expect(found).toMatchObject({ provider: 'lmstudio', model: { id: 'warm' } });
  });

  it('is found with its first model for talking where none is in memory', async () => {
    await using tiny = await tinyServer(ollamaAnswers());
    const found = await findLocal([{ provider: 'ollama', server: 'ollama', root: tiny.root }], http);
    expect(found).toMatchObject({ provider: 'ollama', model: { id: 'small:1b', isLoaded: false } });
  });

  it('is not found where nobody listens', async () => {
    const gone = await tinyServer({});
    await gone[Symbol.asyncDispose]();
    expect(await findLocal([{ provider: 'vllm', server: 'vllm', root: gone.root }], http)).toBeUndefined();
    expect(await servedModels({ server: 'vllm', root: gone.root }, http)).toBeUndefined();
  });
});

it('the memory of servers holds no password of an address', async () => {
  const file = join(folder, `${count++}`, 'windows.json');
  await windowMemory(file).keep('http://me:passw0rd@h', 'm', { contextTokens: 9000 });
  expect(readFileSync(file, 'utf8')).not.toContain('passw0rd');
  expect(await windowMemory(file).recall('http://me:passw0rd@h', 'm')).toEqual({ contextTokens: 9000 });
});
