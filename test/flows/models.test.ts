/** Models through the built program: found on this machine, listed, asked for their windows, tried out. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startScriptedServer } from '../../src/parts/models/scripted/server.ts';
import type { ScriptedTurn } from '../../src/parts/models/scripted/turn.ts';
import { type LocalAnswers, ollamaAnswers, tinyServer } from '../../src/parts/models/testing/local-server.ts';
import { type RunOptions, smew, temporary } from './program.ts';

/** Nobody listens at port 1, so servers that run on the developer's machine are not found. */
const nowhere = {
  OLLAMA_HOST: 'http://127.0.0.1:1',
  LMSTUDIO_BASE_URL: 'http://127.0.0.1:1/v1',
  LLAMACPP_BASE_URL: 'http://127.0.0.1:1/v1',
  VLLM_BASE_URL: 'http://127.0.0.1:1/v1',
};

interface Stage {
  readonly home: string;
  run(args: readonly string[], more?: Partial<RunOptions>): ReturnType<typeof smew>;
  config(text: string): void;
}

async function stage(play: (stage: Stage) => Promise<void>): Promise<void> {
  using work = temporary();
  using home = temporary('smew-home-');
  await play({
    home: home.path,
    run: (args, { env, ...more } = {}) =>
      smew(args, { cwd: work.path, home: home.path, env: { ...nowhere, ...env }, ...more }),
    config: (text) => {
      mkdirSync(join(home.path, 'smew'), { recursive: true });
      writeFileSync(join(home.path, 'smew', 'config.yaml'), text);
    },
  });
}

/** Ollama's list and facts, with a line of its own for the chat. */
const talkingOllama = (text: string): LocalAnswers => ({
  ...ollamaAnswers(16_384),
  'POST /api/chat': (body: { model: string; options?: { num_ctx?: number } }) =>
    `${JSON.stringify({ model: body.model, message: { role: 'assistant', content: `${text} in ${body.options?.num_ctx}` }, done: false })}\n` +
    `${JSON.stringify({ model: body.model, message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 1500, eval_count: 3 })}\n`,
});

test('where no model is set, a server on this machine is found, its loaded model used, and that is said', () =>
  stage(async ({ run }) => {
    await using ollama = await tinyServer(talkingOllama('Quack'));
    const { code, stdout, stderr } = await run(['run', 'say something'], { env: { OLLAMA_HOST: ollama.root } });
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'Quack in 32768\n' });
    expect(stderr).toMatch(/No model is set; ollama\/qwen3:8b is used, found at http:\/\/127\.0\.0\.1:\d+\./);
  }));

test('where no model is set and nobody answers, it is a usage fault that says what was looked for', () =>
  stage(async ({ run }) => {
    const { code, stderr } = await run(['run', 'say something'], { env: { GROQ_API_KEY: 'gsk' } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/No model is set.*ollama 127\.0\.0\.1:1.*-m.*key for groq/s);
  }));

test('models list names the providers with a key or an answer, and never shows a key', () =>
  stage(async ({ run, config }) => {
    await using ollama = await tinyServer(ollamaAnswers(4096));
    config('provider: {box: {baseUrl: "http://127.0.0.1:1/v1"}}\nmodels: {box/mine: {contextTokens: 8000}}\n');
    const env = { OLLAMA_HOST: ollama.root, ZAI_API_KEY: 'secret-zai-key' };
    const { code, stdout } = await run(['models', 'list'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ollama {2}\(answers, /m);
    expect(stdout).toMatch(/ollama\/qwen3:8b +loaded/);
    expect(stdout).not.toContain('nomic');
    expect(stdout).toMatch(/^zai {2}\(key of ZAI_API_KEY/m);
    expect(stdout).toMatch(/zai\/glm-5 .*tokens; \$/);
    expect(stdout).toMatch(/box\/mine/);
    expect(stdout).not.toContain('secret-zai-key');
    const asJson = JSON.parse((await run(['models', '--json'], { env })).stdout);
    expect(asJson.providers.map(({ provider }: { provider: string }) => provider)).toEqual(['box', 'zai', 'ollama']);
  }));

test('models info tells each fact with its source', () =>
  stage(async ({ run, config }) => {
    config('models: {openai/gpt-5-mini-2026-01-01: {price: {input: 7, output: 8}}}\n');
    const args = ['models', 'info', 'openai/gpt-5-mini-2026-01-01'];
    const { code, stdout } = await run(args, { env: { OPENAI_API_KEY: 'k' } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/window +400,000 tokens {2}\[catalogue \(gpt-5-mini\)\]/);
    expect(stdout).toMatch(/\$7 input, \$8 output {2}\[config\]/);
    await using llamacpp = await tinyServer({ 'GET /props': { default_generation_settings: { n_ctx: 9000 } } });
    const env = { LLAMACPP_BASE_URL: `${llamacpp.root}/v1` };
    const local = JSON.parse((await run(['models', 'info', 'llamacpp/m.gguf', '--json'], { env })).stdout);
    expect(local.card).toMatchObject({ contextTokens: 9000, sources: { contextTokens: 'server' } });
  }));

test('a model that nobody knows is said once, and its window is the one of the config', () =>
  stage(async ({ run, config }) => {
    await using box = await tinyServer({});
    config(`provider: {box: {baseUrl: "${box.root}/v1"}}\n`);
    const first = await run(['models', 'info', 'box/new']);
    expect(first.stderr).toMatch(/Nothing is known about box\/new: a window of 32,768 tokens is assumed/);
    expect((await run(['models', 'info', 'box/new'])).stderr).toBe('');
    const asked = await run(['models', 'info', 'box/other'], { env: { SMEW_UNKNOWN_WINDOW: '9000' } });
    expect(asked).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('9,000 tokens  [assumed]') });
  }));

const chat = async (turns: readonly ScriptedTurn[], play: (url: string) => Promise<void>) => {
  const server = await startScriptedServer({ turns });
  try {
    await play(server.url);
  } finally {
    await server.close();
  }
};

test('test-connection says that tools work, that none was called, or that nobody answers, by exit code too', () =>
  stage(async ({ run }) => {
    const echo: ScriptedTurn = { calls: [{ op: 'raw', name: 'echo', args: { word: 'smew' } }] };
    await chat([echo], async (url) => {
      const { code, stdout } = await run(['models', 'test-connection'], { url });
      expect(code).toBe(0);
      expect(stdout).toMatch(/openai\/scripted answers.*all after \d+ ms.*tools work/s);
      const asJson = JSON.parse((await run(['models', 'test-connection', '--json'], { url })).stdout);
      expect(asJson).toMatchObject({ model: 'openai/scripted', tools: 'works', servedBy: expect.any(String) });
    });
    await chat([{ text: 'smew' }], async (url) => {
      expect(await run(['models', 'test-connection'], { url })).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('it did not call the tool'),
      });
    });
    const refused: ScriptedTurn = {
      text: 'smew',
      fault: { kind: 'status', status: 400, body: '{"error":{"message":"m does not support tools"}}', times: 1 },
    };
    await chat([refused], async (url) => {
      expect(await run(['models', 'test-connection'], { url })).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('takes no tools'),
      });
    });
    const gone = await run(['models', 'test-connection', 'ollama/m']);
    expect(gone).toMatchObject({ code: 5, stderr: expect.stringContaining('Nobody answers at 127.0.0.1:1') });
    expect((await run(['models', 'test-connection', 'groq/m'])).code).toBe(5);
  }));

test('a tier is named by flag, and one that does not exist is a usage fault', () =>
  stage(async ({ run, config }) => {
    await chat([{ text: 'Fast.' }], async (url) => {
      config(`provider: {box: {baseUrl: "${url}"}}\ntiers: {fast: box/small, strong: box/large}\nmodel: box/large\n`);
      const { stdout, stderr } = await run(['run', 'go', '--tier', 'fast', '--output-format', 'json']);
      expect(JSON.parse(stdout), stderr).toMatchObject({ model: 'box/small' });
      const wrong = await run(['run', 'go', '--tier', 'fats']);
      expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/no tier "fats".*fast, strong/) });
      const both = await run(['run', 'go', '--tier', 'fast', '-m', 'box/large']);
      expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('name two models') });
    });
  }));

test('in a window of 8,192 tokens a long file comes in pieces, and the task is done', () =>
  stage(async ({ run, config }) => {
    const turns: ScriptedTurn[] = [{ calls: [{ op: 'bash', command: 'seq 1 5000' }] }, { text: 'Counted.' }];
    const server = await startScriptedServer({ turns });
    config(
      `provider: {box: {baseUrl: "${server.url}"}}\nmodel: box/small\nmodels: {box/small: {contextTokens: 8192}}\n`,
    );
    const { code, stdout } = await run(['run', 'count', '--yolo']);
    await server.close();
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Counted.\n' });
    const last = server.requests.at(-1)?.raw.toString() ?? '';
    expect(last).toContain('your window is small');
    expect(last.length).toBeLessThan(15_000);
  }));

test('a window in which nothing fits is refused before anything is written', () =>
  stage(async ({ run, config }) => {
    config('provider: {box: {baseUrl: "http://127.0.0.1:1/v1"}}\nmodels: {box/m: {contextTokens: 600}}\n');
    const { code, stderr } = await run(['run', 'go', '-m', 'box/m']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/600 tokens.*8,192/s) });
  }));

test('a key from standard input is kept for the user alone and used', () =>
  stage(async ({ home, run }) => {
    const kept = await run(['auth', 'groq'], { stdin: 'gsk-from-stdin\n' });
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining(join('keys', 'groq')) });
    expect(kept.stdout).not.toContain('gsk-from-stdin');
    expect(statSync(join(home, 'smew', 'keys', 'groq')).mode & 0o777).toBe(0o600);
    expect((await run(['models', 'list'])).stdout).toMatch(/^groq {2}\(key of the key file of "groq"/m);
    expect(await run(['auth', 'nobody'], { stdin: 'k' })).toMatchObject({ code: 2 });
    expect(await run(['auth', 'groq'], { stdin: '\n' })).toMatchObject({ code: 2 });
  }));

test('a command gives the key', () =>
  stage(async ({ run, config }) => {
    const server = await startScriptedServer({ turns: [{ text: 'Hello.' }] });
    config(`provider: {box: {baseUrl: "${server.url}", apiKeyCommand: "echo sk-of-command"}}\n`);
    const { code } = await run(['run', 'hello', '-m', 'box/m']);
    await server.close();
    expect(code).toBe(0);
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-of-command');
  }));

test('an address is set by a command, and counts from then on', () =>
  stage(async ({ run }) => {
    await using ollama = await tinyServer(ollamaAnswers(4096));
    const set = await run(['config', 'set', 'provider.ollama.baseUrl', ollama.root]);
    expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining('provider.ollama.baseUrl is set in') });
    expect((await run(['models', 'list'])).stdout).toContain('ollama/qwen3:8b');
    expect(await run(['config', 'set', 'ollama.endpoint', 'x'])).toMatchObject({ code: 2 });
  }));

test('an image for a model that does not see is refused before it is sent', () =>
  stage(async ({ run, config }) => {
    const server = await startScriptedServer({ turns: [{ text: 'A duck.' }] });
    try {
      config(`provider: {box: {baseUrl: "${server.url}", apiKey: k}}\nmodels: {box/m: {seesImages: false}}\n`);
      const image = Buffer.from('iVBORw0KGgo=', 'base64');
      using pictures = temporary();
      writeFileSync(join(pictures.path, 'i.png'), image);
      const { code, stderr } = await run([
        'run',
        '-m',
        'box/m',
        '--image',
        join(pictures.path, 'i.png'),
        'what is it?',
      ]);
      expect(code, stderr).toBe(2);
      expect(stderr).toContain('box/m does not see images (config).');
      expect(server.requests.filter(({ path }) => path.includes('chat'))).toEqual([]);
    } finally {
      await server.close();
    }
  }));
