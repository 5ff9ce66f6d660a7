import { afterEach, expect, it } from 'vitest';
import type { ModelRequest } from '../loop/ports.ts';
import { createHttp } from '../parts/models/http.ts';
import { startScriptedServer } from '../parts/models/scripted/server.ts';
import type { ScriptedTurn } from '../parts/models/scripted/turn.ts';
import { asking, ear, endpointAt, said } from '../parts/models/testing/asking.ts';
import { modelOf } from './model-chain.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const network = { retries: 5, connectSeconds: 2, firstByteSeconds: 2, stallSeconds: 2, usesSystemStore: false };
const world = { env: {}, home: '/', cwd: '/', platform: 'linux', version: '0', clock: Date, random: () => 0 };

/** How many requests one step takes, and how it ends. */
async function asked(turn: ScriptedTurn, retries: number) {
  const server = await startScriptedServer({ turns: [turn] });
  const http = createHttp({ connectMs: 2000, firstOutputMs: 2000, betweenMs: 2000 });
  closers.push(http.close, server.close);
  const model = modelOf([endpointAt(server.url)], { world, http, network: { ...network, retries } });
  const answer = await model(asking(), ear().io);
  return [server.requests.length, answer.ok];
}

it('A reply that breaks off is asked for again as often as the network may be retried, three times at most in all', async () => {
  const cut: ScriptedTurn = { text: 'Half of it.', fault: { kind: 'cut', afterEvents: 2, how: 'close' } };
  expect(await asked(cut, 0)).toEqual([1, false]);
  expect(await asked(cut, 1)).toEqual([2, false]);
  expect(await asked(cut, 5)).toEqual([3, false]);
});

it('A refusal is asked again as often as the network may be retried', async () => {
  const busy: ScriptedTurn = { fault: { kind: 'status', status: 503, body: 'busy' } };
  expect(await asked(busy, 0)).toEqual([1, false]);
  expect(await asked(busy, 1)).toEqual([2, false]);
});

it('A stream that was torn is asked for in one piece, whatever may be retried', async () => {
  const torn: ScriptedTurn = {
    text: 'All.',
    fault: { kind: 'garbage', line: '{"choices":[{', afterEvents: 2, times: 1 },
  };
  expect(await asked(torn, 0)).toEqual([2, true]);
});

/** Two models of which the first is down; what the second is known to be. */
async function fallingBack(contextTokens: number, seesImages: boolean, request: ModelRequest) {
  const down = await startScriptedServer({ turns: [{ fault: { kind: 'status', status: 503, body: 'busy' } }] });
  const standby = await startScriptedServer({ turns: [{ text: 'Here.' }] });
  const http = createHttp({ connectMs: 2000, firstOutputMs: 2000, betweenMs: 2000 });
  closers.push(http.close, down.close, standby.close);
  const other = { ...endpointAt(standby.url), provider: 'box', model: 'box/small' };
  const facts = {
    windowOf: (model: string) => (model === 'box/small' ? contextTokens : 100),
    seesImages: (model: string) => (model === 'box/small' ? seesImages : true),
  };
  const model = modelOf([endpointAt(down.url), other], { world, http, facts, network: { ...network, retries: 0 } });
  return { answer: await model(request, ear().io), sent: standby.requests };
}

it('A model that takes over is not sent more than its window holds, and the fault names it', async () => {
  const long = asking([said('some words '.repeat(2000))]);
  const { answer, sent } = await fallingBack(4096, true, long);
  expect(sent).toHaveLength(0);
  expect(answer).toMatchObject({ ok: false, fault: { kind: 'overflow', windowTokens: 4096 } });
  if (!answer.ok) expect(answer.fault.message).toContain('window of box/small (4096 tokens)');
  expect((await fallingBack(64_000, true, long)).answer.ok).toBe(true);
});

it('A model that takes over and cannot see is told of images and not sent them', async () => {
  const image = { mediaType: 'image/png', base64: 'QUJDRA==' };
  const { answer, sent } = await fallingBack(64_000, false, asking([{ from: 'user', text: 'see', images: [image] }]));
  expect(answer.ok).toBe(true);
  expect(String(sent[0]?.raw)).toContain('1 image left out: box/small does not see images');
  expect(String(sent[0]?.raw)).not.toContain('QUJDRA');
});
