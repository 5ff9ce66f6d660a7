import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { linkedController, sleep, timerMs } from './abort.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('sleep', () => {
  it('says that it slept', async () => {
    const slept = sleep(100);
    await vi.advanceTimersByTimeAsync(100);
    expect(await slept).toBe(true);
  });

  it('wakes at once when called off, and leaves neither timer nor listener', async () => {
    const controller = new AbortController();
    const slept = sleep(100, controller.signal);
    controller.abort();
    expect(await slept).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
    expect(await sleep(100, controller.signal)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no listener on a signal that lives on', async () => {
    const { signal } = new AbortController();
    const slept = sleep(100, signal);
    expect(getEventListeners(signal, 'abort').length).toBe(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(await slept).toBe(true);
    expect(getEventListeners(signal, 'abort').length).toBe(0);
  });
});

describe('a delay for a timer', () => {
  it('is never one that rings at once because it was too long', () => {
    expect(timerMs(Number.POSITIVE_INFINITY)).toBe(2_147_483_647);
    expect(timerMs(2 ** 40)).toBe(2_147_483_647);
    expect(timerMs(-5)).toBe(0);
    expect(timerMs(70)).toBe(70);
  });
});

describe('a linked controller', () => {
  it('aborts with its parent and for the same reason', () => {
    const parent = new AbortController();
    const child = linkedController(parent.signal);
    parent.abort('SIGTERM');
    expect(child.signal.reason).toBe('SIGTERM');
    expect(linkedController(parent.signal).signal.reason).toBe('SIGTERM');
  });

  it('leaves its parent alone, and can be let go', () => {
    const parent = new AbortController();
    const child = linkedController(parent.signal);
    child.abort('mine');
    expect(parent.signal.aborted).toBe(false);
    const other = linkedController(parent.signal);
    child.release();
    other.release();
    expect(getEventListeners(parent.signal, 'abort').length).toBe(0);
    parent.abort();
    expect(other.signal.aborted).toBe(false);
  });
});
