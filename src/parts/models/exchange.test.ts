import { describe, expect, it } from 'vitest';
import { ok } from '../../base/result.ts';
import { fakeClock } from '../../loop/fakes.ts';
import { openFormat, type WireFormat } from './exchange.ts';
import type { Http } from './http.ts';
import { asking, ear, endpointAt } from './testing/asking.ts';

const answering = (status: number, headers: Record<string, string>): Http => ({
  send: async () => ok({ status, headers, read: async () => undefined }),
  close: () => {},
});
const format: WireFormat = {
  name: 'chat',
  noun: 'test',
  build: () => [],
  assembly: () => {
    throw new Error('nothing is received here');
  },
};

describe('a redirection', () => {
  const sent = async (headers: Record<string, string>) => {
    const endpoint = endpointAt('https://api.test/v1');
    const wire = openFormat(endpoint, { http: answering(307, headers), clock: fakeClock() }, format);
    const answer = await wire(asking(), ear().io);
    return answer.ok ? 'followed' : answer.fault;
  };

  it.each([
    ['https://other.test/v2?key=abcdef', 'https://other.test/v2?key=[key]'],
    ['/v2/chat', 'https://api.test/v2/chat'],
  ])('to %s is named and not followed', async (location, target) => {
    expect(await sent({ location })).toMatchObject({
      kind: 'refused',
      status: 307,
      message: expect.stringContaining(`sends its callers on to ${target} (status 307), which is not followed`),
    });
  });

  it('without a target is told like any refusal', async () => {
    expect(await sent({})).toMatchObject({ message: expect.stringContaining('with status 307') });
  });
});
