/** What keeps a session going and within its means: models that stand by, prices, and caps. */
import { join } from 'node:path';
import { fail, ok, type Result } from '../base/result.ts';
import type { Model } from '../loop/ports.ts';
import type { Endpoint } from '../parts/models/endpoint.ts';
import { quirkStore } from '../parts/models/refusals/store.ts';
import { restStore } from '../parts/models/rests.ts';
import type { Recorded } from '../protocol/event.ts';
import type { Fault } from '../protocol/fault.ts';
import { type Caps, createMeter, type Meter, unpricedCap } from './limits.ts';
import { factsOf, leftOut, modelOf, openStandbys } from './model-chain.ts';
import type { ModelDesk } from './model-desk.ts';

export interface SteadyModel {
  readonly model: Model;
  readonly meter: Meter;
  /** The window of a model of the chain, where it is known. Tokens. */
  readonly windowOf: (model: string) => number | undefined;
  /** Of every model of the chain. */
  readonly secrets: readonly string[];
  readonly notices: readonly string[];
}

export interface StayingUp {
  readonly sessionId: string;
  readonly past: readonly Recorded[];
  /** Whether the main model does; undefined where nobody knows. */
  readonly seesImages?: boolean | undefined;
}

/** The main model with everything that stands by, metered and capped. Fails on a cap that could never be reached. */
export async function steadyModel(
  endpoint: Endpoint,
  { sessionId, past, ...main }: StayingUp,
  desk: ModelDesk,
): Promise<Result<SteadyModel, Fault>> {
  const { world, settled, http } = desk;
  const { limits: caps, network } = settled.config;
  const standbys = await openStandbys(desk);
  // Under an alias, too, nobody stands by for itself.
  const unique = new Map(standbys.endpoints.map((one) => [one.model, one] as const));
  unique.delete(endpoint.model);
  const others = [...unique.values()];
  const { priceOf, windowOf, seesImages } = await factsOf([endpoint, ...others], past, desk);
  const unpriced = unpricedCap(caps, endpoint.model, priceOf);
  if (unpriced) return fail(unpriced);
  const held = others.map((standby) => ({ standby, doubt: unpricedCap(caps, standby.model, priceOf) }));
  const endpoints = [endpoint, ...held.flatMap(({ standby, doubt }) => (doubt ? [] : [standby]))] as const;
  const reading = { disabled: new Set(settled.config.replies.disabled) };
  const quirks = quirkStore(join(settled.dirs.cache, 'quirks.json'));
  const now = () => world.clock.now();
  const rests = restStore(join(settled.dirs.cache, 'rests.json'), now);
  const facts = {
    windowOf,
    seesImages: (model: string) => (model === endpoint.model ? main.seesImages : seesImages(model)),
  };
  const meter = createMeter({ sessionId, past, priceOf, caps, dataDir: settled.dirs.data, now });
  const model = meter.capped(modelOf([...endpoints], { world, network, http, quirks, rests, reading, facts }));
  const secrets = endpoints.flatMap((one) => one.secrets);
  const notices = [
    ...standbys.notices,
    ...held.flatMap(({ doubt, standby }) => (doubt ? [leftOut(standby.model, doubt)] : [])),
    ...uncounted(meter, caps),
  ];
  return ok({ model, meter, windowOf, secrets, notices });
}

/** A cap on the session's cost counts what was spent before it was set, as far as that is known. */
function uncounted(meter: Meter, { sessionCost }: Caps): string[] {
  const { unpricedReplies } = meter.ledger().session;
  return sessionCost === undefined || unpricedReplies === 0
    ? []
    : [
        `limits.sessionCost: the price of ${unpricedReplies} of this session's earlier replies is not known; they are not counted.`,
      ];
}
