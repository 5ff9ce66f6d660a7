import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../base/result.ts';
import type { Wire } from '../../loop/ports.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { RawReply } from '../../protocol/model.ts';
import { adapting } from './adapt.ts';
import { fitting } from './fit.ts';
import { createHttp } from './http.ts';
import { bareWire } from './open.ts';
import { asking, ear, endpointAt } from './testing/asking.ts';

const limits = { connectMs: 2000, firstOutputMs: 2000, betweenMs: 2000 };
const hello = '{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]}';

/** A server that refuses until what it does not know is gone. */
async function picky(refusals: readonly { readonly field: string; readonly says: string }[]) {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer(async (asked, answer) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of asked) pieces.push(piece);
    const body: Record<string, unknown> = JSON.parse(Buffer.concat(pieces).toString());
    bodies.push(body);
    const refusal = refusals.find(({ field }) => field in body);
    answer.writeHead(refusal ? 400 : 200, { 'content-type': 'application/json' });
    answer.end(refusal ? JSON.stringify({ error: { message: refusal.says } }) : hello);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const http = createHttp(limits);
  const endpoint = endpointAt(`http://127.0.0.1:${port}/v1`);
  const wire = adapting(endpoint, (adapted) => bareWire(adapted, { http, clock: Date }));
  const close = (): void => {
    http.close();
    server.close();
  };
  return { wire, bodies, [Symbol.dispose]: close };
}

const settings = { maxOutputTokens: 100, temperature: 0, effort: 'low' };

describe('a server that refuses parameters', () => {
  it('one after another gets the request without them, and is remembered', async () => {
    using server = await picky([
      {
        field: 'max_tokens',
        says: "Unsupported parameter: 'max_tokens' is not supported; use 'max_completion_tokens'.",
      },
      { field: 'temperature', says: "Unsupported value: 'temperature' does not support 0 with this model." },
      { field: 'stream_options', says: 'Unknown parameter: stream_options' },
      { field: 'reasoning_effort', says: 'reasoning_effort: Extra inputs are not permitted' },
    ]);
    const listener = ear();
    expect(await server.wire(asking([], settings), listener.io)).toMatchObject({ ok: true, value: { text: 'hello' } });
    expect(listener.of('noted').map(({ data }) => data?.['change'])).toEqual([
      'the cap is sent as max_completion_tokens',
      'temperature is left out',
      'stream_options is left out',
      'effort is left out',
    ]);
    await server.wire(asking([], settings), ear().io);
    expect(server.bodies).toHaveLength(6);
    expect(server.bodies.at(-1)).toMatchObject({ max_completion_tokens: 100 });
  });

  it('for another reason is not asked again, nor one that names what was not sent', async () => {
    using server = await picky([{ field: 'model', says: 'Unknown parameter: parallel_tool_calls' }]);
    expect(await server.wire(asking([], settings), ear().io)).toMatchObject({ ok: false, fault: { kind: 'refused' } });
    expect(server.bodies).toHaveLength(1);
  });

  it('however often is given up after four changes', async () => {
    let count = 0;
    const wire: Wire = async () => {
      count++;
      return fail(fault('refused', `unknown parameter max_${count % 2 ? '' : 'completion_'}tokens`, { status: 400 }));
    };
    await adapting(endpointAt('http://localhost/v1'), () => wire)(asking([], settings), ear().io);
    expect(count).toBe(5);
  });
});

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
