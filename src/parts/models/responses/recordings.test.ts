import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../base/result.ts';
import type { RawReply } from '../../../protocol/model.ts';
import { createHttp } from '../http.ts';
import { startScriptedServer } from '../scripted/server.ts';
import { asking, ear, endpointAt } from '../testing/asking.ts';
import { answerIn, takenCuts, wrongSplits } from '../testing/recordings.ts';
import { responsesWire } from './wire.ts';

const recording = (name: string): Buffer => readFileSync(`test/fixtures/wire/responses/${name}`);
const endpoint = (url: string) => ({ ...endpointAt(url), wire: 'responses' as const, url: `${url}/responses` });
const answer = answerIn(responsesWire, endpoint('http://127.0.0.1:1/v1'));
const completed = { finishWord: 'completed', isCut: false, servedBy: 'gpt-6-mini' } as const;
const greeting = 'Grüße, 世界 👩‍👩‍👧‍👦 – done.';
const usage = { inputTokens: 1200, outputTokens: 9, cachedTokens: 1024, reasoningTokens: 0 };
const readCall = { id: 'call_a', name: 'read', arguments: '{"path":"src/ü.ts"}' };

const replies: Readonly<Record<string, RawReply>> = {
  'text-with-usage.sse': { ...completed, text: greeting, calls: [], finish: 'stop', isStreamed: true, usage },
  'last-event-only.sse': { ...completed, text: greeting, calls: [readCall], finish: 'calls', isStreamed: true, usage },
  'reasoning-calls.sse': {
    ...completed,
    text: 'I read both.',
    reasoning: 'First the café file.\n\nThen grep.',
    calls: [readCall, { id: 'call_b', name: 'grep', arguments: '{"pattern":"naïve \\"q\\""}' }],
    finish: 'calls',
    isStreamed: true,
    usage: { inputTokens: 500, outputTokens: 60, cachedTokens: 448, reasoningTokens: 31 },
    native: {
      items: [
        {
          id: 'rs_1',
          type: 'reasoning',
          encrypted_content: 'c2VhbGVkIMO8',
          summary: [
            { type: 'summary_text', text: 'First the café file.' },
            { type: 'summary_text', text: 'Then grep.' },
          ],
        },
        { type: 'message', phase: 'commentary', text: 'I read both.' },
        { type: 'function_call', call_id: 'call_a' },
        { type: 'function_call', call_id: 'call_b' },
      ],
    },
  },
  'loose-compatible.sse': {
    text: 'Là: ✓',
    reasoning: 'Hm, ça va.',
    calls: [{ id: 'f', name: 'read', arguments: '{"path":"日本.md"}' }],
    finish: 'calls',
    finishWord: 'completed',
    isCut: false,
    isStreamed: true,
    servedBy: 'vendor-big',
    usage: { inputTokens: 40, outputTokens: 12 },
    native: {
      items: [{ type: 'reasoning' }, { type: 'message', text: 'Là: ✓' }, { type: 'function_call', call_id: 'f' }],
    },
  },
  'whole.json': {
    ...completed,
    text: '',
    reasoning: 'hm',
    calls: [{ id: 'call_a', name: 'read', arguments: '{"path":"ä"}' }],
    finish: 'calls',
    usage: { inputTokens: 10, outputTokens: 5 },
    native: {
      items: [
        {
          id: 'rs_9',
          type: 'reasoning',
          encrypted_content: 'eA==',
          summary: [{ type: 'summary_text', text: 'hm' }],
        },
        { type: 'function_call', call_id: 'call_a' },
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
    const wire = responsesWire(endpoint(server.url), { http, clock: { now: () => 0 } });
    expect(await wire(asking(), heard.io)).toEqual(ok(reply));
    expect(heard.text()).toBe(reply.text);
    http.close();
    await server.close();
  });

  it('never becomes a whole reply before its last bracket', async () => {
    expect(await takenCuts(bytes, answer, bytes.toString('utf8').trimEnd().length)).toEqual([]);
  });
});

const event = (type: string, more: object): Buffer => Buffer.from(`data: ${JSON.stringify({ type, ...more })}\n\n`);
const text = event('response.output_text.delta', { output_index: 0, delta: 'so far' });

describe('the end of a reply', () => {
  it.each([
    ['max_output_tokens', 'length', true],
    ['content_filter', 'filtered', false],
    ['a_new_reason', 'unknown', true],
  ])('incomplete for %s is %s, cut: %s', async (reason, finish, isCut) => {
    const response = { status: 'incomplete', incomplete_details: { reason } };
    expect(await answer([text, event('response.incomplete', { response })])).toMatchObject({
      ok: true,
      value: { finish, finishWord: reason, isCut, text: 'so far' },
    });
  });

  it.each([
    ['server_error', 'The model failed', 'overloaded'],
    ['rate_limit_exceeded', 'Please try again in 3s', 'rate'],
    ['context_length_exceeded', 'Your input exceeds the context window of this model', 'overflow'],
    ['insufficient_quota', 'You exceeded your current quota', 'quota'],
    ['invalid_prompt', 'This prompt was flagged', 'refused'],
  ])('%s is a fault, in a failed response, an event of its own and a whole body', async (code, message, kind) => {
    const error = { code, message };
    const ways = [
      [text, event('response.failed', { response: { status: 'failed', error } })],
      [text, event('error', { ...error, param: null })],
      [event('error', { error })],
      [Buffer.from(JSON.stringify({ object: 'response', status: 'failed', error, output: [] }))],
    ];
    for (const way of ways) expect(await answer(way)).toMatchObject({ ok: false, fault: { kind } });
  });

  it('refusals of the model are its text', async () => {
    const refusal = event('response.refusal.delta', { output_index: 0, delta: 'I will not.' });
    const end = event('response.completed', { response: { status: 'completed' } });
    expect(await answer([refusal, end])).toMatchObject({ ok: true, value: { text: 'I will not.', finish: 'stop' } });
  });
});

describe('items that come twice', () => {
  const call = { type: 'function_call', id: 'fc', call_id: 'c', name: 'read', arguments: '{"path":"a"}' };
  const message = { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'so far' }] };
  const completed = (output: object[]) => event('response.completed', { response: { status: 'completed', output } });

  it('stand once, known by place or by id', async () => {
    const byId = [
      event('response.output_text.delta', { item_id: 'm', delta: 'so far' }),
      event('response.output_item.done', { item: call }),
    ];
    const byPlace = [text, event('response.output_item.done', { output_index: 1, item: call })];
    for (const events of [byId, byPlace]) {
      expect(await answer([...events, completed([message, call])])).toMatchObject({
        ok: true,
        value: { text: 'so far', calls: [{ id: 'c', arguments: '{"path":"a"}' }] },
      });
    }
  });

  it('end with the arguments that the whole item has', async () => {
    const delta = event('response.function_call_arguments.delta', { output_index: 0, delta: '{"path":"a"}{"pa' });
    const added = event('response.output_item.added', { output_index: 0, item: { ...call, arguments: '' } });
    const done = event('response.output_item.done', { output_index: 0, item: call });
    expect(await answer([added, delta, done, completed([call])])).toMatchObject({
      ok: true,
      value: { calls: [{ id: 'c', arguments: '{"path":"a"}' }] },
    });
  });
});

describe('a setting that the model refuses', () => {
  const refusing = (...messages: string[]) => ({
    turns: [
      {
        text: 'Well.',
        fault: {
          kind: 'status' as const,
          status: 400,
          body: JSON.stringify({ error: { message: messages[0], type: 'invalid_request_error' } }),
          times: 1,
        },
      },
      { text: 'Again.' },
    ],
  });

  it.each([
    ['Encrypted content is not supported with this model.', 'include'],
    ['Your organization must be verified to generate reasoning summaries.', 'summary'],
  ])('is left out, at once and from then on: %s', async (message, setting) => {
    const server = await startScriptedServer(refusing(message));
    const http = createHttp();
    const heard = ear();
    const wire = responsesWire(endpoint(server.url), { http, clock: { now: () => 0 } });
    const request = asking(undefined, { effort: 'low' });
    expect(await wire(request, heard.io)).toMatchObject({ ok: true, value: { text: 'Well.' } });
    expect(await wire(request, heard.io)).toMatchObject({ ok: true });
    const bodies = server.requests.map(({ raw }) => raw.toString().includes(`"${setting}"`));
    expect(bodies).toEqual([true, false, false]);
    expect(heard.of('noted').map(({ kind, data }) => [kind, data?.['setting']])).toEqual([
      ['setting left out', setting],
    ]);
    http.close();
    await server.close();
  });
});
