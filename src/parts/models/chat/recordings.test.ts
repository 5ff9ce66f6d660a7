import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../base/result.ts';
import type { RawReply } from '../../../protocol/model.ts';
import { createHttp, type Http } from '../http.ts';
import { startScriptedServer } from '../scripted/server.ts';
import { asking, ear, endpointAt } from '../testing/asking.ts';
import { chatWire } from './wire.ts';

const recording = (name: string): Buffer => readFileSync(`test/fixtures/wire/chat/${name}`);
const clock = { now: () => 0 };

/** An answer that arrives in exactly these pieces. */
const inPieces = (pieces: readonly Uint8Array[]): Http => ({
  send: async () =>
    ok({
      status: 200,
      headers: {},
      read: async (take) => {
        for (const piece of pieces) if (take(piece) === 'done') return undefined;
        return undefined;
      },
    }),
  close: () => {},
});

const replies: Readonly<Record<string, RawReply>> = {
  'text-with-usage.sse': {
    text: 'Grüße, 世界 👩‍👩‍👧‍👦 – done.',
    calls: [],
    finish: 'stop',
    finishWord: 'stop',
    isCut: false,
    servedBy: 'm-1',
    usage: { inputTokens: 1200, outputTokens: 9, cachedTokens: 1024, reasoningTokens: 0 },
  },
  'parallel-calls.sse': {
    text: '',
    calls: [
      { id: 'call_a', name: 'read', arguments: '{"path":"src/ü.ts"}' },
      { id: 'call_b', name: 'grep', arguments: '{"pattern":"naïve \\"q\\""}' },
    ],
    finish: 'calls',
    finishWord: 'tool_calls',
    isCut: false,
    servedBy: 'm-1',
  },
  'reasoning.sse': {
    text: 'I read it.',
    reasoning: 'First I look at the café file.',
    native: { reasoning_content: 'First I look at the café file.' },
    calls: [{ id: 'call_00_x', name: 'read', arguments: '{"path": "café.txt"}' }],
    finish: 'calls',
    finishWord: 'tool_calls',
    isCut: false,
    servedBy: 'deep-r',
    usage: { inputTokens: 500, outputTokens: 60, cachedTokens: 448, reasoningTokens: 31 },
  },
  'gateway-crlf.sse': {
    text: 'Yes ✓',
    reasoning: 'Let me see',
    native: {
      reasoning: 'Let me see',
      reasoning_details: [
        { type: 'reasoning.text', text: 'Let me see', format: 'x', index: 0, signature: 'c2ln' },
        { type: 'reasoning.encrypted', data: 'b3BhcXVl', id: 'rs_1', index: 1 },
      ],
    },
    calls: [],
    finish: 'stop',
    finishWord: 'stop',
    isCut: false,
    servedBy: 'vendor/big',
    usage: { inputTokens: 40, outputTokens: 12, cachedTokens: 0, cacheWriteTokens: 32 },
  },
  'loose-local.sse': {
    text: '',
    calls: [
      { id: 'a', name: 'read', arguments: '{"path":"日本.md","limit":5}' },
      { id: 'b', name: 'list', arguments: '' },
    ],
    finish: 'calls',
    isCut: false,
  },
  'one-newline.sse': {
    text: 'né à la fin',
    calls: [],
    finish: 'stop',
    finishWord: 'stop',
    isCut: false,
    servedBy: 'm-1',
  },
  'bad-line.sse': {
    text: 'before after',
    calls: [],
    finish: 'stop',
    finishWord: 'stop',
    isCut: false,
    servedBy: 'm-1',
    hasGap: true,
  },
  'whole.json': {
    text: '',
    reasoning: 'hm',
    native: { reasoning_content: 'hm' },
    calls: [{ id: 'call_z', name: 'read', arguments: '{"path":"ä"}' }],
    finish: 'calls',
    finishWord: 'tool_calls',
    isCut: false,
    servedBy: 'm-1',
    usage: { inputTokens: 10, outputTokens: 5 },
  },
};

describe.each(Object.entries(replies))('the recording %s', (name, read) => {
  const reply = name.endsWith('.sse') ? { ...read, isStreamed: true } : read;
  const bytes = recording(name);
  const answer = (pieces: readonly Uint8Array[]) =>
    chatWire(endpointAt('http://127.0.0.1:1/v1'), { http: inPieces(pieces), clock })(asking(), ear().io);

  it('gives the same reply wherever its bytes are split in two', async () => {
    const wrong: number[] = [];
    for (let at = 0; at <= bytes.length; at++) {
      const got = await answer([bytes.subarray(0, at), bytes.subarray(at)]);
      if (!isDeepStrictEqual(got, ok(reply))) wrong.push(at);
    }
    expect(wrong).toEqual([]);
  });

  it('gives the same reply byte by byte', async () => {
    expect(await answer([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(ok(reply));
  });

  it('gives the same reply over HTTP', async () => {
    const server = await startScriptedServer({
      turns: [{ fault: { kind: 'raw', bytes } }],
    });
    const http = createHttp();
    const heard = ear();
    expect(await chatWire(endpointAt(server.url), { http, clock })(asking(), heard.io)).toEqual(ok(reply));
    expect(heard.text()).toBe(reply.text);
    http.close();
    await server.close();
  });
});

describe('a recording that breaks off', () => {
  it.each(Object.keys(replies))('never becomes a whole reply before its end was said: %s', async (name) => {
    const bytes = recording(name);
    const words = bytes.toString('latin1');
    const marks = ['"finish_reason":"', '[DONE'].map((mark) => words.indexOf(mark)).filter((at) => at >= 0);
    const end = name.endsWith('.json') ? bytes.length - 1 : Math.min(...marks);
    const taken: number[] = [];
    for (let at = 0; at < end; at++) {
      const wire = chatWire(endpointAt('http://127.0.0.1:1/v1'), { http: inPieces([bytes.subarray(0, at)]), clock });
      const answer = await wire(asking(), ear().io);
      if (answer.ok ? !answer.value.isCut : answer.fault.kind !== 'cut') taken.push(at);
    }
    expect(taken).toEqual([]);
  });
});
