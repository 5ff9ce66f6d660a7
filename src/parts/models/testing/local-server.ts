/** A tiny server that answers fixed JSON, as the servers of one's own do. */
import type { AddressInfo } from 'node:net';

export interface LocalAnswers {
  /** By `METHOD /path`, the query left out; a function sees the parsed body. */
  readonly [call: string]: unknown;
}

export interface TinyServer extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly root: string;
  readonly calls: readonly string[];
  /** The `authorization` of each call; empty where it had none. */
  readonly keys: readonly string[];
}

/** Answers 404 for everything else. With `delayMs` every answer takes as long. */
export async function tinyServer(answers: LocalAnswers, delayMs = 0): Promise<TinyServer> {
  const calls: string[] = [];
  const keys: string[] = [];
  const server = process.getBuiltinModule('node:http').createServer((incoming, response) => {
    const pieces: Uint8Array[] = [];
    incoming.on('data', (piece: Uint8Array) => pieces.push(piece));
    incoming.on('end', () => {
      calls.push(`${incoming.method} ${incoming.url}`);
      keys.push(incoming.headers.authorization ?? '');
      const answer = answers[`${incoming.method} ${incoming.url?.replace(/\?.*/, '')}`];
      const text = Buffer.concat(pieces).toString('utf8');
      const value = typeof answer === 'function' ? answer(text === '' ? undefined : JSON.parse(text)) : answer;
      setTimeout(() => {
        response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' });
        response.end(typeof value === 'string' ? value : JSON.stringify(value ?? { error: 'not found' }));
      }, delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP, so it is not a pipe's name
  return {
    root: `http://127.0.0.1:${port}`,
    calls,
    keys,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const ollamaAnswers = (loadedTokens?: number): LocalAnswers => ({
  'GET /api/tags': { models: [{ name: 'nomic-embed-text:latest' }, { name: 'small:1b' }, { name: 'qwen3:8b' }] },
  'GET /api/ps': {
    models: loadedTokens === undefined ? [] : [{ name: 'qwen3:8b', model: 'qwen3:8b', context_length: loadedTokens }],
  },
  'POST /api/show': (body: { model: string }) =>
    body.model.startsWith('qwen3')
      ? {
          parameters: 'stop                           "<|im_end|>"\ntemperature                    0.6',
          model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
          capabilities: ['completion', 'tools', 'thinking'],
        }
      : { parameters: 'num_ctx                        8192', model_info: { 'llama.context_length': 131_072 } },
});
