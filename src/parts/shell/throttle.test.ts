import { expect, test } from 'vitest';
import { sleep } from '../../base/abort.ts';
import { throttled } from './throttle.ts';

test('many pieces become few, and nothing of a short text is lost', async () => {
  const passed: string[] = [];
  const live = throttled(20, (text) => passed.push(text));
  for (let number = 0; number < 10; number++) live.add(`${number}`);
  expect(passed).toEqual([]);
  await sleep(60);
  expect(passed).toEqual(['0123456789']);
  live.add('end');
  live.end();
  expect(passed).toEqual(['0123456789', 'end']);
  live.end();
  expect(passed).toHaveLength(2);
});

test('of very much text only the newest part is passed on', () => {
  const passed: string[] = [];
  const live = throttled(1000, (text) => passed.push(text));
  live.add(`${'x'.repeat(100_000)}newest`);
  live.end();
  expect(passed[0]?.length).toBe(8000);
  expect(passed[0]?.endsWith('newest')).toBe(true);
});
