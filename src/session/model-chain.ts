/** The Model of a session: every model of the chain with every key of it, each retried, adapted and read for itself. */
import type { Model, Wire } from '../loop/ports.ts';
import type { Config } from '../parts/config/settings.ts';
import { createMeasure, type Measure } from '../parts/context/measure.ts';
import { withinWindow } from '../parts/context/within.ts';
import { baseUrlOf } from '../parts/models/address.ts';
import { isLoopback } from '../parts/models/baseUrl.ts';
import type { ModelFacts } from '../parts/models/catalogue/facts.ts';
import { findEntry, readCatalogue } from '../parts/models/catalogue/find.ts';
import { withoutSight } from '../parts/models/catalogue/sight.ts';
import { withKey } from '../parts/models/credentials.ts';
import type { Endpoint } from '../parts/models/endpoint.ts';
import { type Candidate, chain } from '../parts/models/fallback.ts';
import { fitting } from '../parts/models/fit.ts';
import { createHttp, type Http } from '../parts/models/http.ts';
import type { TlsFiles } from '../parts/models/net/authorities.ts';
import { adaptingWire } from '../parts/models/open.ts';
import { providers } from '../parts/models/providers.ts';
import type { QuirkStore } from '../parts/models/refusals/memory.ts';
import { type RestStore, restName } from '../parts/models/rests.ts';
import { retrying } from '../parts/models/retry.ts';
import { watchingForCuts } from '../parts/models/windows/standing.ts';
import { type ReaderOptions, replyReader } from '../parts/replies/reader.ts';
import { callAsText, resultsAsText, toolsAsText } from '../parts/replies/salvage/text-protocol.ts';
import type { Recorded } from '../protocol/event.ts';
import type { Fault } from '../protocol/fault.ts';
import type { Price, PriceOf } from './ledger.ts';
import type { ModelDesk } from './model-desk.ts';
import { openEndpoint } from './models.ts';
import type { World } from './world.ts';

export interface ChainOptions {
  readonly world: World;
  readonly network: Config['network'];
  readonly http: Http;
  /** What servers were found to refuse. */
  readonly quirks?: QuirkStore;
  /** Who rests, from one run to the next. */
  readonly rests?: RestStore;
  /** How replies are read, beside the clock and the wire. */
  readonly reading?: Omit<ReaderOptions, 'clock' | 'wireName' | 'learnWhole'>;
  readonly facts?: Pick<KnownFacts, 'windowOf' | 'seesImages'>;
}

/** What the models of a chain have in common while they take turns. */
interface Turns extends ChainOptions {
  readonly measure: Measure;
  /** Whose window the history was last kept within. */
  answering: string;
}

/** The first endpoint is the model that is wanted; the others stand by. */
export function modelOf(endpoints: readonly [Endpoint, ...Endpoint[]], options: ChainOptions): Model {
  const [first, ...others] = endpoints;
  const turns: Turns = { ...options, measure: createMeasure(), answering: first.model };
  const [wanted, ...more] = candidatesOf(first, turns);
  return chain([wanted, ...more, ...others.flatMap((endpoint) => candidatesOf(endpoint, turns))], {
    clock: options.world.clock,
    ...(options.rests ? { rests: options.rests } : {}),
  });
}

function candidatesOf(endpoint: Endpoint, options: Turns): [Candidate, ...Candidate[]] {
  const [, ...furtherKeys] = endpoint.keys;
  if (furtherKeys.length === 0) return [candidate(endpoint, options)];
  return [
    { ...candidate(endpoint, options), keyNumber: 1 },
    ...furtherKeys.map((key, index) => ({ ...candidate(withKey(endpoint, key), options), keyNumber: index + 2 })),
  ];
}

export interface Standbys {
  readonly endpoints: readonly Endpoint[];
  /** Which of them cannot be used, and why. */
  readonly notices: readonly string[];
}

/** The models that `fallback` names; one that cannot be used is left out and told. */
export async function openStandbys(desk: ModelDesk): Promise<Standbys> {
  const opened = await Promise.all(
    [...new Set(desk.settled.config.fallback)].map(async (spec) => ({
      spec,
      endpoint: await openEndpoint(spec, desk),
    })),
  );
  return {
    endpoints: opened.flatMap(({ endpoint }) => (endpoint.ok ? [endpoint.value] : [])),
    notices: opened.flatMap(({ spec, endpoint }) => (endpoint.ok ? [] : [leftOut(spec, endpoint.fault)])),
  };
}

export const leftOut = (model: string, { message }: Fault): string => `fallback: ${model} is left out. ${message}`;

export interface KnownFacts {
  readonly priceOf: PriceOf;
  /** Tokens; undefined where nobody knows. */
  readonly windowOf: (model: string) => number | undefined;
  /** Undefined where nobody knows. */
  readonly seesImages: (model: string) => boolean | undefined;
}

interface ToldFacts {
  readonly price: Price | undefined;
  readonly contextTokens: number | undefined;
  readonly seesImages: boolean | undefined;
}

/**
 * About the models of the chain, and those that spoke before: a session may have changed its model, and costs what all of
 * them cost. The user's own figures first, then the catalogue's; servers of this machine cost nothing.
 */
export async function factsOf(
  endpoints: readonly Endpoint[],
  past: readonly Recorded[],
  { world, settled }: ModelDesk,
): Promise<KnownFacts> {
  const { models, provider: providersSet } = settled.config;
  const spoke = past.flatMap(({ event }) => (event.type === 'heard' ? [event.model] : []));
  const places = new Map<string, string | undefined>([
    ...spoke.map((model) => [model, usualUrl(partsOf(model).provider, { own: providersSet, env: world.env })] as const),
    ...endpoints.map(({ model, url }) => [model, url] as const),
  ]);
  const facts = new Map<string, ToldFacts>();
  for (const [model, url] of places) {
    const own = models[model];
    const { provider, modelId } = partsOf(model);
    const known: ModelFacts | undefined =
      url !== undefined && URL.canParse(url) && isLoopback(url)
        ? { price: free }
        : findEntry(await readCatalogue(), provider, modelId)?.facts;
    facts.set(model, {
      price: own?.price ?? known?.price,
      contextTokens: own?.contextTokens ?? known?.contextTokens,
      seesImages: own?.seesImages ?? known?.seesImages,
    });
  }
  return {
    priceOf: (model) => facts.get(model)?.price,
    windowOf: (model) => facts.get(model)?.contextTokens,
    seesImages: (model) => facts.get(model)?.seesImages,
  };
}

/** `provider/model`, whose model may hold slashes. */
function partsOf(model: string): { readonly provider: string; readonly modelId: string } {
  const slash = model.indexOf('/');
  return { provider: model.slice(0, Math.max(0, slash)), modelId: model.slice(slash + 1) };
}

interface UrlSources {
  readonly own: Config['provider'];
  readonly env: World['env'];
}

/** Where a model that is not open now would be asked. */
function usualUrl(provider: string, { own, env }: UrlSources): string | undefined {
  const defaults = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  return baseUrlOf(provider, { defaults, ownBaseUrl: own[provider]?.baseUrl, env })?.baseUrl;
}

const free = { input: 0, output: 0 };

export const textTools = { toolsAsText, callAsText, resultsAsText };

/** Where another stands by, one more attempt and a short wait are enough. */
const brief = { attempts: 2, patienceMs: 3000 };

function candidate(endpoint: Endpoint, turns: Turns): Candidate {
  const { world, network, quirks, reading } = turns;
  const { clock, random } = world;
  // Retried here and not in `openWire`: how patiently depends on who else is ready.
  const { url, modelId } = endpoint;
  const learnWhole = () => quirks?.keep(url, modelId, { ...quirks.of(url, modelId), streams: false });
  const wire = ableWire(endpoint, turns);
  const patiences = { briefly: brief, patiently: { attempts: network.retries + 1 } };
  return {
    model: endpoint.model,
    provider: endpoint.provider,
    restName: () => restName([url, endpoint.model, ...Object.values(endpoint.headers), endpoint.keys[0] ?? '']),
    ask: (request, io, patience) => {
      // A step has one number of tries, whether they fail before a reply or in the middle of one.
      const { wire: counted, mayAsk } = within(wire, patiences[patience].attempts);
      const retried = fitting(retrying(counted, { random, mayAsk, ...patiences[patience] }));
      return replyReader(retried, { ...reading, learnWhole, clock, mayAsk, wireName: endpoint.wire })(request, io);
    },
  };
}

/** The wire, sent only what the model can take: no image that it cannot see, and no more than its window holds. */
function ableWire(endpoint: Endpoint, turns: Turns): Wire {
  const { world, http, quirks, facts, measure } = turns;
  const { model } = endpoint;
  const bare = adaptingWire(endpoint, { http, clock: world.clock, textTools, ...(quirks ? { quirks } : {}) });
  const watched = watchingForCuts(bare, model);
  const seen = facts?.seesImages(model) === false ? withoutSight(watched, model) : watched;
  const answering: Wire = async (request, io) => {
    const answer = await seen(request, io);
    if (answer.ok) turns.answering = model;
    return answer;
  };
  const window = facts?.windowOf(model);
  if (window === undefined) return answering;
  return withinWindow(answering, { model, window, measure, isNew: () => turns.answering !== model });
}

/** The wire, and whether fewer than `attempts` requests went through it. */
function within(wire: Wire, attempts: number): { readonly wire: Wire; readonly mayAsk: () => boolean } {
  let asked = 0;
  return {
    wire: (request, io) => {
      asked++;
      return wire(request, io);
    },
    mayAsk: () => asked < attempts,
  };
}

/** The session's one client; files of certificates are read at the first request. */
export const httpOf = ({ env, home }: World, network: Config['network']): Http =>
  createHttp(
    {
      connectMs: network.connectSeconds * 1000,
      firstOutputMs: network.firstByteSeconds * 1000,
      betweenMs: network.stallSeconds * 1000,
    },
    { env, files: inHome(network, home) },
  );

/** `~/` at the beginning of a path is the home. */
function inHome({ caFile, certFile, keyFile, usesSystemStore }: Config['network'], home: string): TlsFiles {
  const whole = (path: string | undefined) => path?.replace(/^~(?=\/)/, home);
  return { caFile: whole(caFile), certFile: whole(certFile), keyFile: whole(keyFile), usesSystemStore };
}
