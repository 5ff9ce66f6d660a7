import { afterEach, expect, it } from 'vitest';
import { createHttp } from '../parts/models/http.ts';
import { startScriptedServer } from '../parts/models/scripted/server.ts';
import type { ScriptedTurn } from '../parts/models/scripted/turn.ts';
import { asking, ear, endpointAt } from '../parts/models/testing/asking.ts';
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
