/** From `provider/model` to an address with a key. */
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { isLoopback, requestUrl } from './baseUrl.ts';
import type { Dialect, Endpoint, WireName } from './endpoint.ts';
import { type ProviderDefaults, providers } from './providers.ts';

/** `provider.<name>` of the config. */
export interface ProviderConfig {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The environment variable, or several, that may hold the key. */
  readonly apiKeyEnv?: string | readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The protocol, `chat` where it is not said. */
  readonly wire?: string | undefined;
  /** False asks for whole replies instead of streams. */
  readonly stream?: boolean | undefined;
}

export interface ModelSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By provider name. */
  readonly config: Readonly<Record<string, ProviderConfig>>;
}

const wirePaths: Readonly<Record<WireName, string>> = { chat: '/chat/completions' };
const plainDialect: Dialect = { capField: 'max_tokens', asksForUsage: true, streams: true };

/** Finds everything that a request to `spec` needs, or says what is missing and where to set it. */
export function resolveModel(spec: string | undefined, { env, config }: ModelSources): Result<Endpoint, Fault> {
  const named = split(spec?.trim() ?? '');
  if (!named.ok) return named;
  const { provider, modelId } = named.value;
  const defaults = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  const own = Object.hasOwn(config, provider) ? config[provider] : undefined;
  if (!defaults && !own) return fail(unknown(provider, Object.keys(config)));
  const wire = wireOf(provider, own?.wire);
  if (!wire.ok) return wire;
  const url = addressOf(provider, { defaults, own, env }, wirePaths[wire.value]);
  if (!url.ok) return url;
  const key = keyOf(provider, { defaults, own, env, isLocal: isLoopback(url.value) });
  if (!key.ok) return key;
  // Behind another address is most often another server, which speaks the plain dialect.
  const isUsual = defaults !== undefined && new URL(defaults.baseUrl).host === new URL(url.value).host;
  return ok({
    provider,
    modelId,
    model: `${provider}/${modelId}`,
    wire: wire.value,
    url: url.value,
    headers: { ...(key.value.key ? { authorization: `Bearer ${key.value.key}` } : {}), ...lowered(own?.headers) },
    secrets: [key.value.key, ...secretHeaders(own?.headers)].filter((secret) => secret !== ''),
    keyVariables: key.value.variables,
    dialect: {
      ...plainDialect,
      ...(isUsual ? defaults.dialect : {}),
      ...(own?.stream === undefined ? {} : { streams: own.stream }),
    },
  });
}

function split(spec: string): Result<{ provider: string; modelId: string }, Fault> {
  const example = 'Write it as provider/model, for example -m openai/gpt-5-mini or -m ollama/qwen3:8b.';
  if (spec === '') {
    return fail(fault('usage', `No model is set. Name one with -m, or as \`model\` in the config. ${example}`));
  }
  const slash = spec.indexOf('/');
  if (slash <= 0 || slash === spec.length - 1) return fail(fault('usage', `"${spec}" names no model. ${example}`));
  return ok({ provider: spec.slice(0, slash), modelId: spec.slice(slash + 1) });
}

function wireOf(provider: string, wire = 'chat'): Result<WireName, Fault> {
  const known = Object.keys(wirePaths);
  if (known.includes(wire)) return ok(wire as WireName); // a key of the table
  return fail(fault('usage', `provider.${provider}.wire: there is no "${wire}". Known are: ${known.join(', ')}.`));
}

function unknown(provider: string, configured: readonly string[]): Fault {
  const known = [...new Set([...Object.keys(providers), ...configured])].join(', ');
  return fault(
    'usage',
    `There is no provider "${provider}". Known are: ${known}. Another one is added with provider.${provider}.baseUrl in the config.`,
  );
}

interface Sources {
  readonly defaults: ProviderDefaults | undefined;
  readonly own: ProviderConfig | undefined;
  readonly env: ModelSources['env'];
}

function addressOf(provider: string, { defaults, own, env }: Sources, path: string): Result<string, Fault> {
  const variable = defaults?.baseUrlVariables?.find((name) => env[name]?.trim());
  const baseUrl = own?.baseUrl ?? (variable ? env[variable] : undefined) ?? defaults?.baseUrl;
  if (!baseUrl)
    return fail(
      fault('usage', `Provider "${provider}" has no address. Set provider.${provider}.baseUrl in the config.`),
    );
  const url = requestUrl(baseUrl, path);
  const place = own?.baseUrl ? `provider.${provider}.baseUrl` : (variable ?? 'the base URL');
  return url.ok ? url : fail(fault('usage', `${place}: ${url.fault}`));
}

function keyOf(
  provider: string,
  { defaults, own, env, isLocal }: Sources & { readonly isLocal: boolean },
): Result<{ key: string; variables: readonly string[] }, Fault> {
  const ownVariables = own?.apiKeyEnv === undefined ? undefined : [own.apiKeyEnv].flat();
  const variables = ownVariables ?? defaults?.keyVariables ?? [];
  const holder = variables.find((name) => env[name]?.trim());
  const key = (own?.apiKey ?? (holder ? env[holder] : undefined) ?? '').trim();
  if (/[^\x21-\x7e]/.test(key)) {
    const place = own?.apiKey ? `provider.${provider}.apiKey` : holder;
    return fail(
      fault('usage', `The key in ${place} holds a blank, a line break or another character that no key has.`),
    );
  }
  const isRequired = ownVariables !== undefined || (defaults?.needsKey === true && !isLocal && !hasAuthorization(own));
  if (key === '' && isRequired) {
    return fail(
      fault(
        'unauthorised',
        `No key for "${provider}". Set ${variables.join(' or ')} in the environment, or provider.${provider}.apiKey in the config.`,
      ),
    );
  }
  return ok({ key, variables });
}

const lowered = (headers: ProviderConfig['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

const hasAuthorization = (own: ProviderConfig | undefined): boolean => 'authorization' in lowered(own?.headers);

/** Header values by which a gateway may know its caller. */
const secretHeaders = (headers: ProviderConfig['headers']): string[] =>
  Object.entries(lowered(headers))
    .filter(([name]) => /auth|key|token|secret|cookie/.test(name))
    .map(([, value]) => value.replace(/^bearer /i, ''));
