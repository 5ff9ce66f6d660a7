import { describe, expect, it } from 'vitest';
import { ok } from '../../../base/result.ts';
import type { ModelRequest, Wire } from '../../../loop/ports.ts';
import { asking, ear, said } from '../testing/asking.ts';
import { standstill, watchingForCuts } from './standing.ts';

const at = (readings: readonly (readonly [bytes: number, tokens: number])[]) => {
  const stands = standstill();
  return readings.map(([bytes, tokens]) => stands({ bytes, tokens }));
};

describe('a count of tokens', () => {
  it.each([2, 2.2, 2.5, 3, 3.5, 4, 4.5, 5, 7, 9])(
    'that follows the prompt is no cut, at %d characters a token',
    (per) => {
      const sizes = [9000, 34_000, 36_000, 61_000, 61_100, 120_000];
      expect(at(sizes.map((bytes) => [bytes, Math.ceil(bytes / per)])).filter(Boolean)).toEqual([]);
    },
  );

  it('is no cut where each text has another ratio', () => {
    const counts = [2000, 10_000, 10_300, 30_000, 33_000];
    expect(
      at([9000, 20_000, 45_000, 65_000, 110_000].map((bytes, i) => [bytes, counts[i] ?? 0])).filter(Boolean),
    ).toEqual([]);
  });

  it('that stands still at a limit while the prompt grows is a cut', () => {
    expect(
      at([
        [16_000, 2048],
        [27_000, 2048],
        [38_000, 2048],
      ]),
    ).toEqual([undefined, 2048, 2048]);
    expect(
      at([
        [9000, 2400],
        [16_000, 4095],
        [27_000, 4095],
      ]),
    ).toEqual([undefined, undefined, 4095]);
  });

  it('that creeps up to the limit in small steps is found in the end', () => {
    expect(
      at([
        [16_000, 4096],
        [17_000, 4096],
        [18_100, 4096],
      ]),
    ).toEqual([undefined, undefined, 4096]);
  });

  it.each([
    [
      'fell, for the server had the rest cached',
      [
        [16_000, 4096],
        [27_000, 2900],
        [38_000, 2800],
      ],
    ],
    [
      'is always the same small figure',
      [
        [16_000, 100],
        [27_000, 100],
        [38_000, 100],
      ],
    ],
    [
      'stands at no limit',
      [
        [16_000, 3001],
        [27_000, 3001],
      ],
    ],
    [
      'hardly had to grow',
      [
        [16_000, 4096],
        [16_300, 4096],
      ],
    ],
    [
      'is none',
      [
        [16_000, 0],
        [27_000, 0],
      ],
    ],
    [
      'is that of a history which was shortened',
      [
        [40_000, 4096],
        [15_000, 4096],
      ],
    ],
  ] as const)('is no cut where it %s', (_, readings) => expect(at(readings).filter(Boolean)).toEqual([]));
});

describe('a wire that is watched', () => {
  const counting =
    (tokens: (request: ModelRequest, bytes: number) => number): Wire =>
    async (request, { emit }) => {
      const bytes = JSON.stringify([...request.messages]).length;
      emit({ type: 'request.sent', model: request.model, bytes });
      const usage = { inputTokens: tokens(request, bytes), outputTokens: 3 };
      return ok({ text: 'good', calls: [], finish: 'stop', isCut: false, usage });
    };
  const grown = (count: number, images: number) =>
    asking([
      said('word '.repeat(count)),
      { from: 'user', text: 'see', images: [{ mediaType: 'image/png', base64: 'A'.repeat(images) }] },
    ]);

  it('tells the window once, in one line, and hands every reply on', async () => {
    const listener = ear();
    const wire = watchingForCuts(
      counting((_, bytes) => Math.min(2048, Math.ceil(bytes / 4))),
      'box/m',
    );
    for (const words of [500, 3000, 6000, 9000])
      expect(await wire(grown(words, 4), listener.io)).toMatchObject({ ok: true, value: { text: 'good' } });
    expect(listener.of('noted')).toMatchObject([
      { by: 'models', kind: 'prompt cut', data: { model: 'box/m', windowTokens: 2048 } },
    ]);
    expect(listener.of('noted')[0]?.data?.['text']).toMatch(/^box\/m: the server reads only .*2048 tokens/);
  });

  it('is not taken in by an image, which costs no tokens by its bytes', async () => {
    const listener = ear();
    const wire = watchingForCuts(
      counting(() => 2048),
      'box/m',
    );
    await wire(grown(10, 4), listener.io);
    await wire(grown(10, 90_000), listener.io);
    expect(listener.of('noted')).toEqual([]);
  });
});
