import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyFaults } from '../../loop/history.ts';
import type { Message, Reply } from '../../protocol/message.ts';
import { alternating, soundHistory } from './history.ts';

const says = (text: string, ...ids: string[]): Reply => ({
  from: 'model',
  text,
  calls: ids.map((id) => ({ id, name: 'read', input: { path: id } })),
});
const user = (text: string): Message => ({ from: 'user', text });
const results = (...ids: string[]): Message => ({
  from: 'tools',
  results: ids.map((callId) => ({ callId, ok: true, text: `result of ${callId}` })),
});

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.constantFrom('', 'a', 'b').map(user),
  fc
    .tuple(fc.constantFrom('', 'x'), fc.array(fc.constantFrom('1', '2', '3', ''), { maxLength: 3 }))
    .map(([text, ids]) => says(text, ...ids)),
  fc.array(fc.constantFrom('1', '2', '3', ''), { maxLength: 3 }).map((ids) => results(...ids)),
);

const long: readonly Message[] = Array.from({ length: 12 }, (_, turn) => [
  user(`u${turn}`),
  says(`t${turn}`, `${turn}a`, `${turn}b`),
  results(`${turn}a`, `${turn}b`),
  says('', `${turn}c`),
  results(`${turn}c`),
  says('done'),
]).flat();

function expectSound(messages: readonly Message[]): void {
  const sound = soundHistory(messages);
  expect(historyFaults(sound)).toEqual([]);
  expect(sound.at(-1)?.from).not.toBe('model');
  for (const one of sound) {
    if (one.from === 'tools') expect(one.results.length).toBeGreaterThan(0);
    else expect(one.text !== '' || (one.from === 'model' && one.calls.length > 0)).toBe(true);
  }
}

describe('a sound history', () => {
  it('is handed back as it is', () => {
    const sound = long.slice(0, 5);
    expect(soundHistory(sound)).toBe(sound);
  });

  it('comes from any messages', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 14 }), (messages) => expectSound(messages)),
      { seed: 11, numRuns: 400 },
    );
  });

  it('comes from a long session of which messages were deleted and moved, and no result is lost whose call stands', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...long.keys()], { minLength: 1 }), fc.boolean(), (places, isSorted) => {
        const order = isSorted ? [...places].sort((left, right) => left - right) : places;
        const left = order.flatMap((place) => long[place] ?? []);
        expectSound(left);
        const texts = JSON.stringify(soundHistory(left));
        const calls = new Set(left.flatMap((one) => (one.from === 'model' ? one.calls.map(({ id }) => id) : [])));
        const answers = left.flatMap((one) => (one.from === 'tools' ? one.results : []));
        for (const { callId, text } of answers) if (calls.has(callId)) expect(texts).toContain(text);
      }),
      { seed: 12, numRuns: 300 },
    );
  });

  it('gives two calls under one id their own results, in order', () => {
    const twice = [user('u'), says('', 'same'), results('same'), says('', 'same'), { ...results('same') }, user('on')];
    expect(soundHistory(twice)).toMatchObject([
      {},
      { calls: [{ id: 'same' }] },
      { results: [{ callId: 'same' }] },
      { calls: [{ id: 'same_2' }] },
      { results: [{ callId: 'same_2', text: 'result of same' }] },
      {},
    ]);
  });
});

it('roles in turn lose no word', () => {
  const merged = alternating([user('a'), user('b'), says('x'), says('y', '1'), results('1'), user('c')]);
  expect(merged.map(({ from }) => from)).toEqual(['user', 'model', 'tools', 'user']);
  expect(JSON.stringify(merged)).toMatch(/a\\n\\nb.*x\\n\\ny.*c/);
});
