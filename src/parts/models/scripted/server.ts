/**
 * A model server that plays a script over real HTTP: for tests, for benchmarks, and for the demo, which needs no key.
 * It keeps no place in the script: every request says by its own history which turn is next.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { attemptSync } from '../../../base/attempt.ts';
import { scriptedAnthropic } from './anthropic.ts';
import { scriptedChat } from './chat.ts';
import { scriptedGemini } from './gemini.ts';
import { scriptedOllama } from './ollama.ts';
import { type Answer, planOf, play } from './play.ts';
import { scriptedResponses } from './responses.ts';
import type { ScriptedFault, ScriptedTurn } from './turn.ts';
import { type Asked, type ScriptedWire, sseFrame } from './wire.ts';

/** Which of them a request speaks shows in its address. */
const wires: readonly ScriptedWire[] = [
  scriptedChat,
  scriptedResponses,
  scriptedAnthropic,
  scriptedGemini,
  scriptedOllama,
];

const wireAt = (path: string): ScriptedWire | undefined => wires.find((wire) => wire.serves(path));

export interface Script {
  readonly turns: readonly ScriptedTurn[];
  /** Line ends of streams. */
  readonly lineEnd?: '\n' | '\r\n';
  /** A comment before every event, as some gateways send them. */
  readonly comments?: boolean;
  /** Compresses bodies; `pretend` only says so in the header. */
  readonly encoding?: 'gzip' | 'deflate' | 'br';
  readonly pretend?: boolean;
  /** Milliseconds between events. */
  readonly paceMs?: number;
}

export interface LoggedRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
  /** Undefined where `raw` is no JSON. */
  readonly body: unknown;
  /** The turn that it asked for, from 0. */
  readonly turn: number;
  /** The client's port: equal where a connection was used again. */
  readonly clientPort: number;
}

export interface ScriptedServer {
  /** The base URL, `/v1` included. */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly LoggedRequest[];
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: LoggedRequest[] = [];
  const server = process.getBuiltinModule('node:http').createServer((incoming, response) => {
    void readRequest(incoming).then((request) => {
      requests.push(request);
      return answer(script, requests, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP, so it is not a pipe's name
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<LoggedRequest> {
  const pieces: Uint8Array[] = [];
  for await (const piece of incoming) pieces.push(piece);
  const raw = Buffer.concat(pieces);
  const parsed = attemptSync(
    () => JSON.parse(raw.toString('utf8')) as unknown,
    () => undefined,
  );
  const body = parsed.ok ? parsed.value : undefined;
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value ?? '')] as const);
  return {
    at: Date.now(),
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(headers),
    raw,
    body,
    turn: wireAt(incoming.url ?? '')?.turnOf(body) ?? 0,
    clientPort: incoming.socket.remotePort ?? 0,
  };
}

async function answer(script: Script, requests: readonly LoggedRequest[], response: ServerResponse): Promise<void> {
  const request = requests.at(-1);
  const wire = wireAt(request?.path ?? '');
  if (!request || !wire) return refuse(response, 404, `no such address: ${request?.path}`);
  const turn = script.turns[request.turn];
  if (!turn) {
    const message = `the script has ${script.turns.length} turns, this request asks for number ${request.turn + 1}`;
    return refuse(response, 400, message);
  }
  const tries = requests.filter((other) => other.turn === request.turn).length;
  const { path, body, raw } = request;
  const asked: Asked = { turn: request.turn, path, body, requestBytes: raw.length };
  await play(planOf(answerFor(turn, asked, { script, wire }), active(turn.fault, tries, script)), response);
}

const active = (fault: ScriptedFault | undefined, tries: number, { paceMs }: Script): ScriptedFault | undefined => {
  const hits = fault && (fault.times === undefined || tries <= fault.times);
  if (hits) return fault;
  return paceMs === undefined ? undefined : { kind: 'drip', bytes: 200, ms: paceMs };
};

function answerFor(
  turn: ScriptedTurn,
  asked: Asked,
  { script, wire }: { readonly script: Script; readonly wire: ScriptedWire },
): Answer {
  const { lineEnd = '\n', comments = false } = script;
  const keepAlive = wire.keepAlive ?? ': keep-alive';
  const before = comments ? `${keepAlive}${lineEnd}${lineEnd}` : '';
  const frame = wire.frame ?? sseFrame;
  const isStream = wire.isStreamed(asked);
  const pieces = isStream
    ? wire.events(turn, asked).map((event) => Buffer.from(before + frame(event, lineEnd)))
    : [Buffer.from(wire.body(turn, asked))];
  return {
    status: 200,
    headers: {
      'content-type': isStream ? (wire.streamType ?? 'text/event-stream') : 'application/json',
      ...(script.encoding ? { 'content-encoding': script.encoding } : {}),
    },
    pieces: script.encoding && !script.pretend ? [packed(Buffer.concat(pieces), script.encoding)] : pieces,
    event: (data) => Buffer.from(frame({ data }, '\n')),
    keepAlive: Buffer.from(`${keepAlive}\n\n`),
    error: (error) => Buffer.from(frame(wire.errorEvent(error), '\n')),
  };
}

function packed(body: Buffer, encoding: NonNullable<Script['encoding']>): Buffer {
  const zlib = process.getBuiltinModule('node:zlib');
  switch (encoding) {
    case 'gzip':
      return zlib.gzipSync(body);
    case 'deflate':
      return zlib.deflateSync(body);
    case 'br':
      return zlib.brotliCompressSync(body);
    default:
      return encoding satisfies never;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }));
}
