import { describe, expect, it } from 'vitest';
import { type Leaky, salvage } from './salvage.ts';
import { samples } from './testing/samples.ts';
import { admitFor, tools } from './testing/tools.ts';

const read: readonly (readonly [string, unknown])[] = [['read', { path: 'a' }]];
const rescue = (more: Partial<Leaky>) =>
  salvage({ text: '', tools, nativeCalls: [], isWhole: true, admit: admitFor(tools), ...more });

describe.each(samples.map((sample) => [sample.dialect, sample.text, sample] as const))('%s: %j', (_, text, sample) => {
  const { calls: wanted = read, visible = '' } = sample;

  it('is found in the text', () => {
    const { calls, refused, visibleText, cut } = rescue({ text });
    expect(calls.map(({ name, input }) => [name, input])).toEqual(wanted);
    expect(visibleText.trim()).toBe(visible);
    expect(refused).toEqual([]);
    expect(cut).toBeUndefined();
  });
});
