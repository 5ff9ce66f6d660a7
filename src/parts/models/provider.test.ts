import { describe, expect, it } from 'vitest';
import { requestUrl } from './baseUrl.ts';
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
        url: 'https://api.openai.com/v1/chat/completions',
        headers: { authorization: 'Bearer sk-1' },
        secrets: ['sk-1'],
        dialect: { capField: 'max_completion_tokens', streams: true },
      },
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
      value: { url: 'http://localhost:11434/v1/chat/completions', headers: {} },
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

describe('what is missing is said', () => {
  it.each([
    [undefined, {}, /No model is set.*-m/],
    ['', {}, /No model is set/],
    ['gpt-x', {}, /"gpt-x" names no model.*provider\/model/],
    ['openai/', {}, /names no model/],
    ['nobody/x', { config: { mine: {} } }, /no provider "nobody".*openai, .*mine.*baseUrl/],
    ['constructor/x', {}, /no provider "constructor"/],
    ['openai/x', {}, /No key for "openai".*OPENAI_API_KEY/],
    ['mine/x', { config: { mine: { baseUrl: 'http://h', apiKeyEnv: ['A_KEY', 'B_KEY'] } } }, /A_KEY or B_KEY/],
    ['mine/x', { config: { mine: {} } }, /no address.*provider\.mine\.baseUrl/],
    ['mine/x', { config: { mine: { baseUrl: 'localhost' } } }, /provider\.mine\.baseUrl: "localhost" is not a URL/],
    ['mine/x', { config: { mine: { baseUrl: 'ftp://h' } } }, /no http or https/],
    ['mine/x', { config: { mine: { baseUrl: 'http://h', wire: 'telex' } } }, /no "telex". Known are: chat/],
    ['openai/x', { env: { OPENAI_API_KEY: 'sk\nsk' } }, /key in OPENAI_API_KEY holds a blank/],
  ])('%s', (spec, sources, message) => {
    const answer = resolve(spec, sources);
    expect(messageOf(answer)).toMatch(message);
    expect(messageOf(answer)).not.toContain('sk\nsk');
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
