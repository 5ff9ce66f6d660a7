import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../base/result.ts';
import type { RawReply } from '../../../protocol/model.ts';
import { createHttp } from '../http.ts';
import { startScriptedServer } from '../scripted/server.ts';
import { asking, ear, endpointAt } from '../testing/asking.ts';
import { answerIn, takenCuts, wrongSplits } from '../testing/recordings.ts';
import { geminiWire } from './wire.ts';

const recording = (name: string): Buffer => readFileSync(`test/fixtures/wire/gemini/${name}`);
const endpoint = (url: string) => ({ ...endpointAt(url), wire: 'gemini' as const, url: `${url}/models/gemini-x` });
const answer = answerIn(geminiWire, endpoint('http://127.0.0.1:1/v1beta'));
const stopped = { finish: 'stop', finishWord: 'STOP', isCut: false, servedBy: 'gemini-x' } as const;
const called = { ...stopped, finish: 'calls' } as const;

const replies: Readonly<Record<string, RawReply>> = {
  'text-with-usage.sse': {
    ...stopped,
    text: 'Grüße, 世界 👩‍👩‍👧‍👦 – done.',
    calls: [],
    isStreamed: true,
    usage: { inputTokens: 1200, outputTokens: 9, cachedTokens: 1024 },
  },
  'signed-calls.sse': {
    ...called,
    text: 'I read both.',
    reasoning: 'First the café file.',
    calls: [
      { id: 'a1', name: 'read', arguments: '{"path":"src/ü.ts"}' },
      { id: 'a2', name: 'grep', arguments: '{"pattern":"naïve \\"q\\""}' },
    ],
    isStreamed: true,
    usage: { inputTokens: 500, outputTokens: 60, cachedTokens: 448, reasoningTokens: 31 },
    native: {
      parts: [
        { text: 'First the café file.', thought: true },
        { text: 'I read both.' },
        { functionCall: { name: 'read', id: 'a1' }, thoughtSignature: 'c2lnbmVkIMO8' },
        { functionCall: { name: 'grep', id: 'a2' } },
      ],
    },
  },
  'late-signature.sse': {
    ...stopped,
    text: 'No call needed.',
    calls: [],
    isStreamed: true,
    native: { parts: [{ text: 'No call needed.' }, { text: '', thoughtSignature: 'dGhl' }] },
  },
  'bare-calls.sse': {
    ...called,
    text: '',
    calls: [
      { id: '', name: 'read', arguments: '{"path":"日本.md"}' },
      { id: '', name: 'list', arguments: '' },
    ],
    isStreamed: true,
  },
  'bad-line.sse': { ...stopped, text: 'before after', calls: [], isStreamed: true, hasGap: true },
  'whole.json': {
    ...called,
    text: '',
    reasoning: 'hm',
    calls: [{ id: '', name: 'read', arguments: '{"path":"ä"}' }],
    usage: { inputTokens: 10, outputTokens: 5 },
    native: {
      parts: [
        { text: 'hm', thought: true },
        { functionCall: { name: 'read' }, thoughtSignature: 'eA==' },
      ],
    },
  },
  'list.json': { ...stopped, text: 'One, zwölf.', calls: [] },
};

describe.each(Object.entries(replies))('the recording %s', (name, reply) => {
  const bytes = recording(name);

  it('gives the same reply wherever its bytes are split in two', async () => {
    expect(await wrongSplits(bytes, answer, reply)).toEqual([]);
  });

  it('gives the same reply byte by byte', async () => {
    expect(await answer([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(ok(reply));
  });

  it('gives the same reply over HTTP', async () => {
    const server = await startScriptedServer({ turns: [{ fault: { kind: 'raw', bytes } }] });
    const http = createHttp();
    const heard = ear();
    const wire = geminiWire(endpoint(server.url), { http, clock: { now: () => 0 } });
    expect(await wire(asking(), heard.io)).toEqual(ok(reply));
    expect(heard.text()).toBe(reply.text);
    http.close();
    await server.close();
  });

  it('never becomes a whole reply before its end was said', async () => {
    const end = name.endsWith('.json') ? bytes.length - 2 : bytes.toString('latin1').indexOf('"finishReason"');
    expect(await takenCuts(bytes, answer, end)).toEqual([]);
  });
});

const said = (response: object) => answer([Buffer.from(`data: ${JSON.stringify(response)}\n\n`)]);
const ended = (finishReason: string, more: object = {}) =>
  said({ candidates: [{ content: { role: 'model', parts: [{ text: 'so far' }] }, finishReason, ...more }] });

describe('the end of a reply', () => {
  it.each([
    ['MAX_TOKENS', 'length', true],
    ['SAFETY', 'filtered', false],
    ['RECITATION', 'filtered', false],
    ['PROHIBITED_CONTENT', 'filtered', false],
    ['OTHER', 'unknown', true],
    ['A_NEW_WORD', 'unknown', true],
    ['MISSING_THOUGHT_SIGNATURE', 'unknown', true],
  ])('%s is %s, cut: %s', async (word, finish, isCut) => {
    expect(await ended(word)).toMatchObject({ ok: true, value: { finish, finishWord: word, isCut, text: 'so far' } });
  });

  it.each([
    ['MALFORMED_FUNCTION_CALL', 'Malformed function call: print(read(path="x"))', 'print(read(path="x"))'],
    ['UNEXPECTED_TOOL_CALL', 'read', 'read'],
    ['MALFORMED_FUNCTION_CALL', undefined, ''],
  ])('%s hands over what the model said', async (word, finishMessage, unread) => {
    const answered = await ended(word, { finishMessage });
    expect(answered).toMatchObject({ ok: false, fault: { kind: 'garbled', unread } });
  });

  it('a blocked prompt is told as the work of a filter', async () => {
    expect(await said({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })).toMatchObject({
      ok: true,
      value: { text: '', finish: 'filtered', finishWord: 'PROHIBITED_CONTENT' },
    });
  });

  it.each(['{}', '{"candidates":[]}', '[]'])('a body that says nothing, %s, is no reply', async (body) => {
    expect(await answer([Buffer.from(body)])).toMatchObject({ ok: false, fault: { kind: 'cut' } });
  });

  it('other candidates than the first are passed over', async () => {
    const candidates = [1, 0].map((index) => ({
      index,
      content: { parts: [{ text: `number ${index}` }] },
      finishReason: 'STOP',
    }));
    expect(await said({ candidates })).toMatchObject({ value: { text: 'number 0' } });
  });
});

describe('an error inside a good answer', () => {
  const error = { code: 429, message: 'Quota exceeded. Please retry in 7.5s.', status: 'RESOURCE_EXHAUSTED' };
  it.each([
    ['as a body', JSON.stringify({ error })],
    ['as a list', JSON.stringify([{ error }])],
    ['as an event', `data: ${JSON.stringify({ error })}\n\n`],
    [
      'after some text',
      `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}\n\ndata: ${JSON.stringify({ error })}\n\n`,
    ],
  ])('is a fault %s', async (_, text) => {
    expect(await answer([Buffer.from(text)])).toMatchObject({
      ok: false,
      fault: { kind: 'rate', status: 429, retryAfterMs: 7500 },
    });
  });
});
