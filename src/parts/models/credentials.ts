/** A provider's keys: which there are, which of them counts first, and the header that carries it. */
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { Endpoint } from './endpoint.ts';

/** Keys that had to be read from a file or a command; see keys.ts. */
export interface ReadKeys {
  /** Of `apiKeyFile` and `apiKeyCommand`. */
  readonly configured: readonly string[];
  /** Of the user's own file for this provider; they count last. */
  readonly kept: readonly string[];
}

export interface KeyConfig {
  readonly apiKey?: string | undefined;
  readonly apiKeys?: readonly string[] | undefined;
  /** The environment variable, or several, that may hold the key. */
  readonly apiKeyEnv?: string | readonly string[] | undefined;
}

export interface KeySources {
  readonly own: KeyConfig | undefined;
  readonly usualVariables: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly read: ReadKeys | undefined;
}

export interface Keys {
  /** The first is in use; the others are there to take turns. */
  readonly keys: readonly string[];
  /** The variables that may hold one. */
  readonly variables: readonly string[];
  /** Where they come from; empty where there is none. */
  readonly place: string;
}

/** The first place that holds a key gives them all: config, then the environment, then the user's own key file. */
export function keysOf(provider: string, { own, usualVariables, env, read }: KeySources): Result<Keys, Fault> {
  const variables =
    own?.apiKeyEnv === undefined ? usualVariables : [own.apiKeyEnv].flat().filter((name) => name !== '');
  const holder = variables.find((name) => env[name]?.trim());
  const places: readonly (readonly [place: string, texts: readonly string[]])[] = [
    [`provider.${provider}.apiKey`, [...(own?.apiKey ? [own.apiKey] : []), ...(own?.apiKeys ?? [])]],
    [`provider.${provider}.apiKeyFile or apiKeyCommand`, read?.configured ?? []],
    [holder ?? '', holder === undefined ? [] : [env[holder] ?? '']],
    [`the key file of "${provider}"`, read?.kept ?? []],
  ];
  for (const [place, texts] of places) {
    const keys = texts.flatMap(splitKeys);
    if (keys.length === 0) continue;
    // Says where, and never what.
    if (keys.some((key) => /[^\x21-\x7e]/.test(key))) {
      const message = `The key in ${place} holds a blank, a line break or another character that no key has.`;
      return fail(fault('usage', message));
    }
    return ok({ keys: [...new Set(keys)], variables, place });
  }
  return ok({ keys: [], variables, place: '' });
}

/** Several keys in one text stand between commas; no key holds one. */
const splitKeys = (text: string): string[] =>
  text
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

/** The headers by which a server knows its caller. `url` tells Anthropic from those who speak its protocol. */
export function keyHeaders(wire: string, key: string, url: string): Record<string, string> {
  if (key === '') return {};
  if (wire === 'gemini') return { 'x-goog-api-key': key };
  if (wire !== 'anthropic') return { authorization: `Bearer ${key}` };
  const isAnthropic = new URL(url).hostname === 'api.anthropic.com';
  // Tokens of a subscription are bearers; everybody else who speaks the protocol takes either header.
  if (isAnthropic && !key.startsWith('sk-ant-oat')) return { 'x-api-key': key };
  return isAnthropic ? { authorization: `Bearer ${key}` } : { 'x-api-key': key, authorization: `Bearer ${key}` };
}

/** The same endpoint, asked with another of its keys. */
export function withKey(endpoint: Endpoint, key: string): Endpoint {
  const { wire, url, headers } = endpoint;
  // A package of the AI SDK is handed the first key and makes its own header of it.
  if (endpoint.sdk) return { ...endpoint, keys: [key, ...endpoint.keys.filter((other) => other !== key)] };
  const held = Object.values(headers).some((value) => endpoint.keys.some((one) => value.endsWith(one)));
  return held ? { ...endpoint, headers: { ...headers, ...keyHeaders(wire, key, url) } } : endpoint;
}

/** What says who calls, or what is wanted, and is no secret. */
const harmlessHeader = /^(?:accept(?:-.*)?|content-type|user-agent|(?:http-)?referer|x-title|.+-(?:beta|version))$/i;
const secretHeader = /auth|key|token|secret|cookie/i;
/** Shorter values stand for no secret, and would be found in every text. */
const shortestValue = 6;

/** Header values by which a gateway may know its caller: whatever the user sends, without the word for its scheme. */
export const secretHeaders = (headers: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(headers)
    .filter(([name, value]) => !harmlessHeader.test(name) && (secretHeader.test(name) || value.length >= shortestValue))
    .map(([, value]) => value.replace(/^(?:bearer|basic|token) /i, ''));
