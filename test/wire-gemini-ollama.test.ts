/** Wire, retry and reader together, over real HTTP, on the wires beside chat completions. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '../src/parts/models/endpoint.ts';
import { createHttp, type HttpLimits } from '../src/parts/models/http.ts';
import { openWire } from '../src/parts/models/open.ts';
import type { RetryOptions } from '../src/parts/models/retry.ts';
import { type Script, startScriptedServer } from '../src/parts/models/scripted/server.ts';
import type { ScriptedFault, ScriptedTurn } from '../src/parts/models/scripted/turn.ts';
import { asking, ear, endpointAt, said, secretKey } from '../src/parts/models/testing/asking.ts';
import { replyReader } from '../src/parts/replies/reader.ts';
import type { Message } from '../src/protocol/message.ts';

const good: ScriptedTurn = {
  text: 'All is well: ✓ 世界.',
  reasoning: 'thinking it over',
  calls: [{ op: 'read', path: 'ü.txt' }],
};
const goodCall = { id: 'turn1_1', name: 'read', input: { path: 'ü.txt' } };

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const tools = [{ name: 'read', description: 'Read a file.', parameters }];
const offering = (messages?: readonly Message[]) => asking(messages, { tools });

interface Kind {
  readonly wire: Endpoint['wire'];
  readonly path: string;
  readonly headers: Endpoint['headers'];
  /** What the reply of `good` keeps for its model. */
  readonly native: unknown;
}

const kinds: readonly Kind[] = [
  {
    wire: 'gemini',
    path: '/v1beta/models/gemini-3-flash',
    headers: { 'x-goog-api-key': secretKey },
    native: {
      parts: [
        { text: good.reasoning, thought: true },
        { text: good.text },
        { functionCall: { id: 'turn1_1', name: 'read' }, thoughtSignature: 'c2lnbmVkIHR1cm4gMQ==' },
      ],
    },
  },
  {
    wire: 'ollama',
    path: '/api/chat',
    headers: { authorization: `Bearer ${secretKey}` },
    native: { thinking: good.reasoning },
  },
];

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Set {
  readonly script?: Partial<Script>;
  readonly limits?: Partial<HttpLimits>;
  readonly retry?: Partial<RetryOptions>;
  readonly streams?: boolean;
}

describe.each(kinds)('the wire $wire', ({ wire: name, path, headers, native }) => {
  async function start(turns: readonly ScriptedTurn[], { script, limits, retry, streams = true }: Set = {}) {
    const server = await startScriptedServer({ turns, ...script });
    const http = createHttp({ connectMs: 2000, firstOutputMs: 2000, betweenMs: 2000, ...limits });
    closers.push(
      () => http.close(),
      () => server.close(),
    );
    const clock = { now: () => performance.now() };
    const url = new URL(path, server.url).href;
    const endpoint: Endpoint = { ...endpointAt(server.url, { streams }), wire: name, url, headers };
    const wire = openWire(endpoint, { http, clock, random: () => 0.5, baseMs: 10, ...retry });
    return { server, model: replyReader(wire, { clock, wireName: name }), listener: ear() };
  }
  const withFault = (fault: ScriptedFault, set: Set = {}) => start([{ ...good, fault }], set);

  it.each([
    ['streamed', {}],
    ['in one piece', { streams: false }],
    ['with CR LF', { script: { lineEnd: '\r\n' } }],
    ['with signs of life between', { script: { comments: true } }],
    ['as gzip', { script: { encoding: 'gzip' } }],
    ['as brotli in one piece', { script: { encoding: 'br' }, streams: false }],
    ['in slow small bits', { script: { paceMs: 1 } }],
  ] satisfies [string, Set][])('reads an answer that comes %s', async (_, set) => {
    const { model, listener, server } = await start([good], set);
    expect(await model(offering(), listener.io)).toEqual({
      ok: true,
      value: {
        from: 'model',
        text: good.text,
        reasoning: good.reasoning,
        calls: [goodCall],
        native: { wire: name, model: 'local/small/one', content: native },
      },
    });
    expect(listener.text()).toBe(good.text);
    expect(listener.of('call.grew').length).toBeGreaterThan(0);
    const [heard] = listener.of('heard');
    expect(heard).toMatchObject({ requestBytes: server.requests[0]?.raw.length, raw: { usage: {} } });
    expect(listener.of('usage.known')).toHaveLength(1);
    expect(server.requests[0]?.headers).toMatchObject(headers);
  });

  it('plays a whole session on one connection, each request beginning with the one before it', async () => {
    const { model, server, listener } = await start([good, good, { text: 'end' }]);
    let messages: Message[] = [said('go')];
    for (let step = 0; step < 3; step++) {
      const reply = await model(offering(messages), listener.io);
      if (!reply.ok) throw new Error(reply.fault.message);
      const results = reply.value.calls.map(({ id }) => ({ callId: id, ok: true, text: 'seen' }));
      messages = [...messages, reply.value, { from: 'tools', results }];
    }
    expect(server.requests.map(({ turn }) => turn)).toEqual([0, 1, 2]);
    expect(new globalThis.Set(server.requests.map(({ clientPort }) => clientPort)).size).toBe(1);
    const bodies = server.requests.map(({ raw }) => raw.toString());
    for (const [index, body] of bodies.slice(1).entries()) {
      expect(body.startsWith(bodies[index]?.slice(0, -2) ?? '?')).toBe(true);
    }
  });

  it.each([
    ['429', { kind: 'status', status: 429, headers: { 'retry-after': '0.05' }, times: 1 }],
    ['503', { kind: 'status', status: 503, times: 2 }],
    ['a reset connection', { kind: 'reset', times: 2 }],
    ['an empty stream', { kind: 'cut', afterEvents: 0, how: 'end', times: 1 }],
    [
      'an error inside a good answer',
      { kind: 'error', error: { message: 'busy', code: 503 }, afterEvents: 0, times: 1 },
    ],
  ] satisfies [string, ScriptedFault][])('asks again before any output: %s', async (_, fault) => {
    const { model, listener } = await withFault(fault);
    expect(await model(offering(), listener.io)).toMatchObject({
      ok: true,
      value: { text: good.text, calls: [goodCall] },
    });
    expect(listener.of('retry.waited')).toHaveLength(fault.times);
    expect(listener.of('reply.dropped')).toEqual([]);
  });

  it.each([
    ['cut in the middle of an event', { kind: 'cut', afterBytes: 300, how: 'close', times: 1 }, {}],
    ['a proper end without the last events', { kind: 'cut', afterEvents: 2, how: 'end', times: 1 }, {}],
    ['a reset', { kind: 'cut', afterEvents: 2, how: 'reset', times: 1 }, {}],
    ['silence', { kind: 'stall', afterEvents: 2, comments: 10, times: 1 }, { betweenMs: 100 }],
    ['an error', { kind: 'error', error: { message: 'engine died', code: 500 }, afterEvents: 2, times: 1 }, {}],
  ] satisfies [string, ScriptedFault, Partial<HttpLimits>][])(
    'samples again after output began: %s',
    async (_, fault, limits) => {
      const { model, listener, server } = await withFault(fault, { limits });
      expect(await model(offering(), listener.io)).toMatchObject({
        ok: true,
        value: { text: good.text, calls: [goodCall] },
      });
      expect(listener.of('reply.dropped')).toHaveLength(1);
      expect(server.requests).toHaveLength(2);
    },
  );

  it('skips a foreign line and notes it', async () => {
    const { model, listener } = await withFault({ kind: 'garbage', line: 'hello', afterEvents: 2 });
    expect(await model(offering(), listener.io)).toMatchObject({ ok: true, value: { text: good.text } });
    expect(listener.of('noted')).toMatchObject([{ by: `wire.${name}`, kind: 'bad line', data: { text: 'hello' } }]);
  });

  it('asks again where a piece of the stream was torn', async () => {
    const torn = { kind: 'garbage', line: '{"text":"x', afterEvents: 2, times: 1 } as const;
    const { model, listener, server } = await start([{ ...good, fault: torn }, good]);
    expect(await model(offering(), listener.io)).toMatchObject({ ok: true, value: { text: good.text } });
    expect(server.requests).toHaveLength(2);
  });

  it('never takes a text that the output limit cut for an answer', async () => {
    const { model, listener } = await start([{ text: 'Half an', finish: 'length' }]);
    expect(await model(offering(), listener.io)).toMatchObject({ ok: false, fault: { kind: 'cut' } });
  });

  it.each([
    ['in mid-stream', { kind: 'stall', afterEvents: 2 }],
    ['before the first byte', { kind: 'delay', ms: 60_000 }],
  ] satisfies [string, ScriptedFault][])('returns within 200 ms when called off %s', async (_, fault) => {
    const { model } = await withFault(fault);
    const stop = new AbortController();
    const work = model(offering(), ear(stop.signal).io);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const start = performance.now();
    stop.abort('interrupted');
    expect(await work).toMatchObject({ ok: false, fault: { kind: 'aborted' } });
    expect(performance.now() - start).toBeLessThan(200);
  });

  it.each([
    ['in a refusal', { kind: 'status', status: 400, body: `{"error":{"message":"API key not valid: ${secretKey}"}}` }],
    ['inside a good answer', { kind: 'error', error: { message: `key ${secretKey}`, code: 500 }, afterEvents: 0 }],
    ['in a page', { kind: 'raw', bytes: `<html>${secretKey}</html>` }],
  ] satisfies [string, ScriptedFault][])('shows the key nowhere when the server does, %s', async (_, fault) => {
    const { model, listener } = await withFault(fault, { retry: { attempts: 2, baseMs: 1 } });
    const reply = await model(offering(), listener.io);
    expect(reply.ok).toBe(false);
    expect(JSON.stringify([reply, listener.heard])).not.toContain('0123456789abcdef');
  });
});

describe('a call that Gemini could not read', () => {
  const answered = (finishMessage?: string) => {
    const candidate = { content: { parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage };
    return `data: ${JSON.stringify({ candidates: [candidate] })}\n\n`;
  };
  async function start(bytes: string) {
    const server = await startScriptedServer({ turns: [{ text: 'good', fault: { kind: 'raw', bytes, times: 1 } }] });
    const http = createHttp();
    closers.push(
      () => http.close(),
      () => server.close(),
    );
    const clock = { now: () => performance.now() };
    const url = new URL('/v1beta/models/gemini-3-flash', server.url).href;
    const wire = openWire(
      { ...endpointAt(server.url), wire: 'gemini', url },
      { http, clock, random: () => 0, baseMs: 1 },
    );
    return { server, model: replyReader(wire, { clock, wireName: 'gemini' }) };
  }

  it('is asked for again where it is not quoted', async () => {
    const { model, server } = await start(answered());
    expect(await model(offering(), ear().io)).toMatchObject({ ok: true, value: { text: 'good' } });
    expect(server.requests).toHaveLength(2);
  });

  it('is read from the quotation', async () => {
    const { model } = await start(answered('Malformed function call: {"name": "read", "arguments": {"path": "ü"}}'));
    expect(await model(offering(), ear().io)).toMatchObject({
      ok: true,
      value: { calls: [{ name: 'read', input: { path: 'ü' } }] },
    });
  });
});
