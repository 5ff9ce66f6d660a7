/** Where a provider is reached: its base URL from the config, a variable or the table, and the address of a wire's requests. */
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { requestUrl } from './baseUrl.ts';
import type { ProviderDefaults } from './providers.ts';

export interface AddressSources {
  readonly defaults: ProviderDefaults | undefined;
  /** `provider.<name>.baseUrl`. */
  readonly ownBaseUrl: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface BaseUrl {
  readonly baseUrl: string;
  /** Where it was set, for messages. */
  readonly place: string;
}

/** Undefined where nobody names one. `wire` chooses between the bases of a provider that has several. */
export function baseUrlOf(provider: string, sources: AddressSources, wire?: string): BaseUrl | undefined {
  const { defaults, ownBaseUrl, env } = sources;
  if (ownBaseUrl) return { baseUrl: ownBaseUrl, place: `provider.${provider}.baseUrl` };
  const variable = defaults?.baseUrlVariables?.find((name) => env[name]?.trim());
  const value = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && value !== undefined) {
    return { baseUrl: variable === 'OLLAMA_HOST' ? ollamaHost(value) : value, place: variable };
  }
  const baseUrl = (wire === undefined ? undefined : defaults?.bases?.[wire]) ?? defaults?.baseUrl;
  return baseUrl === undefined ? undefined : { baseUrl, place: 'the base URL' };
}

/** OLLAMA_HOST is an address to listen at: a host, a port, both, or a URL. */
function ollamaHost(text: string): string {
  const value = text.trim();
  if (/^https?:\/\//.test(value)) return value;
  const bare = value.replace(/\/+$/, '');
  const host = bare.startsWith(':') ? `127.0.0.1${bare}` : bare.replace(/^0\.0\.0\.0/, '127.0.0.1');
  return `http://${/:\d+$/.test(host) ? host : `${host}:11434`}`;
}

const chatPaths = { path: '/chat/completions', version: '/v1' };
const addresses: Readonly<Record<string, { readonly path: string; readonly version: string }>> = {
  chat: chatPaths,
  responses: { path: '/responses', version: '/v1' },
  anthropic: { path: '/messages', version: '/v1' },
  gemini: { path: '/models', version: '/v1beta' },
  ollama: { path: '/api/chat', version: '' },
};

/** The address of a wire's requests. For `gemini` it ends with the model, and the wire adds what is to be done with it. */
export function wireUrl(base: BaseUrl, wire: string, modelId: string): Result<string, Fault> {
  const { path, version } = addresses[wire] ?? chatPaths;
  const url = version === '' ? requestUrl(rootOf(base.baseUrl), path, '') : requestUrl(base.baseUrl, path, version);
  if (!url.ok) return fail(fault('usage', `${base.place}: ${url.fault}`));
  return ok(wire === 'gemini' ? `${url.value}/${modelId.replace(/^models\//, '')}` : url.value);
}

/** The base URL without version and path of a call: where a server's own calls (`/props`, `/api/show`) start. */
export const rootOf = (baseUrl: string): string =>
  baseUrl
    .trim()
    .replace(/\?.*$/, '')
    .replace(/(?:\/v\d\w*)?(?:\/chat\/completions|\/responses|\/messages|\/api\/chat)?\/*$/, '');
