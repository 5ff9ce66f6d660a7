/** Wire, retry and reader together, over real HTTP, against every way in which a server can fail. */
import { afterEach, describe, expect, it } from 'vitest';
import { createHttp, type HttpLimits } from '../src/parts/models/http.ts';
import { openWire } from '../src/parts/models/open.ts';
import type { RetryOptions } from '../src/parts/models/retry.ts';
import { type Script, type ScriptedServer, startScriptedServer } from '../src/parts/models/scripted/server.ts';
import type { ScriptedFault, ScriptedTurn } from '../src/parts/models/scripted/turn.ts';
import { asking as askingPlainly, ear, endpointAt, said, secretKey } from '../src/parts/models/testing/asking.ts';
import { replyReader } from '../src/parts/replies/reader.ts';

const good: ScriptedTurn = {
  text: 'All is well: ✓ 世界.',
  reasoning: 'thinking it over',
  calls: [{ op: 'read', path: 'ü.txt' }],
};
const goodCall = { id: 'turn1_1', name: 'read', input: { path: 'ü.txt' } };

const tool = (name: string, ...fields: string[]) => ({
  name,
  description: '',
  parameters: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])) },
});
const tools = [tool('read', 'path'), tool('write', 'path', 'content')];
const asking = (messages?: Parameters<typeof askingPlainly>[0], more: Parameters<typeof askingPlainly>[1] = {}) =>
  askingPlainly(messages, { tools, ...more });

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

async function start(turns: readonly ScriptedTurn[], { script, limits, retry, streams = true }: Set = {}) {
  const server = await startScriptedServer({ turns, ...script });
  const http = createHttp({ connectMs: 2000, firstOutputMs: 2000, betweenMs: 2000, ...limits });
  closers.push(
    () => http.close(),
    () => server.close(),
  );
  const clock = { now: () => performance.now() };
  const endpoint = endpointAt(server.url, { streams });
  const wire = openWire(endpoint, { http, clock, random: () => 0.5, baseMs: 10, ...retry });
  return { server, model: replyReader(wire, { clock }), listener: ear() };
}

const withFault = (fault: ScriptedFault, set: Set = {}) => start([{ ...good, fault }], set);
const portsOf = ({ requests }: ScriptedServer) => new Set(requests.map(({ clientPort }) => clientPort));

describe('a good answer', () => {
  it.each([
    ['streamed', {}],
    ['in one piece', { streams: false }],
    ['with CR LF', { script: { lineEnd: '\r\n' } }],
    ['with comments between', { script: { comments: true } }],
    ['as gzip', { script: { encoding: 'gzip' } }],
    ['as deflate', { script: { encoding: 'deflate' } }],
    ['as brotli', { script: { encoding: 'br' } }],
    ['that only pretends to be gzip', { script: { encoding: 'gzip', pretend: true } }],
    ['that only pretends to be brotli, in one piece', { script: { encoding: 'br', pretend: true }, streams: false }],
    ['as gzip in one piece', { script: { encoding: 'gzip' }, streams: false }],
    ['in slow small bits', { script: { paceMs: 1 } }],
  ] satisfies [string, Set][])('is read when it comes %s', async (_, set) => {
    const { model, listener, server } = await start([good], set);
    const reply = await model(asking(), listener.io);
    expect(reply).toEqual({
      ok: true,
      value: {
        from: 'model',
        text: good.text,
        reasoning: good.reasoning,
        calls: [goodCall],
        native: { wire: 'chat', model: 'local/small/one', content: { reasoning_content: good.reasoning } },
      },
    });
    expect(listener.text()).toBe(good.text);
    const [heard] = listener.of('heard');
    expect(heard).toMatchObject({ model: 'local/small/one', requestBytes: server.requests[0]?.raw.length });
    expect(heard?.firstOutputMs).toBeGreaterThan(0);
    expect(heard?.totalMs).toBeGreaterThanOrEqual(heard?.firstOutputMs ?? Number.POSITIVE_INFINITY);
    expect(listener.of('usage.known')).toHaveLength(1);
  });

  it('uses one connection for all requests of a session', async () => {
    const { model, server, listener } = await start([good, good, good]);
    let messages = [said('go')];
    for (let step = 0; step < 3; step++) {
      const reply = await model(asking(messages), listener.io);
      if (!reply.ok) throw new Error(reply.fault.message);
      const results = reply.value.calls.map(({ id }) => ({ callId: id, ok: true, text: 'seen' }));
      messages = [...messages, reply.value, { from: 'tools', results }];
    }
    expect(server.requests.map(({ turn }) => turn)).toEqual([0, 1, 2]);
    expect(portsOf(server).size).toBe(1);
  });

  it('returns reasoning to the server byte for byte', async () => {
    const { model, server, listener } = await start([good, { text: 'end' }]);
    const reply = await model(asking(), listener.io);
    if (!reply.ok) throw new Error(reply.fault.message);
    await model(asking([said('hello'), reply.value]), listener.io);
    expect(server.requests[1]?.body).toMatchObject({ messages: [{}, {}, { reasoning_content: good.reasoning }] });
  });
});

describe('a fault before any output', () => {
  it.each([
    ['429 with Retry-After', { kind: 'status', status: 429, headers: { 'retry-after': '0.05' }, times: 1 }],
    ['500', { kind: 'status', status: 500, times: 2 }],
    ['529', { kind: 'status', status: 529, times: 2 }],
    ['408', { kind: 'status', status: 408, times: 1 }],
    ['409', { kind: 'status', status: 409, times: 1 }],
    ['425', { kind: 'status', status: 425, times: 1 }],
    ['a reset connection', { kind: 'reset', times: 2 }],
    ['a connection closed after its head', { kind: 'cut', afterEvents: 1, how: 'close', times: 1 }],
    ['an empty stream', { kind: 'cut', afterEvents: 0, how: 'end', times: 1 }],
    ['an error inside a good answer', { kind: 'error', error: { message: 'upstream busy' }, afterEvents: 0, times: 1 }],
    ['an error with its own code', { kind: 'error', error: { message: 'no', code: 503 }, afterEvents: 1, times: 1 }],
  ] satisfies [string, ScriptedFault][])('is asked again, and said: %s', async (_, fault) => {
    const { model, listener, server } = await withFault(fault);
    const reply = await model(asking(), listener.io);
    expect(reply).toMatchObject({ ok: true, value: { text: good.text, calls: [goodCall] } });
    expect(listener.of('retry.waited')).toHaveLength(fault.times);
    expect(listener.of('noted').filter(({ by, kind }) => by === 'retry' && kind === 'retried')).toHaveLength(
      fault.times,
    );
    expect(new globalThis.Set(server.requests.map(({ raw }) => raw.toString())).size).toBe(1);
    expect(listener.of('reply.dropped')).toEqual([]);
    expect(listener.text()).toBe(good.text);
  });

  it('waits as long as retry-after-ms says', async () => {
    const { model, listener, server } = await withFault({
      kind: 'status',
      status: 429,
      headers: { 'retry-after-ms': '120' },
      times: 1,
    });
    await model(asking(), listener.io);
    expect(listener.of('retry.waited')[0]?.delayMs).toBe(120);
    const [first, second] = server.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(115);
  });

  it('does not wait longer than patience allows', async () => {
    const fault: ScriptedFault = { kind: 'status', status: 429, headers: { 'retry-after': '3600' } };
    const { model, listener, server } = await withFault(fault);
    expect(await model(asking(), listener.io)).toMatchObject({
      ok: false,
      fault: { kind: 'rate', retryAfterMs: 3_600_000 },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('gives up in the end, and says how often it tried', async () => {
    const { model, listener, server } = await withFault(
      { kind: 'status', status: 503 },
      { retry: { attempts: 3, baseMs: 1 } },
    );
    const reply = await model(asking(), listener.io);
    expect(reply).toMatchObject({ ok: false, fault: { kind: 'overloaded', status: 503 } });
    if (!reply.ok) expect(reply.fault.message).toContain('Tried 3 times');
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    [401, '{"error":{"message":"Incorrect API key provided: sk-scripted-0123456789abcdef"}}', 'unauthorised'],
    [402, '{"error":{"message":"Insufficient Balance"}}', 'quota'],
    [404, '{"error":{"message":"The model `x` does not exist"}}', 'not found'],
    [400, '{"error":{"message":"This model\'s maximum context length is 10 tokens"}}', 'overflow'],
    [400, '{"error":{"message":"Unknown parameter"}}', 'refused'],
  ])('is not asked again where that cannot help: %i %s', async (status, body, kind) => {
    const { model, listener, server } = await withFault({ kind: 'status', status, body });
    const reply = await model(asking(), listener.io);
    expect(reply).toMatchObject({ ok: false, fault: { kind, status } });
    expect(server.requests).toHaveLength(1);
  });

  it('stalls are noticed although keep-alive comments arrive', async () => {
    const { model, listener } = await withFault(
      { kind: 'stall', afterEvents: 0, comments: 10, times: 1 },
      { limits: { firstOutputMs: 150 } },
    );
    expect(await model(asking(), listener.io)).toMatchObject({ ok: true, value: { text: good.text } });
    expect(listener.of('retry.waited')).toHaveLength(1);
  });

  it('a delay within the limit is only waited for', async () => {
    const { model, listener, server } = await withFault({ kind: 'delay', ms: 100 });
    expect(await model(asking(), listener.io)).toMatchObject({ ok: true });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a fault after output began', () => {
  const half: readonly [string, ScriptedFault, Partial<HttpLimits>][] = [
    ['cut in the middle of an event', { kind: 'cut', afterBytes: 700, how: 'close', times: 1 }, {}],
    ['a proper end without the last events', { kind: 'cut', afterEvents: 3, how: 'end', times: 1 }, {}],
    ['a reset', { kind: 'cut', afterEvents: 4, how: 'reset', times: 1 }, {}],
    ['silence', { kind: 'stall', afterEvents: 3, comments: 10, times: 1 }, { betweenMs: 100 }],
    ['an error', { kind: 'error', error: { message: 'engine died', code: 500 }, afterEvents: 4, times: 1 }, {}],
  ];
  it.each(half)('drops what was shown and samples again: %s', async (_, fault, limits) => {
    const { model, listener, server } = await withFault(fault, { limits });
    const reply = await model(asking(), listener.io);
    expect(reply).toMatchObject({ ok: true, value: { text: good.text, calls: [goodCall] } });
    expect(listener.of('reply.dropped')).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
    const shown = listener.heard.slice(listener.heard.findIndex(({ type }) => type === 'reply.dropped'));
    expect(shown.flatMap((one) => (one.type === 'text.grew' ? one.delta : [])).join('')).toBe(good.text);
  });

  it('samples at most twice more, then says that the reply broke off', async () => {
    const { model, listener, server } = await withFault({ kind: 'cut', afterEvents: 4, how: 'close' });
    expect(await model(asking(), listener.io)).toMatchObject({ ok: false, fault: { kind: 'cut' } });
    expect(server.requests).toHaveLength(3);
    expect(listener.of('heard').map(({ raw }) => raw.isCut)).toEqual([true, true, true]);
  });

  it('keeps a reply whose end was said before the connection broke', async () => {
    const { model, listener, server } = await start([
      { text: 'done', usage: null, fault: { kind: 'cut', afterEvents: 3, how: 'reset' } },
    ]);
    expect(await model(asking(), listener.io)).toMatchObject({ ok: true, value: { text: 'done' } });
    expect(server.requests).toHaveLength(1);
  });

  it.each(['hello', '<html>', '"text"x'])('skips the foreign line %s in a good stream and notes it', async (line) => {
    const { model, listener, server } = await withFault({ kind: 'garbage', line, afterEvents: 2 });
    expect(await model(asking(), listener.io)).toMatchObject({ ok: true, value: { text: good.text } });
    expect(listener.of('noted').map(({ kind, data }) => [kind, data?.['text']])).toEqual([['bad line', line]]);
    expect(server.requests).toHaveLength(1);
  });

  it('asks again, in one piece, where a piece of the stream was torn, and never takes what is left for whole', async () => {
    const torn: ScriptedFault = { kind: 'garbage', line: '{"choices":[{"delta":{"content":"NOT ', afterEvents: 2 };
    const { model, listener, server } = await start([{ ...good, fault: { ...torn, times: 1 } }, good]);
    expect(await model(asking(), listener.io)).toMatchObject({ ok: true, value: { text: good.text } });
    expect(server.requests.map(({ body }) => body)).toMatchObject([{ stream: true }, {}]);
    expect(server.requests[1]?.body).not.toHaveProperty('stream', true);
    expect(listener.of('reply.dropped')).toHaveLength(1);
  });

  it('fails where the stream is torn each time', async () => {
    const torn: ScriptedFault = { kind: 'garbage', line: 'ontent":"NOT "}}]}', afterEvents: 2 };
    const { model, listener } = await start([{ ...good, fault: torn }]);
    expect(await model(asking(), listener.io)).toMatchObject({ ok: false, fault: { kind: 'garbled' } });
  });

  it('refuses a call that the output limit cut, and lets the whole ones run', async () => {
    const { model, listener } = await start([
      {
        finish: 'length',
        calls: [
          { op: 'read', path: 'a' },
          { op: 'raw', name: 'write', rawArguments: '{"path":"b","content":"# A' },
        ],
      },
    ]);
    const reply = await model(asking(), listener.io);
    if (!reply.ok) throw new Error(reply.fault.message);
    const [whole, cut] = reply.value.calls;
    expect(whole).toEqual({ id: 'turn1_1', name: 'read', input: { path: 'a' } });
    expect(cut).toMatchObject({ name: 'write', input: '{"path":"b","content":"# A' });
    expect(cut?.unreadable).toContain('output limit');
  });

  it('never takes a text that the output limit cut for an answer', async () => {
    const { model, listener, server } = await start([{ text: 'Half an', finish: 'length' }]);
    expect(await model(asking(), listener.io)).toMatchObject({ ok: false, fault: { kind: 'cut' } });
    expect(server.requests).toHaveLength(1);
  });
});

describe('odd answers', () => {
  it('an empty reply is a reply', async () => {
    const { model, listener } = await start([{ usage: null }]);
    expect(await model(asking(), listener.io)).toMatchObject({ ok: true, value: { text: '', calls: [] } });
  });

  it('a page of a proxy is named as what it is', async () => {
    const { model, listener } = await withFault({ kind: 'raw', bytes: '<!doctype html><title>Log in</title>' });
    const reply = await model(asking(), listener.io);
    expect(reply).toMatchObject({ ok: false, fault: { kind: 'garbled' } });
    if (!reply.ok) expect(reply.fault.message).toMatch(/doctype.*Check the base URL/);
  });

  it('an error body with status 200 is classed by its words', async () => {
    const body = '{"object":"error","code":400,"message":"maximum context length is 5 tokens"}';
    const { model, listener } = await withFault({ kind: 'raw', bytes: body });
    expect(await model(asking(), listener.io)).toMatchObject({ ok: false, fault: { kind: 'overflow' } });
  });

  it('ends after [DONE] although the server keeps the body open', async () => {
    const { model, listener } = await withFault({ kind: 'stall', afterEvents: 99 }, { limits: { betweenMs: 5000 } });
    const start = performance.now();
    expect(await model(asking(), listener.io)).toMatchObject({ ok: true });
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('calling off', () => {
  it.each([
    ['in mid-stream', { kind: 'stall', afterEvents: 4 }],
    ['before the first byte', { kind: 'delay', ms: 60_000 }],
    ['while waiting to retry', { kind: 'status', status: 429, headers: { 'retry-after': '60' } }],
  ] satisfies [string, ScriptedFault][])('returns within 200 ms %s', async (_, fault) => {
    const { model } = await withFault(fault);
    const stop = new AbortController();
    const { io } = ear(stop.signal);
    const work = model(asking(), io);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const start = performance.now();
    stop.abort('interrupted');
    expect(await work).toMatchObject({ ok: false, fault: { kind: 'aborted' } });
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('the key', () => {
  it.each([
    ['in a refusal', { kind: 'status', status: 400, body: `{"error":{"message":"bad header Bearer ${secretKey}"}}` }],
    [
      'in an error inside a good answer',
      { kind: 'error', error: { message: `key ${secretKey} is used up` }, afterEvents: 0 },
    ],
    ['in a page', { kind: 'raw', bytes: `<html>${secretKey}</html>` }],
    ['in a bad line', { kind: 'garbage', line: `{"key":"${secretKey}"`, afterEvents: 1 }],
  ] satisfies [string, ScriptedFault][])(
    'is in no fault and no event, when the server shows it %s',
    async (_, fault) => {
      const { model, listener, server } = await withFault(fault, { retry: { attempts: 2, baseMs: 1 } });
      const reply = await model(asking(), listener.io);
      expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${secretKey}`);
      expect(JSON.stringify([reply, listener.heard])).not.toContain('0123456789abcdef');
    },
  );
});
