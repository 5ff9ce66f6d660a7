import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../base/result.ts';
import type { Wire } from '../../loop/ports.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { RawReply } from '../../protocol/model.ts';
import { fitting } from './fit.ts';
import { asking, ear } from './testing/asking.ts';

describe('a request that overflows', () => {
  const overflow = (figures: Partial<Fault>) => fault('overflow', 'too much', figures);
  const reply: RawReply = { text: 'yes', calls: [], finish: 'stop', isCut: false };
  const caps = async (failure: Fault, maxOutputTokens?: number) => {
    const asked: (number | undefined)[] = [];
    const wire: Wire = async (request) => {
      asked.push(request.maxOutputTokens);
      return asked.length === 1 ? fail(failure) : ok(reply);
    };
    const listener = ear();
    await fitting(wire)(asking([], maxOutputTokens === undefined ? {} : { maxOutputTokens }), listener.io);
    return { asked, noted: listener.of('noted').map(({ data }) => data) };
  };

  it('only by the room for its reply is asked again with less of it', async () => {
    const { asked, noted } = await caps(overflow({ windowTokens: 32_768, promptTokens: 31_000 }), 2000);
    expect(asked).toEqual([2000, 1704]);
    expect(noted).toMatchObject([{ windowTokens: 32_768, promptTokens: 31_000, maxOutputTokens: 1704 }]);
  });

  it('gets a cap where a server reserved room by itself', async () => {
    expect((await caps(overflow({ windowTokens: 8192, promptTokens: 4000 }))).asked).toEqual([undefined, 4128]);
  });

  it('by its prompt is not asked again, but the window is noted', async () => {
    const { asked, noted } = await caps(overflow({ windowTokens: 8192, promptTokens: 8100 }));
    expect(asked).toHaveLength(1);
    expect(noted).toMatchObject([{ windowTokens: 8192 }]);
    expect((await caps(overflow({}))).asked).toHaveLength(1);
    expect((await caps(overflow({ windowTokens: 9000, promptTokens: 1000 }), 500)).asked).toHaveLength(1);
  });
});
