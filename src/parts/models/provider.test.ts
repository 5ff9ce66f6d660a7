import { describe, expect, it } from 'vitest';
import { wireUrl } from './address.ts';
import { requestUrl, shownUrl } from './baseUrl.ts';
import { keyHeaders, withKey } from './credentials.ts';
import { type ProviderConfig, resolveModel } from './provider.ts';

const resolve = (
  spec: string | undefined,
  { env = {}, config = {} }: { env?: Record<string, string>; config?: Record<string, ProviderConfig> } = {},
) => resolveModel(spec, { env, config });
const messageOf = (answer: ReturnType<typeof resolve>) => (answer.ok ? 'no fault' : answer.fault.message);

describe('a model by name', () => {
  it('is found with its key in the usual variable', () => {
    expect(resolve('openai/gpt-x', { env: { OPENAI_API_KEY: ' sk-1 ' } })).toMatchObject({
      ok: true,
      value: {
        provider: 'openai',
        modelId: 'gpt-x',
        model: 'openai/gpt-x',
        headers: { authorization: 'Bearer sk-1' },
        secrets: ['sk-1'],
        keys: ['sk-1'],
        dialect: { capField: 'max_completion_tokens', streams: true },
      },
    });
  });

  it('of Gemini may be written as its lists write it', () => {
    const answer = resolve('gemini/models/gemini-2.5-pro', { env: { GEMINI_API_KEY: 'k' } });
    expect(answer).toMatchObject({
      ok: true,
      value: { model: 'gemini/gemini-2.5-pro', url: expect.stringMatching(/v1beta\/models\/gemini-2.5-pro$/) },
    });
  });

  it('may hold slashes', () => {
    const answer = resolve('openrouter/vendor/model:free', { env: { OPENROUTER_API_KEY: 'k' } });
    expect(answer).toMatchObject({ ok: true, value: { modelId: 'vendor/model:free', provider: 'openrouter' } });
  });

  it('on this machine needs no key', () => {
    const answer = resolve('ollama/qwen3:8b');
    expect(answer).toMatchObject({
      ok: true,
      value: { url: 'http://localhost:11434/api/chat', wire: 'ollama', headers: {}, keys: [] },
    });
  });

  it('takes another address from OPENAI_BASE_URL, and needs no key for one on this machine', () => {
    const answer = resolve('openai/x', { env: { OPENAI_BASE_URL: 'http://127.0.0.1:9/' } });
    expect(answer).toMatchObject({
      ok: true,
      value: { url: 'http://127.0.0.1:9/v1/chat/completions', headers: {}, dialect: { capField: 'max_tokens' } },
    });
  });

  it('takes everything from the config', () => {
    const own = { baseUrl: 'https://h/api/v3', apiKeyEnv: 'MY_KEY', headers: { 'X-Api-Key': 'hidden' }, stream: false };
    expect(resolve('mine/a/b', { env: { MY_KEY: 'k' }, config: { mine: own } })).toMatchObject({
      ok: true,
      value: {
        url: 'https://h/api/v3/chat/completions',
        headers: { authorization: 'Bearer k', 'x-api-key': 'hidden' },
        secrets: ['k', 'hidden'],
        dialect: { streams: false, capField: 'max_tokens' },
      },
    });
  });

  it('lets the config override a known provider', () => {
    const config = { openai: { baseUrl: 'https://gate/v1', apiKey: 'own' } };
    expect(resolve('openai/x', { env: { OPENAI_API_KEY: 'env', OPENAI_BASE_URL: 'http://no' }, config })).toMatchObject(
      {
        ok: true,
        value: { url: 'https://gate/v1/chat/completions', headers: { authorization: 'Bearer own' } },
      },
    );
  });
});

describe('a provider', () => {
  it.each([
    ['glm/glm-5', { GLM_API_KEY: 'k' }, 'zai', 'https://api.z.ai/api/paas/v4/chat/completions'],
    ['kimi/kimi-k3', { KIMI_API_KEY: 'k' }, 'moonshot', 'https://api.moonshot.ai/v1/chat/completions'],
    [
      'qwen/qwen-max',
      { DASHSCOPE_API_KEY: 'k' },
      'qwen',
      'https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions',
    ],
    ['grok/grok-4', { XAI_API_KEY: 'k' }, 'xai', 'https://api.x.ai/v1/chat/completions'],
    ['together/a/b', { TOGETHERAI_API_KEY: 'k' }, 'together', 'https://api.together.xyz/v1/chat/completions'],
    [
      'fireworks/a/b',
      { FIREWORKS_AI_API_KEY: 'k' },
      'fireworks',
      'https://api.fireworks.ai/inference/v1/chat/completions',
    ],
    ['minimax/M', { MINIMAX_API_KEY: 'k' }, 'minimax', 'https://api.minimax.io/v1/chat/completions'],
    ['cerebras/m', { CEREBRAS_API_KEY: 'k' }, 'cerebras', 'https://api.cerebras.ai/v1/chat/completions'],
    ['lm-studio/m', {}, 'lmstudio', 'http://localhost:1234/v1/chat/completions'],
    ['llama.cpp/m', {}, 'llamacpp', 'http://localhost:8080/v1/chat/completions'],
  ])('%s is found with %j', (spec, env, provider, url) => {
    expect(resolve(spec, { env })).toMatchObject({ ok: true, value: { provider, url, secrets: Object.values(env) } });
  });

  it.each([
    ['127.0.0.1:9999', 'http://127.0.0.1:9999/api/chat'],
    ['0.0.0.0', 'http://127.0.0.1:11434/api/chat'],
    [':8081', 'http://127.0.0.1:8081/api/chat'],
    ['http://box:1/', 'http://box:1/api/chat'],
  ])('Ollama is found by OLLAMA_HOST=%s', (host, url) => {
    expect(resolve('ollama/m', { env: { OLLAMA_HOST: host } })).toMatchObject({ ok: true, value: { url } });
  });

  it('of the config goes before an alias of the same name', () => {
    const config = { kimi: { baseUrl: 'http://h' } };
    expect(resolve('kimi/m', { config })).toMatchObject({ ok: true, value: { provider: 'kimi' } });
  });

  it('knows its servers own calls below the root', () => {
    const config = { box: { baseUrl: 'http://h:1/sub/v1/' } };
    expect(resolve('box/m', { config })).toMatchObject({ ok: true, value: { root: 'http://h:1/sub' } });
    expect(resolve('llamacpp/m')).toMatchObject({ ok: true, value: { root: 'http://localhost:8080' } });
  });
});

describe('keys', () => {
  const read = { configured: ['from-command'], kept: ['from-file'] };
  const keysOf = (own: ProviderConfig, env: Record<string, string> = {}) => {
    const answer = resolveModel('openai/x', { env, config: { openai: own }, readKeys: read });
    return answer.ok ? answer.value.keys : answer.fault;
  };

  it('come from the config, then a configured file or command, then a variable, then the key file', () => {
    const env = { OPENAI_API_KEY: 'from-env' };
    expect(keysOf({ apiKey: 'own' }, env)).toEqual(['own']);
    expect(keysOf({}, env)).toEqual(['from-command']);
    const kept = { configured: [], kept: ['from-file'] };
    const answer = resolveModel('openai/x', { env, config: {}, readKeys: kept });
    expect(answer).toMatchObject({ ok: true, value: { keys: ['from-env'] } });
    expect(resolveModel('openai/x', { env: {}, config: {}, readKeys: kept })).toMatchObject({
      ok: true,
      value: { keys: ['from-file'] },
    });
  });

  it('may be several, of which all are secrets and the first is in use', () => {
    const answer = resolve('openai/x', { env: { OPENAI_API_KEY: 'one, two,one' } });
    expect(answer).toMatchObject({
      ok: true,
      value: { keys: ['one', 'two'], secrets: ['one', 'two'], headers: { authorization: 'Bearer one' } },
    });
    expect(keysOf({ apiKey: 'a', apiKeys: ['b', 'c'] })).toEqual(['a', 'b', 'c']);
  });

  it('can be changed on an endpoint', () => {
    const answer = resolve('openai/x', { env: { OPENAI_API_KEY: 'one,two' } });
    if (!answer.ok) throw new Error(answer.fault.message);
    expect(withKey(answer.value, 'two').headers).toEqual({ authorization: 'Bearer two' });
  });

  it.each([
    ['gemini', 'https://g/v1beta/models/m', { 'x-goog-api-key': 'k' }],
    ['anthropic', 'https://api.anthropic.com/v1/messages', { 'x-api-key': 'k' }],
    ['anthropic', 'https://api.deepseek.com/anthropic/v1/messages', { 'x-api-key': 'k', authorization: 'Bearer k' }],
    ['chat', 'https://h/v1', { authorization: 'Bearer k' }],
  ])('on the wire %s to %s go as %j', (wire, url, headers) => {
    expect(keyHeaders(wire, 'k', url)).toEqual(headers);
  });
});

describe('the address of a wire', () => {
  it.each([
    ['responses', 'https://h/v1', 'https://h/v1/responses'],
    ['anthropic', 'https://api.deepseek.com/anthropic', 'https://api.deepseek.com/anthropic/v1/messages'],
    ['gemini', 'https://g/v1beta', 'https://g/v1beta/models/m'],
    ['gemini', 'https://g', 'https://g/v1beta/models/m'],
    ['gemini', 'https://g/v1beta/models', 'https://g/v1beta/models/m'],
    ['ollama', 'http://h:11434/v1', 'http://h:11434/api/chat'],
    ['ollama', 'http://h:11434/api/chat', 'http://h:11434/api/chat'],
  ])('%s at %s is %s', (wire, baseUrl, url) => {
    expect(wireUrl({ baseUrl, place: '' }, wire, 'm')).toEqual({ ok: true, value: url });
  });
});

describe('what is missing is said', () => {
  it.each([
    [undefined, {}, /No model is set.*-m/],
    ['', {}, /No model is set/],
    ['gpt-x', {}, /"gpt-x" names no model.*provider\/model/],
    ['openai/', {}, /names no model/],
    ['nobody/x', { config: { mine: {} } }, /no provider "nobody".*openai, .*mine.*baseUrl/],
    ['constructor/x', {}, /no provider "constructor"/],
    ['OpenAI/x', {}, /no provider "OpenAI"\. Write it as openai\//],
    [
      'openai/x',
      { config: { openai: { apiKeyEnv: '' } } },
      /No key for "openai"\. Set provider\.openai\.apiKeyCommand/,
    ],
    ['mine/x', { config: { mine: { baseUrl: 'http://h', apiKeyEnv: '' } } }, /no fault/],
    ['openai/x', {}, /No key for "openai".*OPENAI_API_KEY/],
    ['mine/x', { config: { mine: { baseUrl: 'http://h', apiKeyEnv: ['A_KEY', 'B_KEY'] } } }, /A_KEY or B_KEY/],
    ['mine/x', { config: { mine: {} } }, /no address.*provider\.mine\.baseUrl/],
    ['mine/x', { config: { mine: { baseUrl: 'localhost' } } }, /provider\.mine\.baseUrl: "localhost" is not a URL/],
    ['mine/x', { config: { mine: { baseUrl: 'ftp://h' } } }, /no http or https/],
    ['mine/x', { config: { mine: { baseUrl: 'http://h', wire: 'telex' } } }, /no "telex". Known are: chat/],
    [
      'mine/x',
      { config: { mine: { baseUrl: 'http://h', headers: { 'bad header': 'x' } } } },
      /"bad header" is no name/,
    ],
    [
      'mine/x',
      { config: { mine: { baseUrl: 'http://h', headers: { 'x-key': 'sk\nsk' } } } },
      /provider\.mine\.headers: the value of "x-key" holds a line break/,
    ],
    ['openai/x', { env: { OPENAI_API_KEY: 'sk\nsk' } }, /key in OPENAI_API_KEY holds a blank/],
  ])('%s', (spec, sources, message) => {
    const answer = resolve(spec, sources);
    expect(messageOf(answer)).toMatch(message);
    expect(messageOf(answer)).not.toContain('sk\nsk');
  });
});

describe('secrets of an endpoint', () => {
  const own = {
    baseUrl: 'https://user:pa%40ssw0rd@h/v1?key=querysecret&api-version=2024-02-01',
    headers: { 'X-Team': 'hdrsecret999', Authorization: 'Basic dXNlcjpwYXNz', 'user-agent': 'mine/1.0', 'x-n': '1' },
  };

  it('are its keys, the values of its headers, and what its address holds', () => {
    const answer = resolve('mine/x', { config: { mine: { ...own, apiKey: 'k1' } } });
    const secrets = ['k1', 'hdrsecret999', 'dXNlcjpwYXNz', 'pa%40ssw0rd', 'querysecret', 'pa@ssw0rd'];
    expect(answer.ok && answer.value.secrets).toEqual(secrets);
  });

  it.each([
    ['https://user:pass@h:1/v1?key=abc&api-version=2024', 'https://h:1/v1?key=[key]&api-version=2024'],
    ['user:pass@h/v1', 'h/v1'],
    ['https://h/@cf/model', 'https://h/@cf/model'],
    ['https://token@h', 'https://h'],
  ])('do not stand in the address %s as it is shown', (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });

  it('do not stand in what is said about an address', () => {
    const said = messageOf(resolve('mine/x', { config: { mine: { baseUrl: 'ftp://user:passw0rd@h/v1?key=abc' } } }));
    expect(said).toContain('"ftp://h/v1?key=[key]" is no http');
  });
});

describe('a base URL', () => {
  it.each([
    ['http://h:1', 'http://h:1/v1/chat/completions'],
    ['http://h:1/', 'http://h:1/v1/chat/completions'],
    ['http://h:1/v1', 'http://h:1/v1/chat/completions'],
    [' http://h:1/v1// ', 'http://h:1/v1/chat/completions'],
    ['https://h/openai/v1', 'https://h/openai/v1/chat/completions'],
    ['https://h/v1beta/openai/', 'https://h/v1beta/openai/chat/completions'],
    ['https://h/api/paas/v4', 'https://h/api/paas/v4/chat/completions'],
    ['https://h/api', 'https://h/api/v1/chat/completions'],
    ['https://h/inference/chat/completions', 'https://h/inference/chat/completions'],
    ['https://h/v1?key=a', 'https://h/v1/chat/completions?key=a'],
  ])('%s leads to %s', (base, url) => {
    expect(requestUrl(base, '/chat/completions')).toEqual({ ok: true, value: url });
  });
});
