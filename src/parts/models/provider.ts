/** From `provider/model` to an address with a key. */
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { baseUrlOf, rootOf, wireUrl } from './address.ts';
import { isLoopback, secretsInUrl } from './baseUrl.ts';
import { type KeyConfig, keyHeaders, keysOf, type ReadKeys, secretHeaders } from './credentials.ts';
import type { Dialect, Endpoint, SdkSource, WireName } from './endpoint.ts';
import { isWire, wireNames } from './open.ts';
import { aliases, type ProviderDefaults, providers, type ServerName } from './providers.ts';

/** `provider.<name>` of the config. */
export interface ProviderConfig extends KeyConfig {
  readonly baseUrl?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The protocol, where it is not the provider's usual one. */
  readonly wire?: string | undefined;
  /** False asks for whole replies instead of streams. */
  readonly stream?: boolean | undefined;
  /** The name of the output cap. */
  readonly capField?: Dialect['capField'] | undefined;
  /** What kind of server of one's own it is. */
  readonly server?: ServerName | undefined;
  /** A package of the AI SDK, or the path of a module, that speaks the service's protocol. */
  readonly sdk?: string | undefined;
  readonly keepAlive?: Endpoint['keepAlive'] | undefined;
}

export interface ModelSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By provider name. */
  readonly config: Readonly<Record<string, ProviderConfig>>;
  /** Keys of this provider that had to be read. */
  readonly readKeys?: ReadKeys;
  /** Where the packages of `sdk` are looked for. */
  readonly configDirectory?: string;
}

const plainDialect: Dialect = { capField: 'max_tokens', asksForUsage: true, streams: true };
const example = 'Write it as provider/model, for example -m openai/gpt-5-mini or -m ollama/qwen3:8b.';

export interface NamedModel {
  readonly provider: string;
  readonly modelId: string;
  readonly defaults: ProviderDefaults | undefined;
  readonly own: ProviderConfig | undefined;
}

/** Reads `provider/model`; a provider goes by its name or an alias. */
export function readModelName(spec: string | undefined, config: ModelSources['config']): Result<NamedModel, Fault> {
  const text = spec?.trim() ?? '';
  if (text === '')
    return fail(fault('usage', `No model is set. Name one with -m, or as \`model\` in the config. ${example}`));
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return fail(fault('usage', `"${text}" names no model. ${example}`));
  const named = text.slice(0, slash);
  const provider = providerName(named, config);
  const defaults = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  const own = Object.hasOwn(config, provider) ? config[provider] : undefined;
  if (!defaults && !own) return fail(unknown(named, Object.keys(config)));
  const id = text.slice(slash + 1);
  // Google's own lists call a model `models/gemini-...`; nothing else knows it by that name.
  return ok({ provider, modelId: provider === 'gemini' ? id.replace(/^models\/(?=.)/, '') : id, defaults, own });
}

const providerName = (named: string, config: ModelSources['config']): string =>
  Object.hasOwn(config, named) || !Object.hasOwn(aliases, named) ? named : (aliases[named] ?? named);

/** Finds everything that a request to `spec` needs, or says what is missing and where to set it. */
export function resolveModel(spec: string | undefined, sources: ModelSources): Result<Endpoint, Fault> {
  const named = readModelName(spec, sources.config);
  if (!named.ok) return named;
  const { provider, modelId, own } = named.value;
  const wrong = wrongHeader(provider, own?.headers);
  if (wrong) return fail(wrong);
  const place = own?.sdk ? sdkPlace(own, own.sdk, sources) : locate(named.value, sources.env);
  if (!place.ok) return place;
  const { wire, url, root, isUsual, ...more } = place.value;
  const keys = requiredKeys(named.value, sources, url);
  if (!keys.ok) return keys;
  const dialect = isUsual ? named.value.defaults?.dialect : undefined;
  return ok({
    provider,
    modelId,
    model: `${provider}/${modelId}`,
    wire,
    url,
    root,
    headers: { ...(more.sdk ? {} : keyHeaders(wire, keys.value.keys[0] ?? '', url)), ...lowered(own?.headers) },
    keys: keys.value.keys,
    secrets: [...new Set([...keys.value.keys, ...secretHeaders(own?.headers), ...secretsInUrl(url)])].filter(isText),
    keyVariables: keys.value.variables,
    dialect: {
      ...plainDialect,
      ...dialect,
      ...(own?.capField === undefined ? {} : { capField: own.capField }),
      ...(own?.stream === undefined ? {} : { streams: own.stream }),
    },
    ...(own?.keepAlive === undefined ? {} : { keepAlive: own.keepAlive }),
    ...more,
  });
}

/** An empty text would be found everywhere. */
const isText = (secret: string): boolean => secret !== '';

interface Place {
  readonly wire: WireName;
  readonly url: string;
  readonly root: string;
  /** Behind another address is most often another server, which speaks the plain dialect. */
  readonly isUsual: boolean;
  readonly sdk?: SdkSource;
}

/** The address is the package's own affair; where none is set, faults name the package. */
function sdkPlace({ baseUrl }: ProviderConfig, specifier: string, sources: ModelSources): Result<Place, Fault> {
  const url = baseUrl ?? `sdk://${specifier.replace(/[^\w-]+/g, '-').replace(/^-|-$/g, '')}`;
  const sdk = { specifier, directory: sources.configDirectory ?? '/', ...(baseUrl === undefined ? {} : { baseUrl }) };
  return ok({ wire: 'sdk', url, root: url, isUsual: false, sdk });
}

function locate({ provider, modelId, defaults, own }: NamedModel, env: ModelSources['env']): Result<Place, Fault> {
  const sources = { defaults, ownBaseUrl: own?.baseUrl, env };
  const isUsual = isUsualHost(defaults, baseUrlOf(provider, sources)?.baseUrl);
  const wire = wireOf(provider, own?.wire, preferred(defaults, isUsual));
  if (!wire.ok) return wire;
  const base = baseUrlOf(provider, sources, wire.value);
  if (!base) {
    const message = `Provider "${provider}" has no address. Set provider.${provider}.baseUrl in the config.`;
    return fail(fault('usage', message));
  }
  const url = wireUrl(base, wire.value, modelId);
  return url.ok ? ok({ wire: wire.value, url: url.value, root: rootOf(base.baseUrl), isUsual }) : url;
}

function isUsualHost(defaults: ProviderDefaults | undefined, baseUrl: string | undefined): boolean {
  if (!defaults || baseUrl === undefined || !URL.canParse(baseUrl)) return false;
  return new URL(defaults.baseUrl).host === new URL(baseUrl).host;
}

/** A server of one's own speaks the same wherever it stands. */
function preferred(defaults: ProviderDefaults | undefined, isUsual: boolean): readonly string[] {
  if (!isUsual && defaults?.wireElsewhere !== undefined) return [defaults.wireElsewhere];
  return defaults?.wires ?? ['chat'];
}

function wireOf(provider: string, asked: string | undefined, usual: readonly string[]): Result<WireName, Fault> {
  const wire = asked ?? usual.find(isWire) ?? usual[0] ?? 'chat';
  if (isWire(wire)) return ok(wire);
  const known = wireNames().join(', ');
  return fail(fault('usage', `provider.${provider}.wire: there is no "${wire}". Known are: ${known}.`));
}

function unknown(provider: string, configured: readonly string[]): Fault {
  const names = [...new Set([...Object.keys(providers), ...configured])];
  const known = names.join(', ');
  const meant = names.find((name) => name.toLowerCase() === provider.toLowerCase());
  if (meant !== undefined) return fault('usage', `There is no provider "${provider}". Write it as ${meant}/...`);
  return fault(
    'usage',
    `There is no provider "${provider}". Known are: ${known}. Another one is added with provider.${provider}.baseUrl in the config.`,
  );
}

function requiredKeys({ provider, defaults, own }: NamedModel, { env, readKeys }: ModelSources, url: string) {
  const usualVariables = defaults?.keyVariables ?? [];
  const keys = keysOf(provider, { own, usualVariables, env, read: readKeys });
  if (!keys.ok || keys.value.keys.length > 0) return keys;
  const isExpected = defaults?.needsKey === true && !isLoopback(url) && !hasKeyHeader(own);
  const { variables } = keys.value;
  const isNamed = own?.apiKeyEnv !== undefined && variables.length > 0;
  if (!isNamed && !isExpected) return keys;
  const inEnvironment = variables.length === 0 ? '' : `${variables.join(' or ')} in the environment, `;
  const message = `No key for "${provider}". Set ${inEnvironment}provider.${provider}.apiKeyCommand in the config, or store one with: smew auth ${provider}`;
  return fail(fault('unauthorised', message));
}

/** What of the headers no request can carry. Names them, and never a value. */
function wrongHeader(provider: string, headers: ProviderConfig['headers']): Fault | undefined {
  for (const [name, value] of Object.entries(headers ?? {})) {
    const place = `provider.${provider}.headers: `;
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      return fault('usage', `${place}"${name}" is no name of a header. Names have no blanks, colons or other marks.`);
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      return fault(
        'usage',
        `${place}the value of "${name}" holds a line break or a character that no header may have.`,
      );
  }
  return undefined;
}

const lowered = (headers: ProviderConfig['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

const hasKeyHeader = (own: ProviderConfig | undefined): boolean =>
  ['authorization', 'x-api-key', 'x-goog-api-key'].some((name) => name in lowered(own?.headers));
