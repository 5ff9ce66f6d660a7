import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { List } from '../base/list.ts';
import { ok } from '../base/result.ts';
import { fakeClock, heard as fakeHeard, memoryJournal, says } from '../loop/fakes.ts';
import type { Event, Heard, Recorded } from '../protocol/event.ts';
import { addToDay, readDay, readSession } from './day-ledger.ts';
import { dollars, type Entry, entryOf, ledgerOf, type PriceOf } from './ledger.ts';
import { type Caps, createMeter, unpricedCap } from './limits.ts';

const priceOf: PriceOf = (model) => (model === 'a/x' ? { input: 2, output: 10, cached: 0.5 } : undefined);
const heard = (model: string, usage?: Heard['raw']['usage']): Heard => {
  const event = fakeHeard(says('some words'));
  return { ...event, model, requestBytes: 4000, raw: { ...event.raw, ...(usage ? { usage } : {}) } };
};
const usage = (inputTokens: number, outputTokens: number, cachedTokens = 0) => ({
  inputTokens,
  outputTokens,
  cachedTokens,
});
const record = (...events: readonly Event[]): Recorded[] =>
  events.map((event, index) => ({ seq: index + 1, at: 1000 + index, agent: 'main', event }));

describe('the price of a reply', () => {
  it('counts cached input at its own price', () => {
    expect(entryOf(heard('a/x', usage(1_000_000, 100_000, 400_000)), priceOf).usd).toBeCloseTo(1.2 + 0.2 + 1);
    expect(entryOf(heard('a/x', usage(0, 0, 50)), priceOf).usd).toBeGreaterThanOrEqual(0);
  });

  it('counts what was written into the cache a quarter dearer, or at its own price', () => {
    const counted = { ...usage(1_000_000, 0, 400_000), cacheWriteTokens: 200_000 };
    expect(entryOf(heard('a/x', counted), priceOf).usd).toBeCloseTo(0.8 + 0.2 + 0.5);
    const own: PriceOf = () => ({ input: 2, output: 10, cacheWrite: 4 });
    expect(entryOf(heard('a/x', counted), own).usd).toBeCloseTo(0.8 + 0.8 + 0.8);
  });

  it('is not known without a price, and an estimate without a usage', () => {
    expect(entryOf(heard('b/y', usage(10, 10)), priceOf)).toMatchObject({ usd: null, isEstimate: false });
    expect(entryOf(heard('a/x'), priceOf)).toMatchObject({ isEstimate: true, inputTokens: 1080 });
  });
});

describe('a ledger', () => {
  it('begins a turn with a word when idle, not with one in mid-turn, and adds up the session', () => {
    const reply = heard('a/x', usage(100, 10));
    const events: Event[] = [
      { type: 'prompted', text: 'one' },
      reply,
      { type: 'released' },
      { type: 'prompted', text: 'two' },
      reply,
      { type: 'prompted', text: 'and' },
      reply,
      { type: 'stopped', reason: 'interrupted' },
    ];
    const { turn, session } = ledgerOf(record(...events), priceOf);
    expect([turn.replies, turn.inputTokens, session.replies, session.inputTokens]).toEqual([2, 200, 3, 300]);
  });

  it('counts what was cut, refused and said by others', () => {
    const { session } = ledgerOf(
      record({ type: 'prompted', text: '' }, heard('b/y', usage(5, 5)), heard('a/x')),
      priceOf,
    );
    expect(session).toMatchObject({ replies: 2, unpricedReplies: 1, estimatedReplies: 1 });
  });
});

describe('a day', () => {
  const dirs: string[] = [];
  afterEach(() => {
    for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
  });
  const directory = () => {
    const dir = mkdtempSync(join(tmpdir(), 'smew-ledger-'));
    dirs.push(dir);
    return dir;
  };
  const noon = new Date(2026, 0, 31, 12).getTime();
  const entry: Entry = { model: 'a/x', inputTokens: 10, outputTokens: 5, cachedTokens: 0, usd: 0.5, isEstimate: false };

  it('adds up by model and by session, over broken lines, and is empty where nothing was spent', () => {
    const dir = directory();
    addToDay(dir, { ...entry, at: noon, session: 's1' });
    addToDay(dir, { ...entry, model: 'b/y', usd: null, at: noon + 1, session: 's2' });
    appendFileSync(join(dir, 'ledger', '2026-01-31.jsonl'), '{"half\n"text"\n{"model":"c"}\n');
    addToDay(dir, { ...entry, at: noon + 24 * 3_600_000, session: 's1' });
    const day = readDay(dir, noon);
    expect(day).toMatchObject({ ok: true, value: { replies: 2, usd: 0.5, unpricedReplies: 1 } });
    expect(day.ok && [...day.value.byModel.keys()]).toEqual(['a/x', 'b/y']);
    expect(readSession(dir, 's1')).toMatchObject({ ok: true, value: { replies: 2, usd: 1 } });
    expect(readDay(dir, 0)).toMatchObject({ ok: true, value: { replies: 0 } });
    expect(readSession(directory(), 's1')).toMatchObject({ ok: true, value: { replies: 0 } });
  });

  const meterWith = (caps: Caps, dataDir?: string) => {
    const clock = fakeClock(noon);
    const meter = createMeter({ sessionId: 's1', past: [], priceOf, caps, dataDir, now: () => clock.now() });
    const journal = meter.counting(memoryJournal({}, clock));
    const ask = async () => {
      const answer = await meter.capped(async () => ok(says('yes')))(
        { model: 'a/x', system: [], tools: [], messages: List.of() },
        { signal: new AbortController().signal, emit: () => {} },
      );
      return answer.ok ? 'asked' : answer.fault.message;
    };
    return { journal, ask };
  };

  it.each([
    [{ tokens: 1_100 }, 'this turn has used 1100 of 1100 tokens'],
    [{ cost: 0.003 }, 'this turn has cost $0.0030 of $0.0030'],
    [{ sessionTokens: 1_000 }, 'this session has used 1100'],
    [{ sessionCost: 0.001 }, 'this session has cost'],
    [{ dayCost: 0.001 }, 'today has cost'],
    [{ tokens: 1_101, cost: 1, sessionCost: 1, sessionTokens: 9_999, dayCost: 1 }, 'asked'],
    [{}, 'asked'],
  ])('turn or session with the caps %j after 1,100 tokens: %s', async (caps, says) => {
    const { journal, ask } = meterWith(caps, directory());
    journal.append({ type: 'prompted', text: 'go' }, 'main');
    expect(await ask()).toBe('asked');
    journal.append(heard('a/x', usage(1000, 100)), 'main');
    expect(await ask()).toContain(says);
  });

  it('has new caps of a turn with the next word, and counts sub-agents', async () => {
    const { journal, ask } = meterWith({ tokens: 1_000 });
    journal.append({ type: 'prompted', text: 'go' }, 'main');
    journal.append(heard('a/x', usage(1000, 100)), 'sub-1');
    expect(await ask()).toContain('this turn');
    journal.append({ type: 'released' }, 'main');
    journal.append({ type: 'prompted', text: 'on' }, 'main');
    expect(await ask()).toBe('asked');
  });
});

describe('a cap on cost', () => {
  it('for a model without a price is refused, because it could never hold', () => {
    expect(unpricedCap({ cost: 1 }, 'b/y', priceOf)).toMatchObject({ kind: 'usage' });
    expect(unpricedCap({ cost: 1 }, 'a/x', priceOf)).toBeUndefined();
    expect(unpricedCap({ tokens: 1 }, 'b/y', priceOf)).toBeUndefined();
  });
});

it('dollars show what matters', () => {
  expect([0, 0.00421, 0.5, 12.345].map(dollars)).toEqual(['$0.00', '$0.0042', '$0.5000', '$12.35']);
});
