import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttp } from '../http.ts';
import { openWire } from '../open.ts';
import { resolveModel } from '../provider.ts';
import { startScriptedServer } from '../scripted/server.ts';
import { asking, ear } from '../testing/asking.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'smew-sdk-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const parts = `[
  { type: 'text-delta', id: '1', delta: \`\${options.name} \${options.apiKey} \${id}\` },
  { type: 'finish', finishReason: 'stop' },
]`;
const model = `{
  provider: 'mine',
  modelId: id,
  doStream: async () => ({ stream: ReadableStream.from(${parts}) }),
  doGenerate: async () => ({}),
}`;

/** What a model of a module with this text answers. */
async function answerOf(text: string, sdk = './provider.mjs') {
  writeFileSync(join(directory, 'provider.mjs'), text);
  return await answerTo({ sdk, apiKey: 'key-1' }, 'mine/big/one');
}

interface Own {
  readonly sdk: string;
  readonly apiKey: string;
  readonly baseUrl?: string;
}

async function answerTo(own: Own, spec: string, configDirectory = directory) {
  const config = { [spec.slice(0, spec.indexOf('/'))]: own };
  const endpoint = resolveModel(spec, { env: {}, config, configDirectory });
  if (!endpoint.ok) throw new Error(endpoint.fault.message);
  const http = createHttp();
  const wire = openWire(endpoint.value, { http, clock: { now: () => 0 }, random: () => 0, attempts: 1 });
  const answer = await wire(asking(undefined, { model: spec }), ear().io);
  http.close();
  return answer;
}

describe('a module with a provider', () => {
  it.each([
    ['a create function', `export const createMine = (options) => (id) => (${model});`, './provider.mjs'],
    ['a default function', `export default (options) => ({ languageModel: (id) => (${model}) });`, './provider.mjs'],
    [
      'a named function among others',
      `export const createOther = () => {}; export const create2 = (options) => (id) => (${model});`,
      './provider.mjs#create2',
    ],
  ])('is found by %s, and gets name, key and model', async (_, text, sdk) => {
    expect(await answerOf(text, sdk)).toMatchObject({
      ok: true,
      value: { text: 'mine key-1 big/one', finish: 'stop' },
    });
  });

  it.each([
    ['that is not there', 'export {}', './other.mjs', 'cannot be loaded'],
    ['that is not installed', 'export {}', 'no-such-package-of-mine', 'cannot be found'],
    ['that does not load', 'throw new Error("broken inside")', './provider.mjs', 'broken inside'],
    ['without a function', 'export const createMine = 5;', './provider.mjs', 'has no function create...'],
    ['without a model', 'export const createMine = () => () => ({});', './provider.mjs', 'gave no model'],
  ])('%s is told with what to write', async (_, text, sdk, words) => {
    const answer = await answerOf(text, sdk);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'usage' } });
    if (!answer.ok) expect(answer.fault.message).toContain(words);
  });
});

it('a real package of the AI SDK talks to a server through the bridge', async () => {
  const server = await startScriptedServer({
    turns: [{ text: 'Grüße', reasoning: 'hm', calls: [{ op: 'raw', name: 'read', args: { path: 'ü' } }] }],
  });
  const answer = await answerTo(
    { sdk: '@ai-sdk/openai-compatible', apiKey: 'key-1', baseUrl: server.url },
    'compatible/small',
    process.cwd(),
  );
  expect(answer).toMatchObject({
    ok: true,
    value: {
      text: 'Grüße',
      reasoning: 'hm',
      calls: [{ id: 'turn1_1', name: 'read', arguments: '{"path":"ü"}' }],
      finish: 'calls',
      isCut: false,
    },
  });
  expect(server.requests[0]?.headers['authorization']).toBe('Bearer key-1');
  await server.close();
});
