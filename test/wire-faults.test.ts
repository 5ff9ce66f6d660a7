/** Every other wire over real HTTP, under the faults that wire-chat.test.ts knows in more shapes. */
import { afterEach, describe, expect, it } from 'vitest';
import type { WireName } from '../src/parts/models/endpoint.ts';
import { createHttp, type HttpLimits } from '../src/parts/models/http.ts';
import { openWire } from '../src/parts/models/open.ts';
import { type Script, startScriptedServer } from '../src/parts/models/scripted/server.ts';
import type { ScriptedFault, ScriptedTurn } from '../src/parts/models/scripted/turn.ts';
import { asking, ear, endpointAt, said, secretKey } from '../src/parts/models/testing/asking.ts';
import { replyReader } from '../src/parts/replies/reader.ts';
import type { Message } from '../src/protocol/message.ts';

interface WireCase {
  readonly wire: WireName;
  /** After the base URL. */
  readonly path: string;
  /** Events of the good answer that are not yet output. */
  readonly eventsBefore: number;
  /** An error in the middle of a stream that is worth another try. */
  readonly passing: unknown;
  /** What of the first reply stands, word for word, in the second request. */
  readonly returned: readonly string[];
}

const wires: readonly WireCase[] = [
  {
    wire: 'responses',
    path: '/responses',
    eventsBefore: 3,
    passing: { code: 'server_error', message: 'The server had an error.' },
    returned: ['"encrypted_content":"c2VhbGVk0"', '"call_id":"turn1_1"'],
  },
  {
    wire: 'anthropic',
    path: '/messages',
    eventsBefore: 2,
    passing: { type: 'overloaded_error', message: 'Overloaded' },
    returned: ['"thinking":"thinking it over","signature":"c2lnbmVkLX0"', '"id":"turn1_1"'],
  },
];

const good: ScriptedTurn = {
  text: 'All is well: ✓ 世界.',
  reasoning: 'thinking it over',
  calls: [{ op: 'read', path: 'ü.txt' }],
};
const goodReply = { text: good.text, reasoning: good.reasoning, calls: [{ name: 'read', input: { path: 'ü.txt' } }] };

const tool = (name: string, ...fields: string[]) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])) },
});
const tools = [tool('read', 'path'), tool('write', 'path', 'content')];
const request = (messages?: readonly Message[]) => asking(messages, { tools });

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Setting {
  readonly script?: Partial<Script>;
  readonly limits?: Partial<HttpLimits>;
  readonly streams?: boolean;
}

async function start({ wire, path }: WireCase, turns: readonly ScriptedTurn[], set: Setting = {}) {
  const { script, limits, streams = true } = set;
  const server = await startScriptedServer({ turns, ...script });
  const http = createHttp({ connectMs: 2000, firstOutputMs: 2000, betweenMs: 2000, ...limits });
  closers.push(
    () => http.close(),
    () => server.close(),
  );
  const clock = { now: () => performance.now() };
  const endpoint = { ...endpointAt(server.url, { streams }), wire, url: server.url + path };
  const opened = openWire(endpoint, { http, clock, random: () => 0.5, baseMs: 10 });
  return { server, model: replyReader(opened, { clock, wireName: wire }), listener: ear() };
}

describe.each(wires)('the wire $wire', (wire) => {
  it.each([
    ['streamed', {}],
    ['in one piece', { streams: false }],
    ['with CR LF', { script: { lineEnd: '\r\n' } }],
    ['with comments between', { script: { comments: true } }],
    ['as gzip', { script: { encoding: 'gzip' } }],
    ['in slow small bits', { script: { paceMs: 1 } }],
  ] satisfies [string, Setting][])('reads a good answer %s', async (_, set) => {
    const { model, listener, server } = await start(wire, [good], set);
    expect(await model(request(), listener.io)).toMatchObject({ ok: true, value: goodReply });
    expect(listener.text()).toBe(good.text);
    const [known] = listener.of('usage.known');
    expect(known?.usage.inputTokens).toBe(Math.ceil((server.requests[0]?.raw.length ?? 0) / 4));
    expect(listener.of('heard')).toMatchObject([{ requestBytes: server.requests[0]?.raw.length }]);
  });

  it('counts cached tokens as input', async () => {
    const usage = { inputTokens: 1000, outputTokens: 7, cachedTokens: 900 };
    const { model, listener } = await start(wire, [{ text: 'x', usage }]);
    await model(request(), listener.io);
    expect(listener.of('usage.known')[0]?.usage).toMatchObject(usage);
  });

  it('returns reasoning to the model that reasoned, over one connection and a growing body', async () => {
    const { model, server, listener } = await start(wire, [good, good, { text: 'end' }]);
    let messages: Message[] = [said('go')];
    for (let step = 0; step < 3; step++) {
      const reply = await model(request(messages), listener.io);
      if (!reply.ok) throw new Error(reply.fault.message);
      const results = reply.value.calls.map(({ id }) => ({ callId: id, ok: true, text: 'seen' }));
      messages = [...messages, reply.value, { from: 'tools', results }];
    }
    const bodies = server.requests.map(({ raw }) => raw.toString());
    for (const words of wire.returned) {
      expect(bodies[0]).not.toContain(words);
      expect(bodies[1]).toContain(words);
      expect(bodies[2]).toContain(words);
    }
    expect(server.requests.map(({ turn }) => turn)).toEqual([0, 1, 2]);
    expect(new Set(server.requests.map(({ clientPort }) => clientPort)).size).toBe(1);
  });

  it.each([
    ['429 with Retry-After', { kind: 'status', status: 429, headers: { 'retry-after': '0.05' }, times: 1 }],
    ['500', { kind: 'status', status: 500, times: 2 }],
    ['529', { kind: 'status', status: 529, times: 2 }],
    ['a reset connection', { kind: 'reset', times: 1 }],
    ['an empty stream', { kind: 'cut', afterEvents: 0, how: 'end', times: 1 }],
    ['a cut before the first word', { kind: 'cut', afterEvents: 2, how: 'close', times: 1 }],
    ['an error in the stream', { kind: 'error', error: wire.passing, afterEvents: 2, times: 1 }],
  ] satisfies [string, ScriptedFault][])('asks again, with the same bytes, after %s', async (_, fault) => {
    const { model, listener, server } = await start(wire, [{ ...good, fault }]);
    expect(await model(request(), listener.io)).toMatchObject({ ok: true, value: goodReply });
    expect(listener.of('retry.waited')).toHaveLength(fault.times);
    expect(new Set(server.requests.map(({ raw }) => raw.toString())).size).toBe(1);
    expect(listener.of('reply.dropped')).toEqual([]);
  });

  it.each([
    ['cut inside an event', { kind: 'cut', afterBytes: 1100, how: 'close', times: 1 }, {}],
    ['a proper end without the last events', { kind: 'cut', afterEvents: 5, how: 'end', times: 1 }, {}],
    ['a reset', { kind: 'cut', afterEvents: 5, how: 'reset', times: 1 }, {}],
    ['silence', { kind: 'stall', afterEvents: 5, comments: 10, times: 1 }, { betweenMs: 100 }],
    ['an error in the stream', { kind: 'error', error: wire.passing, afterEvents: 6, times: 1 }, {}],
  ] satisfies [string, ScriptedFault, Partial<HttpLimits>][])(
    'drops what was shown and samples again after %s',
    async (_, fault, limits) => {
      const { model, listener, server } = await start(wire, [{ ...good, fault }], { limits });
      expect(await model(request(), listener.io)).toMatchObject({ ok: true, value: goodReply });
      expect(listener.of('reply.dropped')).toHaveLength(1);
      expect(server.requests).toHaveLength(2);
    },
  );

  it('waits for the first word as long as for a prompt that is read, whatever else the server says before it', async () => {
    const fault: ScriptedFault = { kind: 'stall', afterEvents: wire.eventsBefore, times: 1 };
    const { model, listener } = await start(wire, [{ ...good, fault }], {
      limits: { firstOutputMs: 300, betweenMs: 50 },
    });
    const begun = performance.now();
    expect(await model(request(), listener.io)).toMatchObject({ ok: true });
    expect(performance.now() - begun).toBeGreaterThan(290);
    expect(listener.of('retry.waited')[0]?.reason).toContain('sent no output');
  });

  it.each([
    [401, '{"error":{"type":"authentication_error","message":"invalid x-api-key"}}', 'unauthorised'],
    [404, '{"error":{"type":"not_found_error","message":"model: nowhere"}}', 'not found'],
    [413, '{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}', 'overflow'],
    [400, '{"error":{"message":"prompt is too long: 213462 tokens > 200000 maximum"}}', 'overflow'],
    [400, '{"error":{"message":"messages: this does not do"}}', 'refused'],
  ])('does not ask again where that cannot help: %i %s', async (status, body, kind) => {
    const { model, listener, server } = await start(wire, [{ ...good, fault: { kind: 'status', status, body } }]);
    expect(await model(request(), listener.io)).toMatchObject({ ok: false, fault: { kind, status } });
    expect(server.requests).toHaveLength(1);
  });

  it('ends after the last event although the server keeps the body open', async () => {
    const fault: ScriptedFault = { kind: 'stall', afterEvents: 99 };
    const { model, listener } = await start(wire, [{ ...good, fault }], { limits: { betweenMs: 5000 } });
    const begun = performance.now();
    expect(await model(request(), listener.io)).toMatchObject({ ok: true, value: goodReply });
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  it('refuses a call that the output limit cut, and lets the whole ones run', async () => {
    const calls = [
      { op: 'read', path: 'a' } as const,
      { op: 'raw', name: 'write', rawArguments: '{"path":"b","content":"# A' } as const,
    ];
    const { model, listener } = await start(wire, [{ finish: 'length', calls }]);
    const reply = await model(request(), listener.io);
    if (!reply.ok) throw new Error(reply.fault.message);
    expect(reply.value.calls[0]).toMatchObject({ input: { path: 'a' } });
    expect(reply.value.calls[1]?.unreadable).toContain('output limit');
  });

  it.each([
    ['in mid-stream', { kind: 'stall', afterEvents: 5 }],
    ['before the first byte', { kind: 'delay', ms: 60_000 }],
  ] satisfies [string, ScriptedFault][])('returns at once when it is called off %s', async (_, fault) => {
    const { model } = await start(wire, [{ ...good, fault }]);
    const stop = new AbortController();
    const work = model(request(), ear(stop.signal).io);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const begun = performance.now();
    stop.abort('interrupted');
    expect(await work).toMatchObject({ ok: false, fault: { kind: 'aborted' } });
    expect(performance.now() - begun).toBeLessThan(200);
  });

  it('asks again where a piece of the stream was torn, and only skips what is a stranger’s', async () => {
    const heard = async (line: string) => {
      const { model, listener, server } = await start(wire, [
        { ...good, fault: { kind: 'garbage', line, afterEvents: 3, times: 1 } },
        good,
      ]);
      return { answer: await model(request(), listener.io), asked: server.requests.length };
    };
    expect(await heard('{"type":"x","delta":{"text":"NOT ')).toMatchObject({ answer: { value: goodReply }, asked: 2 });
    expect(await heard('hello')).toMatchObject({ answer: { value: goodReply }, asked: 1 });
  });

  it.each([
    ['in a refusal', { kind: 'status', status: 400, body: `{"error":{"message":"bad header ${secretKey}"}}` }],
    ['in an error of the stream', { kind: 'error', error: { message: `key ${secretKey} is used up` }, afterEvents: 2 }],
    ['in a bad line', { kind: 'garbage', line: `{"key":"${secretKey}"`, afterEvents: 3 }],
  ] satisfies [string, ScriptedFault][])('tells nobody the key that a server shows %s', async (_, fault) => {
    const { model, listener } = await start(wire, [{ ...good, fault: { ...fault, times: 1 } }, good]);
    const reply = await model(request(), listener.io);
    expect(JSON.stringify([reply, listener.heard])).not.toContain('0123456789abcdef');
  });
});
