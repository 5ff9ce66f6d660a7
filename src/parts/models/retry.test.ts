import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../base/result.ts';
import type { Wire } from '../../loop/ports.ts';
import { type FaultKind, fault } from '../../protocol/fault.ts';
import type { RawReply } from '../../protocol/model.ts';
import { retrying } from './retry.ts';
import { asking, ear } from './testing/asking.ts';

const reply: RawReply = { text: 'yes', calls: [], finish: 'stop', isCut: false };

/** Fails so many times, then answers. */
function failing(times: number, kind: FaultKind, before: () => void = () => {}): { wire: Wire; count: () => number } {
  let count = 0;
  const wire: Wire = async (_, io) => {
    count++;
    before();
    if (count <= times) return fail(fault(kind, 'wrong'));
    io.emit({ type: 'text.grew', delta: 'yes' });
    return ok(reply);
  };
  return { wire, count: () => count };
}

describe('asking again', () => {
  it.each(['unreachable', 'rate', 'overloaded', 'stalled', 'cut'] satisfies FaultKind[])(
    'helps against %s',
    async (kind) => {
      const { wire } = failing(2, kind);
      expect(await retrying(wire, { random: () => 0, baseMs: 1 })(asking(), ear().io)).toEqual(ok(reply));
    },
  );

  it.each(['unauthorised', 'quota', 'not found', 'overflow', 'refused', 'garbled', 'aborted'] satisfies FaultKind[])(
    'does not help against %s',
    async (kind) => {
      const { wire, count } = failing(9, kind);
      expect(await retrying(wire, { random: () => 0, baseMs: 1 })(asking(), ear().io)).toMatchObject({ ok: false });
      expect(count()).toBe(1);
    },
  );

  it('does not help where the fault says that it lasts', async () => {
    let count = 0;
    const wire: Wire = async () => {
      count++;
      return fail(fault('unreachable', 'its certificate has expired', { isLasting: true }));
    };
    await retrying(wire, { random: () => 0, baseMs: 1 })(asking(), ear().io);
    expect(count).toBe(1);
  });

  it('never happens after output began', async () => {
    let count = 0;
    const wire: Wire = async (_, io) => {
      count++;
      io.emit({ type: 'reasoning.grew', delta: 'hm' });
      return fail(fault('overloaded', 'wrong'));
    };
    expect(await retrying(wire, { random: () => 0, baseMs: 1 })(asking(), ear().io)).toMatchObject({ ok: false });
    expect(count).toBe(1);
  });

  it('waits twice as long each time, up to a limit, spread by chance', async () => {
    const { wire } = failing(5, 'overloaded');
    const listener = ear();
    const chances = [0, 0.5, 0.999, 0, 0];
    const random = () => chances.shift() ?? 0;
    await retrying(wire, { random, baseMs: 8, maxMs: 20 })(asking(), listener.io);
    expect(listener.of('retry.waited').map(({ delayMs, attempt }) => [attempt, delayMs])).toEqual([
      [1, 4],
      [2, 12],
      [3, 20],
      [4, 10],
      [5, 10],
    ]);
  });

  it('is given up sooner where nobody answers at all', async () => {
    const { wire, count } = failing(99, 'unreachable');
    await retrying(wire, { random: () => 0, baseMs: 1 })(asking(), ear().io);
    expect(count()).toBe(4);
  });

  it('ends at once when the wait is called off', async () => {
    const stop = new AbortController();
    const { wire } = failing(9, 'rate', () => setTimeout(() => stop.abort(), 10));
    const answer = await retrying(wire, { random: () => 0, baseMs: 60_000, maxMs: 60_000 })(
      asking(),
      ear(stop.signal).io,
    );
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'aborted' } });
  });
});
