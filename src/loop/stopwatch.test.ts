import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leftBehind } from './leave.ts';
import { Stopwatch } from './stopwatch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms));
const clock = { now: () => Date.now() };

describe('a stopwatch', () => {
  it('rings when the time is spent, and never without a limit', () => {
    const ring = vi.fn();
    new Stopwatch(100, clock).start(ring);
    new Stopwatch(0, clock).start(ring);
    vi.advanceTimersByTime(99);
    expect(ring).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100_000);
    expect(ring).toHaveBeenCalledTimes(1);
  });

  it('stands still while somebody is waited for, through waits that overlap', async () => {
    const ring = vi.fn();
    const watch = new Stopwatch(100, clock);
    watch.start(ring);
    await vi.advanceTimersByTimeAsync(60);
    const waits = [watch.paused(later(500)), watch.paused(later(900))];
    await vi.advanceTimersByTimeAsync(901);
    await Promise.all(waits);
    await vi.advanceTimersByTimeAsync(38);
    expect(ring).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3);
    expect(ring).toHaveBeenCalledTimes(1);
  });

  it('goes on after a wait that failed', async () => {
    const ring = vi.fn();
    const watch = new Stopwatch(100, clock);
    watch.start(ring);
    await expect(watch.paused(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(101);
    expect(ring).toHaveBeenCalledTimes(1);
  });

  it('leaves no timer once it was stopped, also when a wait ends after that', async () => {
    const watch = new Stopwatch(100, clock);
    watch.start(() => {});
    const wait = watch.paused(later(50));
    watch.stop();
    await vi.advanceTimersByTimeAsync(50);
    await wait;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('work that was told to stop', () => {
  const { signal: never } = new AbortController();

  it('gives its outcome where it comes back in time, and leaves no timer', async () => {
    const { signal } = stopped();
    const outcome = leftBehind(
      later(5)().then(() => 'late but there'),
      signal,
      1_000,
    );
    await vi.advanceTimersByTimeAsync(5);
    expect(await outcome).toBe('late but there');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is left behind after its grace; what it throws then hurts nobody', async () => {
    const { signal } = stopped();
    const work = later(2_000)().then(() => Promise.reject(new Error('too late')));
    const outcome = leftBehind(work, signal, 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2_000);
  });

  it('is waited for as long as nobody calls it off', async () => {
    const outcome = leftBehind(
      later(50_000)().then(() => 1),
      never,
      1,
    );
    await vi.advanceTimersByTimeAsync(50_000);
    expect(await outcome).toBe(1);
  });
});

function stopped() {
  const controller = new AbortController();
  controller.abort();
  return controller;
}
