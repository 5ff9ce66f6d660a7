import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../base/result.ts';
import type { RawReply } from '../../../protocol/model.ts';
import { createHttp } from '../http.ts';
import { startScriptedServer } from '../scripted/server.ts';
import { asking, ear, endpointAt } from '../testing/asking.ts';
import { answerIn, takenCuts, wrongSplits } from '../testing/recordings.ts';
import { ollamaWire } from './wire.ts';

const recording = (name: string): Buffer => readFileSync(`test/fixtures/wire/ollama/${name}`);
const endpoint = (url: string) => ({ ...endpointAt(url), wire: 'ollama' as const, url: `${url}/api/chat` });
const answer = answerIn(ollamaWire, endpoint('http://127.0.0.1:1'));
const stopped = { finish: 'stop', finishWord: 'stop', isCut: false, servedBy: 'qwen3:8b', isStreamed: true } as const;

const replies: Readonly<Record<string, RawReply>> = {
  'text.ndjson': {
    ...stopped,
    text: 'Grüße, 世界 👩‍👩‍👧‍👦 – done.',
    calls: [],
    usage: { inputTokens: 1200, outputTokens: 9 },
  },
  'thinking-calls.ndjson': {
    ...stopped,
    finish: 'calls',
    text: 'I read both.',
    reasoning: 'First the café file.',
    native: { thinking: 'First the café file.' },
    calls: [
      { id: 'call_1', name: 'read', arguments: '{"path":"src/ü.ts"}' },
      { id: 'call_2', name: 'read', arguments: '{"path":"b \\"q\\""}' },
    ],
    usage: { inputTokens: 500, outputTokens: 60 },
  },
  'old-calls.ndjson': {
    text: '',
    calls: [
      { id: '', name: 'read', arguments: '{"path":"日本.md","limit":5}' },
      { id: '', name: 'read', arguments: '{"path":"b"}' },
      { id: '', name: 'list', arguments: '{}' },
    ],
    finish: 'calls',
    isCut: false,
    servedBy: 'qwen3:8b',
    isStreamed: true,
  },
  'bad-line.ndjson': { ...stopped, text: 'before after', calls: [], hasGap: true },
  'whole.json': {
    text: '',
    reasoning: 'hm',
    native: { thinking: 'hm' },
    calls: [{ id: '', name: 'read', arguments: '{"path":"ä"}' }],
    finish: 'calls',
    finishWord: 'stop',
    isCut: false,
    servedBy: 'qwen3:8b',
    usage: { inputTokens: 10, outputTokens: 5 },
  },
  'pretty.json': {
    text: 'né à la fin',
    calls: [],
    finish: 'stop',
    finishWord: 'stop',
    isCut: false,
    servedBy: 'qwen3:8b',
  },
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
    const wire = ollamaWire(endpoint(server.url.replace('/v1', '')), { http, clock: { now: () => 0 } });
    expect(await wire(asking(), heard.io)).toEqual(ok(reply));
    expect(heard.text()).toBe(reply.text);
    http.close();
    await server.close();
  });

  it('never becomes a whole reply before its end was said', async () => {
    expect(await takenCuts(bytes, answer, bytes.toString('latin1').indexOf('"done":true') + 1)).toEqual([]);
    expect(await takenCuts(bytes, answer, bytes.toString('latin1').trimEnd().length - 1)).toEqual([]);
  });
});

const said = (line: object) => answer([Buffer.from(`${JSON.stringify(line)}\n`)]);

describe('the end of a reply', () => {
  it.each([
    ['length', 'length', true],
    ['load', 'unknown', true],
    ['unload', 'unknown', true],
    ['a new word', 'unknown', true],
  ])('%s is %s, cut: %s', async (word, finish, isCut) => {
    const message = { role: 'assistant', content: 'so far' };
    expect(await said({ message, done: true, done_reason: word })).toMatchObject({
      ok: true,
      value: { finish, finishWord: word, isCut, text: 'so far' },
    });
  });
});

describe('an error inside a good answer', () => {
  it.each([
    ['model runner has unexpectedly stopped', 'overloaded'],
    ['the input length exceeds the context length', 'overflow'],
  ])('"%s" is a fault', async (error, kind) => {
    const first = JSON.stringify({ message: { content: 'a' }, done: false });
    const lines = `${first}\n${JSON.stringify({ error })}\n`;
    expect(await answer([Buffer.from(lines)])).toMatchObject({ ok: false, fault: { kind } });
  });

  it('a page is named as what it is', async () => {
    const page = '<!doctype html>\n<title>Log in</title>\n';
    expect(await answer([Buffer.from(page)])).toMatchObject({ ok: false, fault: { kind: 'garbled' } });
  });
});
