import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../protocol/message.ts';
import type { Endpoint } from '../endpoint.ts';
import { createHttp } from '../http.ts';
import { startScriptedServer } from '../scripted/server.ts';
import type { ScriptedTurn } from '../scripted/turn.ts';
import { asking, ear, endpointAt, said } from '../testing/asking.ts';
import { ollamaWire } from './wire.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(turns: readonly ScriptedTurn[], more: Partial<Endpoint> = {}) {
  const server = await startScriptedServer({ turns });
  const http = createHttp();
  closers.push(
    () => http.close(),
    () => server.close(),
  );
  const url = `${server.url.replace('/v1', '')}/api/chat`;
  const endpoint: Endpoint = { ...endpointAt(url), wire: 'ollama', url, modelId: 'qwen3:8b', ...more };
  return { server, wire: ollamaWire(endpoint, { http, clock: { now: () => 0 } }), listener: ear() };
}

describe('a prompt that the server cut', () => {
  it('is found in a window filled to its brim, told with the window that was asked for', async () => {
    const turn = { text: 'x', usage: { inputTokens: 4096, outputTokens: 3 } };
    const { wire, listener } = await start([turn], { contextTokens: 4096 });
    const answer = await wire(asking([said('word '.repeat(3500))]), listener.io);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'overflow', windowTokens: 4096 } });
    expect(listener.of('noted')).toMatchObject([
      { by: 'wire.ollama', kind: 'prompt cut', data: { windowTokens: 4096 } },
    ]);
  });

  it.each([2, 2.5, 3, 3.5, 4, 4.5, 6, 8])(
    'is not suspected in an honest count of %d characters a token',
    async (per) => {
      const sizes = [9000, 34_000, 36_000, 80_000];
      const turns = sizes.map((size) => ({
        text: 'x',
        usage: { inputTokens: Math.ceil(size / per), outputTokens: 3 },
      }));
      const { wire, listener } = await start(turns, { contextTokens: 40_960 });
      for (const size of sizes)
        expect(await wire(asking([said('word '.repeat(size / 5))]), listener.io)).toMatchObject({ ok: true });
      expect(listener.of('noted')).toEqual([]);
    },
  );

  it.each([
    ['tiny, for the server had the rest cached', { inputTokens: 40, outputTokens: 3 }],
    ['none', null],
    ['larger than what was asked for', { inputTokens: 9000, outputTokens: 3 }],
  ])('is not suspected where the count is %s', async (_, usage) => {
    const { wire, listener } = await start([{ text: 'x' }, { text: 'y', usage }], { contextTokens: 8192 });
    const first = asking([said('word '.repeat(4000))]);
    expect(await wire(first, listener.io)).toMatchObject({ ok: true });
    const reply: Message = { from: 'model', text: 'x', calls: [] };
    expect(await wire(asking([...first.messages, reply, said('more')]), listener.io)).toMatchObject({ ok: true });
  });
});

describe('a refusal', () => {
  it.each([
    [404, 'model "qwen3:8b" not found, try pulling it first', 'not found', 'Fetch it with: ollama pull qwen3:8b'],
    [400, '"qwen3:8b" does not support tools', 'refused', 'Choose a model that can call tools'],
    [400, '"qwen3:8b" does not support thinking', 'refused', 'Leave out the effort'],
    [400, 'the prompt is longer than the context length currently available to the model', 'overflow', 'compact'],
    [400, 'the request exceeds the available context size', 'overflow', 'compact'],
  ])('%i %s is told with what to do', async (status, error, kind, advice) => {
    const { wire, listener } = await start([{ fault: { kind: 'status', status, body: JSON.stringify({ error }) } }]);
    const answer = await wire(asking(), listener.io);
    expect(answer).toMatchObject({ ok: false, fault: { kind } });
    if (!answer.ok) expect(answer.fault.message).toContain(advice);
  });

  it('of an address that is no Ollama gives no advice to pull', async () => {
    const { wire, listener } = await start([{ fault: { kind: 'status', status: 404, body: '404 page not found' } }]);
    const answer = await wire(asking(), listener.io);
    if (!answer.ok) expect(answer.fault.message).not.toContain('ollama pull');
    expect(answer.ok).toBe(false);
  });
});
