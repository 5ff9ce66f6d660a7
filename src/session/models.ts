/** A model made ready: its address and key, and everything that is known about it. */
import { fail, ok, type Result } from '../base/result.ts';
import type { RoleName } from '../parts/config/model-settings.ts';
import { isLoopback } from '../parts/models/baseUrl.ts';
import { type ModelCard, makeCard } from '../parts/models/catalogue/card.ts';
import { findEntry, readCatalogue } from '../parts/models/catalogue/find.ts';
import type { Endpoint } from '../parts/models/endpoint.ts';
import { readModelName, resolveModel } from '../parts/models/provider.ts';
import { providers, type ServerName } from '../parts/models/providers.ts';
import { servedFacts } from '../parts/models/windows/probe.ts';
import { workingWindow } from '../parts/models/windows/working.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import { grouped } from './fit.ts';
import { findLocalModel } from './local.ts';
import type { ModelDesk } from './model-desk.ts';
import { modelForRole } from './roles.ts';

export interface ReadyModel {
  readonly endpoint: Endpoint;
  readonly card: ModelCard;
  readonly notices: readonly string[];
}

/** The address and key of `provider/model`; fails with what is missing and where to set it. */
export async function openEndpoint(spec: string | undefined, desk: ModelDesk): Promise<Result<Endpoint, Fault>> {
  const { provider } = desk.settled.config;
  const named = readModelName(spec, provider);
  if (!named.ok) return await guess(spec ?? '', desk, named.fault);
  const own = provider[named.value.provider];
  const readKeys = await desk.readKeys(named.value.provider, own);
  if (!readKeys.ok) return readKeys;
  const configDirectory = desk.settled.dirs.config;
  return resolveModel(spec, { env: desk.world.env, config: provider, readKeys: readKeys.value, configDirectory });
}

/** A model's own name without its provider: which it may be, from the tiers and the catalogue. */
async function guess(spec: string, { settled }: ModelDesk, unnamed: Fault): Promise<Result<never, Fault>> {
  if (spec === '' || spec.includes('/')) return fail(unnamed);
  const catalogue = await readCatalogue();
  const holders = [...catalogue.keys()].filter((provider) => findEntry(catalogue, provider, spec));
  const likely = holders.length > 0 ? ` Perhaps you mean: ${holders.map((name) => `${name}/${spec}`).join(', ')}.` : '';
  const tiers = Object.keys(settled.config.tiers);
  const known = tiers.length > 0 ? ` The tiers are: ${tiers.join(', ')}.` : '';
  return fail(fault('usage', `${unnamed.message}${likely}${known}`));
}

/** Opens the model; without a name, one that a server on this machine holds. */
export async function openModel(spec: string | undefined, desk: ModelDesk): Promise<Result<ReadyModel, Fault>> {
  const found = spec === undefined ? await findLocalModel(desk) : ok({ spec, notices: [] });
  if (!found.ok) return found;
  const endpoint = await openEndpoint(found.value.spec, desk);
  if (!endpoint.ok) return endpoint;
  const card = await cardOf(endpoint.value, desk);
  return ok({
    endpoint: { ...endpoint.value, contextTokens: card.contextTokens },
    card,
    notices: [...found.value.notices, ...(await doubts(endpoint.value, card, desk))],
  });
}

/** What is known of a model, also where its key is missing or cannot be read; that is among the notices then. */
export async function knownModel(spec: string | undefined, desk: ModelDesk): Promise<Result<ReadyModel, Fault>> {
  const ready = await openModel(spec, desk);
  if (ready.ok || spec === undefined) return ready;
  const { env } = desk.world;
  const readKeys = { configured: ['stand-in'], kept: [] };
  const resolved = resolveModel(spec, { env, config: desk.settled.config.provider, readKeys });
  // Something else is wrong than the key.
  if (!resolved.ok) return ready;
  const endpoint: Endpoint = { ...resolved.value, headers: {}, keys: [], secrets: [] };
  return ok({ endpoint, card: await cardOf(endpoint, desk), notices: [ready.fault.message] });
}

/** The model of a role, made ready; the main model where the role has none of its own. */
export async function openRole(role: RoleName, main: ReadyModel, desk: ModelDesk): Promise<Result<ReadyModel, Fault>> {
  const { model } = main.endpoint;
  const spec = modelForRole(desk.settled.config, role, model);
  if (!spec.ok) return spec;
  return spec.value === model ? ok(main) : await openModel(spec.value, desk);
}

export async function cardOf(endpoint: Endpoint, desk: ModelDesk): Promise<ModelCard> {
  const { provider, modelId, model } = endpoint;
  const { models, window } = desk.settled.config;
  const own = models[model];
  const server = serverOf(endpoint, desk);
  const served = await askServer(endpoint, desk);
  return makeCard({
    own,
    served: workingWindow(served, { wire: endpoint.wire, server, wishedTokens: window.unknownTokens }),
    entry: server ? undefined : findEntry(await readCatalogue(), provider, modelId),
    assumedTokens: window.unknownTokens,
  });
}

const serverOf = ({ provider }: Endpoint, { settled }: ModelDesk): ServerName | undefined =>
  settled.config.provider[provider]?.server ??
  (Object.hasOwn(providers, provider) ? providers[provider]?.server : undefined);

/** Only servers of one's own are asked: known ones, and unknown ones on this machine. */
async function askServer(endpoint: Endpoint, desk: ModelDesk) {
  const server = serverOf(endpoint, desk);
  const isOwn = server !== undefined || (!Object.hasOwn(providers, endpoint.provider) && isLoopback(endpoint.url));
  if (!isOwn) return undefined;
  const { root, headers, modelId } = endpoint;
  return await servedFacts({ server, root, headers }, modelId, desk);
}

/** What the user should know about a model before the first word. */
async function doubts({ model }: Endpoint, card: ModelCard, desk: ModelDesk): Promise<string[]> {
  const { config, origins } = desk.settled;
  const isUnknown = card.sources.contextTokens === 'assumed' && !origins.has('window.unknownTokens');
  const isNews = isUnknown && (await desk.memory.recall('assumed', model)) === undefined;
  if (isNews) await desk.memory.keep('assumed', model, {});
  const { effort } = config;
  return [
    ...(isNews
      ? [
          `Nothing is known about ${model}: a window of ${grouped(card.contextTokens)} tokens is assumed. Set models.${model}.contextTokens in the config where it is another.`,
        ]
      : []),
    ...(card.callsTools === false
      ? [
          `${model} does not call tools (${card.sources.callsTools}): it will hardly get work done. Choose another with -m.`,
        ]
      : []),
    ...(effort === undefined ? [] : effortDoubt(effort, model, card)),
  ];
}

/** The words of all vendors together. */
const usualEfforts: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

function effortDoubt(effort: string, model: string, { efforts }: ModelCard): string[] {
  if ((efforts ?? usualEfforts).includes(effort)) return [];
  return efforts
    ? [`${model} knows the efforts ${efforts.join(', ')}; "${effort}" is sent as it stands.`]
    : [
        `"${effort}" is no effort of any known model (${usualEfforts.join(', ')}); ${model} is asked for it all the same.`,
      ];
}
