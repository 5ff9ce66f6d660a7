import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Queue } from './queue.ts';

describe('a Queue', () => {
  it('gives what was pushed, in order, whoever comes first', async () => {
    const queue = new Queue<number>();
    const taken: number[] = [];
    const consumer = (async () => {
      while (taken.length < 6) taken.push(await queue.take());
    })();
    queue.push(1);
    queue.push(2);
    await setImmediate();
    for (const item of [3, 4, 5, 6]) queue.push(item);
    await consumer;
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    expect(queue.size).toBe(0);
  });

  it('keeps order and size over many thousand items', async () => {
    const queue = new Queue<number>();
    for (let item = 0; item < 5_000; item++) queue.push(item);
    for (let item = 0; item < 4_000; item++) expect(await queue.take()).toBe(item);
    queue.push(5_000);
    expect(queue.size).toBe(1_001);
    expect(queue.takeAll()).toEqual(Array.from({ length: 1_001 }, (_, index) => 4_000 + index));
    expect(queue.size).toBe(0);
  });

  it('takes undefined for an item like any other', async () => {
    const queue = new Queue<undefined>();
    queue.push(undefined);
    expect(await queue.take()).toBeUndefined();
    expect(queue.size).toBe(0);
  });

  it('lets go of what was taken', async () => {
    const queue = new Queue<object>();
    const items = Array.from({ length: 3_000 }, () => ({}));
    for (const item of items) queue.push(item);
    const first = new WeakRef(items[0] ?? {});
    items.length = 0;
    for (let count = 0; count < 2_999; count++) await queue.take();
    const { gc } = globalThis;
    if (!gc) return; // only where Node was started with --expose-gc
    await setImmediate();
    gc();
    expect(first.deref()).toBeUndefined();
  });
});
