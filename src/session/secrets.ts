/** Keys that this user's environment and config hold: no model and no journal may see them, and nothing that leaves the machine. */
import { existsSync } from 'node:fs';
import { ok } from '../base/result.ts';
import type { PreparedCall, ToolAnswer, ToolBox } from '../loop/ports.ts';
import type { Config } from '../parts/config/settings.ts';
import { secretsInUrl } from '../parts/models/baseUrl.ts';
import { secretHeaders } from '../parts/models/credentials.ts';
import { redact } from '../parts/models/redact.ts';
import { addressPasswords, secretNames } from '../parts/shell/secrets.ts';
import type { World } from './world.ts';

type Env = Pick<World, 'env'>;
type Providers = Pick<Config, 'provider'>['provider'];
export type Strike = (text: string) => string;

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i;
const shortest = 8;
const mark = '[key]';

/** Replaces the values of secret-looking variables, and whatever looks like a key. */
export function withoutSecrets(text: string, { env }: Env): string {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    secretName.test(name) && value !== undefined && value.length >= shortest ? [value] : [],
  );
  return redact(text, secrets);
}

/** Names of variables that the config says to hold keys. */
export const keyVariables = (provider: Providers): string[] =>
  Object.values(provider).flatMap(({ apiKeyEnv }) => (apiKeyEnv === undefined ? [] : [apiKeyEnv].flat()));

/** Every secret that is known by its value; `keys` are those of the session's models. The longest first. */
export function knownSecrets({ env }: Env, provider: Providers, keys: readonly string[]): string[] {
  const written = Object.values(provider).flatMap(({ apiKey, apiKeys = [], headers, baseUrl }) => [
    apiKey ?? '',
    ...apiKeys,
    ...secretHeaders(headers),
    ...secretsInUrl(baseUrl ?? ''),
  ]);
  // Variables that commands may use need not be shown either.
  const names = secretNames(env, { keep: [], names: keyVariables(provider) });
  const held = [...names.flatMap((name) => linesOf(env[name] ?? '')), ...addressPasswords(env)];
  const all = new Set([...keys, ...written, ...held].map((value) => value.trim()).filter(isTelling));
  return [...all].sort((left, right) => right.length - left.length);
}

/** Of a value on several lines each that says something: tools number and cut lines. */
const linesOf = (value: string): string[] =>
  value.trim().includes('\n') ? value.split('\n').filter((line) => !line.startsWith('-----')) : [value];

/** Short words and numbers stand for no key (`postgres`, `lm-studio`, `20260101`), and the place of a key is none: struck out, they would spoil files. */
const isTelling = (value: string): boolean =>
  value.length >= shortest &&
  !/^(?:[a-z_-]{1,11}|\d{1,11})$/i.test(value) &&
  !(value.startsWith('/') && existsSync(value));

/** Known values only, so that nothing else in a file is changed. The same text where it holds none. */
export function striking(secrets: readonly string[]): Strike {
  return (text) => {
    let clean = text;
    for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, mark);
    return clean;
  };
}

/** The value with every text in it changed, at any depth; names of fields stay. */
export function withTexts(value: unknown, change: Strike): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  return typeof value === 'object' && value !== null ? fieldsWith(value, change) : value;
}

const fieldsWith = (value: object, change: Strike): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTexts(item, change)]));

/** Tools whose answers, and what they print meanwhile, hold no known secret. */
export function withoutKeys(box: ToolBox, strike: Strike): ToolBox {
  const clean = ({ data, ...answer }: ToolAnswer): ToolAnswer => ({
    ...answer,
    text: strike(answer.text),
    ...(data === undefined ? {} : { data: fieldsWith(data, strike) }),
  });
  const cleanly = (call: PreparedCall): PreparedCall => ({
    ...call,
    run: async (io) =>
      clean(
        await call.run({
          ...io,
          emit: (happening) =>
            io.emit(happening.type === 'tool.printed' ? { ...happening, text: strike(happening.text) } : happening),
        }),
      ),
  });
  return {
    specs: box.specs,
    prepare: (call) => {
      const prepared = box.prepare(call);
      return prepared.ok ? ok(cleanly(prepared.value)) : { ...prepared, fault: clean(prepared.fault) };
    },
  };
}
