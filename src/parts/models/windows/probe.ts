/** Asks servers of one's own: which models, and how large the windows that they really opened. */

import { isLoopback } from '../baseUrl.ts';
import type { Http } from '../http.ts';
import type { ServerName } from '../providers.ts';
import { asker } from './ask.ts';
import { llamacpp } from './llamacpp.ts';
import { lmstudio } from './lmstudio.ts';
import type { WindowMemory } from './memory.ts';
import { ollama } from './ollama.ts';
import type { LocalServer, ServedFacts, ServedModel } from './server.ts';
import { vllm } from './vllm.ts';

/** In the order in which they are looked for. */
const servers: Readonly<Record<ServerName, LocalServer>> = { ollama, lmstudio, llamacpp, vllm };

const factsMs = 500;
const lookMs = 300;

/** A server at an address. */
export interface ServerPlace {
  /** Undefined where it is not known; then each kind is tried, and only on this machine. */
  readonly server: ServerName | undefined;
  readonly root: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FactsOptions {
  readonly http: Http;
  readonly memory: WindowMemory;
}

/** What the server says about the model; what it said last time where it does not answer soon. */
export async function servedFacts(
  place: ServerPlace,
  modelId: string,
  { http, memory }: FactsOptions,
): Promise<ServedFacts | undefined> {
  const { server, root } = place;
  const kinds = server === undefined ? kindsAt(root) : [servers[server]];
  if (kinds.length === 0) return undefined;
  const ask = asker({ ...place, http, limitMs: factsMs });
  const answers = await Promise.all(kinds.map((kind) => kind.facts(ask, modelId)));
  const facts = answers.find((one) => one?.contextTokens !== undefined) ?? answers.find((one) => one !== undefined);
  if (!facts) return await memory.recall(root, modelId);
  await memory.keep(root, modelId, facts);
  return facts;
}

const kindsAt = (root: string): readonly LocalServer[] => (isLoopback(root) ? Object.values(servers) : []);

/** The models of a server; undefined where it does not answer. */
export async function servedModels(place: ServerPlace, http: Http): Promise<readonly ServedModel[] | undefined> {
  if (place.server === undefined) return undefined;
  return await servers[place.server].models(asker({ ...place, http, limitMs: lookMs }));
}

export interface Found {
  readonly provider: string;
  readonly root: string;
  readonly model: ServedModel;
}

/** Looks at all places at once. The first in their order with a model in memory wins, else the first with any. */
export async function findLocal(
  places: readonly (ServerPlace & { readonly provider: string })[],
  http: Http,
): Promise<Found | undefined> {
  const answers = await Promise.all(
    places.map(async (place) => {
      const models = (await servedModels(place, http)) ?? [];
      return models
        .filter(({ isForChat }) => isForChat)
        .map((model): Found => ({ provider: place.provider, root: place.root, model }));
    }),
  );
  const all = answers.flat();
  return all.find(({ model }) => model.isLoaded) ?? all[0];
}
