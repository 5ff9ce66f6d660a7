import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message } from '../../../protocol/message.ts';
import type { Endpoint } from '../endpoint.ts';
import { asking, ear, endpointAt, said, secretKey } from '../testing/asking.ts';
import type { CallOptions, SdkModel } from './spec.ts';
import { modelWire } from './wire.ts';

const endpoint: Endpoint = { ...endpointAt('sdk://fake'), wire: 'sdk', url: 'sdk://fake' };
const clock = { now: () => 0 };

interface Fake extends SdkModel {
  readonly asked: CallOptions[];
}

/** Streams these parts, and gives this result in one piece; throws what is no part. */
function fakeModel(parts: readonly unknown[], whole: unknown = {}): Fake {
  const asked: CallOptions[] = [];
  return {
    provider: 'fake.chat',
    modelId: 'small/one',
    asked,
    doStream: async (options) => {
      asked.push(options);
      const stream = new ReadableStream<unknown>({
        start: (controller) => {
          for (const part of parts) {
            if (part instanceof Error) return controller.error(part);
            controller.enqueue(part);
          }
          controller.close();
        },
      });
      return { stream };
    },
    doGenerate: async (options) => {
      asked.push(options);
      return whole;
    },
  };
}

const heardFrom = async (model: SdkModel, request: ModelRequest = asking()) => {
  const listener = ear();
  return { answer: await modelWire(model, endpoint, { clock })(request, listener.io), listener };
};

const metadata = { fake: { signature: 's1' } };
const usageV2 = { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 8, reasoningTokens: 2 };
const usageV3 = { inputTokens: { total: 10, cacheRead: 8 }, outputTokens: { total: 5, reasoning: 2 } };
const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 8, reasoningTokens: 2 };
const spoken = [
  { type: 'stream-start', warnings: [] },
  { type: 'response-metadata', modelId: 'big' },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'h' },
  { type: 'reasoning-delta', id: 'r', delta: 'm' },
  { type: 'reasoning-end', id: 'r', providerMetadata: metadata },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Grü' },
  { type: 'text-delta', id: '1', delta: 'ße' },
  { type: 'text-end', id: '1' },
  { type: 'tool-input-start', id: 'c1', toolName: 'read' },
  { type: 'tool-input-delta', id: 'c1', delta: '{"path"' },
  { type: 'tool-input-delta', id: 'c1', delta: ':"ü"}' },
  { type: 'tool-input-end', id: 'c1' },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: '{"path":"ü"}' },
];
const reply = {
  text: 'Grüße',
  reasoning: 'hm',
  calls: [{ id: 'c1', name: 'read', arguments: '{"path":"ü"}' }],
  finish: 'calls',
  finishWord: 'tool-calls',
  isCut: false,
  isStreamed: true,
  servedBy: 'big',
  usage,
  native: {
    parts: [
      { type: 'reasoning', text: 'hm', providerOptions: metadata },
      { type: 'text', text: 'Grüße' },
      { type: 'tool-call', toolCallId: 'c1' },
    ],
  },
};

describe('a reply of a provider of the AI SDK', () => {
  it.each([
    ['V2', { type: 'finish', finishReason: 'tool-calls', usage: usageV2 }],
    ['V3', { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'x' }, usage: usageV3 }],
  ])('is read as %s streams it', async (_, finish) => {
    const { answer, listener } = await heardFrom(fakeModel([...spoken, finish]));
    expect(answer).toEqual({ ok: true, value: reply });
    expect(listener.text()).toBe('Grüße');
    expect(listener.of('call.grew').at(-1)).toMatchObject({ name: 'read', bytes: 12 });
    expect(listener.of('usage.known')).toEqual([{ type: 'usage.known', usage }]);
  });

  it('is read in one piece', async () => {
    const whole = {
      content: [
        { type: 'reasoning', text: 'hm', providerMetadata: metadata },
        { type: 'text', text: 'Grüße' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: '{"path":"ü"}' },
      ],
      finishReason: 'tool-calls',
      usage: usageV2,
      response: { modelId: 'big' },
    };
    const { answer } = await heardFrom(fakeModel([], whole), asking(undefined, { isStreamed: false }));
    const { isStreamed: _, ...inOnePiece } = reply;
    expect(answer).toEqual({ ok: true, value: inOnePiece });
  });

  it.each([
    ['length', 'length', true],
    ['content-filter', 'filtered', false],
    ['error', 'unknown', true],
    ['other', 'unknown', true],
  ])('that ends with %s is %s, cut: %s', async (finishReason, finish, isCut) => {
    const { answer } = await heardFrom(fakeModel([...spoken, { type: 'finish', finishReason }]));
    expect(answer).toMatchObject({ ok: true, value: { finish, isCut } });
  });

  it('has no call that the provider ran itself', async () => {
    const ran = { type: 'tool-call', toolCallId: 'c2', toolName: 'search', input: '{}', providerExecuted: true };
    const { answer } = await heardFrom(fakeModel([ran, { type: 'finish', finishReason: 'stop' }]));
    expect(answer).toMatchObject({ ok: true, value: { calls: [], finish: 'stop' } });
  });

  it('that ends without saying so is cut, and one that says nothing is a fault', async () => {
    expect((await heardFrom(fakeModel(spoken.slice(0, 8)))).answer).toMatchObject({
      ok: true,
      value: { text: 'Grü', isCut: true },
    });
    expect((await heardFrom(fakeModel([]))).answer).toMatchObject({ ok: false, fault: { kind: 'cut' } });
  });
});

describe('a request to a provider of the AI SDK', () => {
  const native = { wire: 'sdk', model: 'local/small/one', content: reply.native };
  const messages: readonly Message[] = [
    { from: 'user', text: 'see', images: [{ mediaType: 'image/png', base64: 'AAAA' }] },
    { from: 'model', text: 'Grüße', calls: [{ id: 'c1', name: 'read', input: { path: 'ü' } }], native },
    { from: 'tools', results: [{ callId: 'c1', ok: false, text: '' }] },
  ];
  const tools = [{ name: 'read', description: 'Read.', parameters: { type: 'object' } }];
  const promptOf = async (list: readonly Message[]) => {
    const model = fakeModel([...spoken, { type: 'finish', finishReason: 'stop' }]);
    await heardFrom(model, asking(list, { tools, maxOutputTokens: 9, temperature: 0, effort: 'low' }));
    return model.asked[0];
  };

  it('holds everything in its words, what the provider attached included', async () => {
    expect(await promptOf(messages)).toMatchObject({
      tools: [{ type: 'function', name: 'read', description: 'Read.', inputSchema: { type: 'object' } }],
      maxOutputTokens: 9,
      temperature: 0,
      providerOptions: { fake: { reasoningEffort: 'low' } },
      prompt: [
        { role: 'system', content: 'You are a test.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'file', mediaType: 'image/png', data: 'AAAA' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm', providerOptions: metadata },
            { type: 'text', text: 'Grüße' },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'ü' } },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'read',
              output: { type: 'error-text', value: '(no output)' },
            },
          ],
        },
      ],
    });
  });

  it('returns nothing attached to another model', async () => {
    const [question, answered] = messages;
    if (!question || answered?.from !== 'model') throw new Error('the list above');
    const foreign: Message = { ...answered, native: { ...native, model: 'local/other' } };
    expect((await promptOf([question, foreign]))?.prompt[2]?.content).toEqual([
      { type: 'text', text: 'Grüße' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'ü' } },
    ]);
  });
});

describe('a failure of a provider of the AI SDK', () => {
  const callError = (statusCode: number, message: string, headers = {}) =>
    Object.assign(new Error(message), {
      statusCode,
      responseHeaders: headers,
      responseBody: JSON.stringify({ error: { message } }),
    });
  it.each([
    ['thrown in the stream', [callError(429, 'slow down', { 'Retry-After': '2' })], 'rate'],
    ['told in the stream', [{ type: 'error', error: callError(429, 'slow down', { 'Retry-After': '2' }) }], 'rate'],
    ['of the network', [Object.assign(new Error('fetch failed'), { isRetryable: true })], 'unreachable'],
    ['of its own', [new TypeError('x is not a function')], 'garbled'],
  ])('%s is a fault', async (_, parts, kind) => {
    const { answer } = await heardFrom(fakeModel(parts));
    expect(answer).toMatchObject({ ok: false, fault: { kind, ...(kind === 'rate' ? { retryAfterMs: 2000 } : {}) } });
  });

  it('shows no key', async () => {
    const { answer } = await heardFrom(fakeModel([new Error(`bad key ${secretKey}`)]));
    expect(JSON.stringify(answer)).not.toContain(secretKey);
  });

  it('returns within 200 ms when called off, although the provider does not listen', async () => {
    const model: SdkModel = { ...fakeModel([]), doStream: () => new Promise(() => {}) };
    const stop = new AbortController();
    const work = modelWire(model, endpoint, { clock })(asking([said('go')]), ear(stop.signal).io);
    const start = performance.now();
    stop.abort();
    expect(await work).toMatchObject({ ok: false, fault: { kind: 'aborted' } });
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
