import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../base/result.ts';
import type { RawReply } from '../../../protocol/model.ts';
import { createHttp } from '../http.ts';
import { startScriptedServer } from '../scripted/server.ts';
import { asking, ear, endpointAt } from '../testing/asking.ts';
import { answerIn, takenCuts, wrongSplits } from '../testing/recordings.ts';
import { anthropicWire } from './wire.ts';

const recording = (name: string): Buffer => readFileSync(`test/fixtures/wire/anthropic/${name}`);
const endpoint = (url: string) => ({ ...endpointAt(url), wire: 'anthropic' as const, url: `${url}/messages` });
const answer = answerIn(anthropicWire, endpoint('http://127.0.0.1:1/v1'));
const whole = { finish: 'calls', finishWord: 'tool_use', isCut: false } as const;

const replies: Readonly<Record<string, RawReply>> = {
  'text-with-usage.sse': {
    text: 'Grüße, 世界 👩‍👩‍👧‍👦 – done.',
    calls: [],
    finish: 'stop',
    finishWord: 'end_turn',
    isCut: false,
    isStreamed: true,
    servedBy: 'claude-opus-5-5',
    usage: { inputTokens: 1200, outputTokens: 19, cachedTokens: 1024, cacheWriteTokens: 155 },
  },
  'thinking-tools.sse': {
    ...whole,
    text: 'I read both.',
    reasoning: 'First I look at the café file.',
    calls: [
      { id: 'toolu_a', name: 'read', arguments: '{"path":"src/ü.ts"}' },
      { id: 'toolu_b', name: 'grep', arguments: '{"pattern":"naïve \\"q\\""}' },
    ],
    isStreamed: true,
    servedBy: 'claude-opus-5-5',
    usage: { inputTokens: 505, outputTokens: 60, cachedTokens: 500, cacheWriteTokens: 0, reasoningTokens: 31 },
    native: {
      blocks: [
        { type: 'thinking', thinking: 'First I look at the café file.', signature: 'c2lnbmF0dXJlIMO8' },
        { type: 'redacted_thinking', data: 'b3BhcXVl' },
        { type: 'text', text: 'I read both.' },
        { type: 'tool_use', id: 'toolu_a' },
        { type: 'tool_use', id: 'toolu_b' },
      ],
    },
  },
  'loose-compatible.sse': {
    ...whole,
    text: 'Là: ✓',
    reasoning: 'Hm, ça va.',
    calls: [
      { id: 'call_function_1', name: 'read', arguments: '{"path":"日本.md","limit":5}' },
      { id: 'call_function_2', name: 'list', arguments: '' },
    ],
    isStreamed: true,
    servedBy: 'vendor-big',
    usage: { inputTokens: 40, outputTokens: 12 },
    native: {
      blocks: [
        { type: 'thinking', thinking: 'Hm, ça va.' },
        { type: 'text', text: 'Là: ✓' },
        { type: 'tool_use', id: 'call_function_1' },
        { type: 'tool_use', id: 'call_function_2' },
      ],
    },
  },
  'whole.json': {
    ...whole,
    text: 'One.\n\nZwei.',
    reasoning: 'hm',
    calls: [{ id: 'toolu_z', name: 'read', arguments: '{"path":"ä"}' }],
    servedBy: 'claude-haiku-4-5-20251001',
    usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 0 },
    native: {
      blocks: [
        { type: 'thinking', thinking: 'hm', signature: 'eA==' },
        { type: 'text', text: 'One.' },
        { type: 'tool_use', id: 'toolu_z' },
        { type: 'text', text: 'Zwei.' },
      ],
    },
  },
};

describe.each(Object.entries(replies))('the recording %s', (name, reply) => {
  const bytes = recording(name);

  it('gives the same reply wherever its bytes are split in two', async () => {
    expect(await answer([bytes])).toEqual(ok(reply));
    expect(await wrongSplits(bytes, answer, reply)).toEqual([]);
  });

  it('gives the same reply byte by byte', async () => {
    expect(await answer([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(ok(reply));
  });

  it('gives the same reply over HTTP', async () => {
    const server = await startScriptedServer({ turns: [{ fault: { kind: 'raw', bytes } }] });
    const http = createHttp();
    const heard = ear();
    const wire = anthropicWire(endpoint(server.url), { http, clock: { now: () => 0 } });
    expect(await wire(asking(), heard.io)).toEqual(ok(reply));
    expect(heard.text()).toBe(reply.text);
    http.close();
    await server.close();
  });

  it('never becomes a whole reply before its end was said', async () => {
    const end = name.endsWith('.json') ? bytes.length - 2 : bytes.toString('latin1').indexOf('"stop_reason":"');
    expect(await takenCuts(bytes, answer, end)).toEqual([]);
  });
});

const event = (data: object): Buffer => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
const text = [
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'so far' } }),
];

describe('the end of a reply', () => {
  it.each([
    ['end_turn', 'stop', false],
    ['stop_sequence', 'stop', false],
    ['max_tokens', 'length', true],
    ['model_context_window_exceeded', 'length', true],
    ['refusal', 'filtered', false],
    ['pause_turn', 'unknown', true],
    ['a_new_word', 'unknown', false],
  ])('%s is %s, cut: %s', async (stop_reason, finish, isCut) => {
    const end = event({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 3 } });
    expect(await answer([...text, end, event({ type: 'message_stop' })])).toMatchObject({
      ok: true,
      value: { finish, finishWord: stop_reason, isCut, text: 'so far' },
    });
  });

  it.each([
    ['overloaded_error', 'Overloaded', 'overloaded'],
    ['api_error', 'Internal server error', 'overloaded'],
    ['rate_limit_error', 'Number of request tokens has exceeded your rate limit', 'rate'],
    ['authentication_error', 'invalid x-api-key', 'unauthorised'],
    ['invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum', 'overflow'],
  ])('an error event %s is a fault, whatever was said before', async (type, message, kind) => {
    const error = event({ type: 'error', error: { type, message } });
    expect(await answer([...text, error])).toMatchObject({ ok: false, fault: { kind } });
  });

  it('is only reached by the events that say so: pings and unknown events end nothing', async () => {
    const others = [event({ type: 'ping' }), event({ type: 'a_new_event', stop_reason: 'end_turn' })];
    expect(await answer([...text, ...others])).toMatchObject({ ok: true, value: { isCut: true, finish: 'unknown' } });
  });
});

it('calls without a name are left out, also of what goes back, and noted', async () => {
  const blocks = [
    { type: 'thinking', thinking: 'x', signature: 's' },
    { type: 'tool_use', id: 'a', name: '', input: {} },
  ];
  const body = JSON.stringify({ type: 'message', content: blocks, stop_reason: 'tool_use' });
  expect(await answer([Buffer.from(body)])).toMatchObject({
    ok: true,
    value: { calls: [], native: { blocks: [{ type: 'thinking' }] } },
  });
});

it('an output cap that is too large is asked again at once with the one that the server names, and from then on', async () => {
  const message = 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for small/one';
  const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } });
  const fault = { kind: 'status' as const, status: 400, body, times: 1 };
  const server = await startScriptedServer({ turns: [{ text: 'Well.', fault }] });
  const http = createHttp();
  const heard = ear();
  const wire = anthropicWire(endpoint(server.url), { http, clock: { now: () => 0 } });
  for (let step = 0; step < 2; step++) {
    expect(await wire(asking(), heard.io)).toMatchObject({ ok: true, value: { text: 'Well.' } });
  }
  const caps = server.requests.map(({ raw }) => /"max_tokens":(\d+)/.exec(raw.toString())?.[1]);
  expect(caps).toEqual(['32000', '8192', '8192']);
  expect(heard.of('noted').map(({ kind }) => kind)).toEqual(['output cap learned']);
  http.close();
  await server.close();
});
