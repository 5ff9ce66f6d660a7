/** Finds a provider of the AI SDK in the user's own packages. Nothing of it is loaded before its first request. */
import { isAbsolute, resolve } from 'node:path';
import { attempt, attemptSync, messageOf } from '../../../base/attempt.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { type Fault, fault } from '../../../protocol/fault.ts';
import type { Endpoint, SdkSource } from '../endpoint.ts';
import { isObject, loose } from '../loose.ts';
import type { SdkModel } from './spec.ts';

/** Makes a provider: `createOpenRouter` and its like. */
type Factory = (options: object) => unknown;

/** The module's model for this endpoint, or what is wrong with the module. */
export async function loadModel(endpoint: Endpoint, sdk: SdkSource): Promise<Result<SdkModel, Fault>> {
  const [specifier = '', name] = sdk.specifier.split('#');
  const found = attemptSync(() => locate(specifier, sdk.directory), messageOf);
  if (!found.ok) return fail(unusable(endpoint, sdk, `cannot be found from ${sdk.directory} (${found.fault})`));
  const loaded = await attempt(() => import(found.value) as Promise<unknown>, messageOf);
  if (!loaded.ok) return fail(unusable(endpoint, sdk, `cannot be loaded (${loaded.fault})`));
  const factory = factoryIn(loaded.value, name);
  if (!factory) return fail(unusable(endpoint, sdk, `has no function ${name ?? 'create...'}`));
  const made = attemptSync(() => modelOf(factory(optionsOf(endpoint, sdk)), endpoint.modelId), messageOf);
  if (!made.ok) return fail(unusable(endpoint, sdk, `gave no provider (${made.fault})`));
  return made.value ? ok(made.value) : fail(unusable(endpoint, sdk, 'gave no model with doStream and doGenerate'));
}

/** A path, seen from the directory of the user's config, or a package installed there. */
function locate(specifier: string, directory: string): string {
  const { createRequire } = process.getBuiltinModule('node:module');
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const isPath = specifier.startsWith('.') || isAbsolute(specifier);
  const file = isPath ? resolve(directory, specifier) : createRequire(resolve(directory, 'config')).resolve(specifier);
  return pathToFileURL(file).href;
}

/** The named export, the default one, or the first `create...`. */
function factoryIn(module: unknown, name: string | undefined): Factory | undefined {
  const exported = Object.entries(isObject(module) ? module : {});
  const isWanted = (key: string): boolean =>
    name === undefined ? key === 'default' || /^create[A-Z]/.test(key) : key === name;
  const candidates = exported.filter(([key, value]) => isWanted(key) && typeof value === 'function');
  return candidates.find(([key]) => key !== 'default' || candidates.length === 1)?.[1];
}

const optionsOf = ({ provider, keys, headers }: Endpoint, { baseUrl }: SdkSource): object => ({
  name: provider,
  ...(keys[0] ? { apiKey: keys[0] } : {}),
  ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  ...(Object.keys(headers).length > 0 ? { headers } : {}),
});

/** Providers are functions of the model's name, or have a method for it; a module may also give its only model. */
function modelOf(provider: unknown, modelId: string): SdkModel | undefined {
  const { languageModel } = loose<'languageModel'>(typeof provider === 'function' ? { ...provider } : provider);
  const made: unknown =
    typeof languageModel === 'function'
      ? Reflect.apply(languageModel, provider, [modelId])
      : typeof provider === 'function'
        ? provider(modelId)
        : provider;
  return isModel(made) ? made : undefined;
}

const isModel = (value: unknown): value is SdkModel =>
  isObject(value) &&
  'doStream' in value &&
  typeof value.doStream === 'function' &&
  'doGenerate' in value &&
  typeof value.doGenerate === 'function';

const unusable = ({ provider }: Endpoint, { specifier }: SdkSource, what: string): Fault =>
  fault(
    'usage',
    `provider.${provider}.sdk: "${specifier}" ${what}. Write a package of the AI SDK that is installed beside your config, ` +
      'or the path of a module, with #name for another export than its create function.',
  );
