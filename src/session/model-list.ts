/** What `smew models` tells: which models can be used, and what is known about one. */
import { ok, type Result } from '../base/result.ts';
import { baseUrlOf } from '../parts/models/address.ts';
import { shownUrl } from '../parts/models/baseUrl.ts';
import type { ModelCard } from '../parts/models/catalogue/card.ts';
import type { ModelFacts } from '../parts/models/catalogue/facts.ts';
import { readCatalogue } from '../parts/models/catalogue/find.ts';
import { keysOf } from '../parts/models/credentials.ts';
import { providers } from '../parts/models/providers.ts';
import { servedModels } from '../parts/models/windows/probe.ts';
import type { Fault } from '../protocol/fault.ts';
import { localPlaces } from './local.ts';
import { httpOf } from './model-chain.ts';
import { type ModelDesk, modelDesk } from './model-desk.ts';
import { knownModel } from './models.ts';
import { mainModel } from './roles.ts';
import { settle } from './settings.ts';
import type { Overrides, World } from './world.ts';

export interface ListedModel extends ModelFacts {
  readonly id: string;
  /** Of a server of one's own: in memory now. */
  readonly isLoaded?: boolean;
}

export interface ListedProvider {
  readonly provider: string;
  readonly baseUrl: string;
  /** Where its key comes from, or that it is a server that answers. */
  readonly access: string;
  readonly models: readonly ListedModel[];
}

export interface ModelList {
  /** Those that can be used now. */
  readonly providers: readonly ListedProvider[];
  /** The others, each with the variables for its key. */
  readonly absent: readonly { readonly provider: string; readonly keyVariables: readonly string[] }[];
  readonly notices: readonly string[];
}

/** Does `work` with a desk of its own, whose connections are closed afterwards. */
export async function atDesk<T>(
  world: World,
  overrides: Overrides,
  work: (desk: ModelDesk) => Promise<Result<T, Fault>>,
): Promise<Result<T, Fault>> {
  const settled = await settle(world, overrides);
  if (!settled.ok) return settled;
  const http = httpOf(world, settled.value.config.network);
  try {
    return await work(modelDesk(world, settled.value, http));
  } finally {
    http.close();
  }
}

export const listModels = (world: World, overrides: Overrides): Promise<Result<ModelList, Fault>> =>
  atDesk(world, overrides, async (desk) => {
    const catalogue = await readCatalogue();
    const names = [...new Set([...Object.keys(desk.settled.config.provider), ...Object.keys(providers)])];
    const doubts: string[] = [];
    const listed = await Promise.all(
      names.map(async (provider) => {
        const own = await ownServer(provider, desk);
        if (own) return own;
        const access = await accessTo(provider, desk);
        if (access === undefined) return undefined;
        const known = (catalogue.get(provider) ?? []).map(({ name, facts }) => ({ id: name, ...facts }));
        const { doubt, ...way } = access;
        if (doubt !== undefined) doubts.push(doubt);
        return { provider, ...way, models: [...known, ...configured(provider, known, desk)] };
      }),
    );
    const present = listed.filter((one) => one !== undefined);
    const absent = names
      .filter((provider) => !present.some((one) => one.provider === provider))
      .map((provider) => ({
        provider,
        keyVariables: providers[provider]?.needsKey ? providers[provider].keyVariables : [],
      }));
    return ok({ providers: present, absent, notices: [...desk.settled.notices, ...doubts] });
  });

/** A server on this machine, or wherever it was set, that answers just now. */
async function ownServer(provider: string, desk: ModelDesk): Promise<ListedProvider | undefined> {
  const place = localPlaces(desk).find((one) => one.provider === provider);
  const models = place && (await servedModels(place, desk.http));
  if (!place || !models) return undefined;
  const chat = models.filter(({ isForChat }) => isForChat).map(({ id, isLoaded }) => ({ id, isLoaded }));
  return { provider, baseUrl: shownUrl(place.root), access: 'answers', models: chat };
}

interface Access extends Pick<ListedProvider, 'baseUrl' | 'access'> {
  /** Why the key cannot be read. */
  readonly doubt?: string;
}

async function accessTo(provider: string, { world, settled, readKeys }: ModelDesk): Promise<Access | undefined> {
  const own = settled.config.provider[provider];
  const defaults = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  const base = baseUrlOf(provider, { defaults, ownBaseUrl: own?.baseUrl, env: world.env });
  if (!base || (defaults?.server && !own)) return undefined;
  // A list must not ask a password store for keys.
  const read = await readKeys(provider, own?.apiKeyFile === undefined ? undefined : { apiKeyFile: own.apiKeyFile });
  const baseUrl = shownUrl(base.baseUrl);
  if (own?.apiKeyCommand) return { baseUrl, access: `key of provider.${provider}.apiKeyCommand` };
  const sources = { own, usualVariables: defaults?.keyVariables ?? [], env: world.env };
  const keys = keysOf(provider, { ...sources, read: read.ok ? read.value : undefined });
  const unread = read.ok ? keys : read;
  if (!keys.ok || !unread.ok)
    return { baseUrl, access: 'its key cannot be read', ...(unread.ok ? {} : { doubt: unread.fault.message }) };
  const { keys: found, place } = keys.value;
  if (found.length === 0) return own ? { baseUrl, access: 'no key' } : undefined;
  return { baseUrl, access: `${found.length === 1 ? 'key' : `${found.length} keys`} of ${place}` };
}

/** Models that only the config names. */
const configured = (provider: string, known: readonly ListedModel[], { settled }: ModelDesk): ListedModel[] =>
  Object.keys(settled.config.models)
    .filter((model) => model.startsWith(`${provider}/`))
    .map((model) => ({ id: model.slice(provider.length + 1) }))
    .filter(({ id }) => !known.some((one) => one.id === id));

export interface ModelInfo {
  /** `provider/model`. */
  readonly model: string;
  readonly wire: string;
  readonly url: string;
  readonly card: ModelCard;
  readonly notices: readonly string[];
}

/** Without a name, about the model that a run would use. */
export const modelInfo = (world: World, overrides: Overrides): Promise<Result<ModelInfo, Fault>> =>
  atDesk(world, overrides, async (desk) => {
    const spec = mainModel(desk.settled, []);
    if (!spec.ok) return spec;
    const ready = await knownModel(spec.value, desk);
    if (!ready.ok) return ready;
    const { endpoint, card, notices } = ready.value;
    const { model, wire, url } = endpoint;
    return ok({ model, wire, url: shownUrl(url), card, notices: [...desk.settled.notices, ...notices] });
  });
