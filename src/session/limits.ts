/** Caps of the user's own on cost and tokens: the next request is not sent, and the session can be gone on with. */
import { fail } from '../base/result.ts';
import type { Journal, Model } from '../loop/ports.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import { addToDay, readDay } from './day-ledger.ts';
import { dollars, entryOf, type Ledger, ledgerOf, type PriceOf, type Spent, stepLedger } from './ledger.ts';

/** Dollars and tokens (in and out together); what is absent has no cap. */
export interface Caps {
  readonly cost?: number | undefined;
  readonly tokens?: number | undefined;
  readonly sessionCost?: number | undefined;
  readonly sessionTokens?: number | undefined;
  readonly dayCost?: number | undefined;
}

export interface MeterOptions {
  readonly sessionId: string;
  readonly past: Parameters<typeof ledgerOf>[0];
  readonly priceOf: PriceOf;
  readonly caps: Caps;
  /** Where the days are kept; undefined keeps none. */
  readonly dataDir: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Meter {
  readonly ledger: () => Ledger;
  /** The journal, every reply of which is counted, whoever asked for it. */
  counting(journal: Journal): Journal;
  /** The model, which is not asked any more once a cap is reached. */
  capped(model: Model): Model;
}

export function createMeter({ sessionId, past, priceOf, caps, dataDir, now }: MeterOptions): Meter {
  let ledger = ledgerOf(past, priceOf);
  const reached = (): Fault | undefined => {
    const day = caps.dayCost === undefined || dataDir === undefined ? undefined : readDay(dataDir, now());
    return capReached(caps, { ...ledger, ...(day?.ok ? { day: day.value } : {}) });
  };
  return {
    ledger: () => ledger,
    counting: (journal) => ({
      append: (event, agent) => {
        const written = journal.append(event, agent);
        if (!written.ok) return written;
        ledger = stepLedger(ledger, written.value, priceOf);
        if (event.type === 'heard' && dataDir !== undefined) {
          // The journal has the reply; a day that cannot be written costs nobody their work.
          addToDay(dataDir, { at: written.value.at, session: sessionId, ...entryOf(event, priceOf) });
        }
        return written;
      },
      sync: () => journal.sync(),
    }),
    capped: (model) => async (request, io) => {
      const failure = reached();
      return failure ? fail(failure) : await model(request, io);
    },
  };
}

interface Spendings {
  readonly turn: Spent;
  readonly session: Spent;
  readonly day?: Spent;
}

/** The first cap that is reached, as the fault that ends the turn. */
export function capReached(caps: Caps, { turn, session, day }: Spendings): Fault | undefined {
  const { cost, tokens, sessionCost, sessionTokens, dayCost } = caps;
  const rows: readonly (readonly [
    cap: number | undefined,
    spent: number,
    says: (cap: number, spent: number) => string,
  ])[] = [
    [
      cost,
      turn.usd,
      (cap, spent) =>
        `this turn has cost ${dollars(spent)} of ${dollars(cap)}. Go on in the same session, or allow more with --max-cost.`,
    ],
    [
      tokens,
      all(turn),
      (cap, spent) =>
        `this turn has used ${spent} of ${cap} tokens. Go on in the same session, or allow more with --max-tokens.`,
    ],
    [
      sessionCost,
      session.usd,
      (cap, spent) =>
        `this session has cost ${dollars(spent)} of ${dollars(cap)}. Raise limits.sessionCost in the config, or start a new session.`,
    ],
    [
      sessionTokens,
      all(session),
      (cap, spent) =>
        `this session has used ${spent} of ${cap} tokens. Raise limits.sessionTokens in the config, or start a new session.`,
    ],
    [
      dayCost,
      day?.usd ?? 0,
      (cap, spent) =>
        `today has cost ${dollars(spent)} of ${dollars(cap)}. Raise limits.dayCost in the config, or go on tomorrow.`,
    ],
  ];
  for (const [cap, spent, says] of rows)
    if (cap !== undefined && spent >= cap) return fault('budget', says(cap, spent));
  return undefined;
}

const all = ({ inputTokens, outputTokens }: Spent): number => inputTokens + outputTokens;

/** What is wrong with a cap on cost for a model without a price: it could never be reached. Undefined where all is well. */
export function unpricedCap(caps: Caps, model: string, priceOf: PriceOf): Fault | undefined {
  const hasCap = caps.cost !== undefined || caps.sessionCost !== undefined || caps.dayCost !== undefined;
  if (!hasCap || priceOf(model)) return undefined;
  return fault(
    'usage',
    `A cap on cost cannot hold: the price of ${model} is not known. Set models."${model}".price in the config ` +
      '({input, output} in dollars for a million tokens), or use a cap on tokens: --max-tokens.',
  );
}
