/**
 * HTTP for models: one request, its answer as pieces of bytes, limits on silence. Node's own modules are loaded when
 * the first request is sent, through `getBuiltinModule`: an import of `node:http` costs 50 ms and 12 MB.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { attempt, attemptSync, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { decoded } from './decode.ts';
import { explainFailure, hostOf } from './failure.ts';
import { hasTlsFiles, type TlsFiles } from './net/authorities.ts';
import { type Environment, hasProxy } from './net/proxy.ts';
import type { Route, Routes } from './net/route.ts';
import { type HttpLimits, type SilenceWatch, watchSilence } from './silence.ts';

export type { HttpLimits } from './silence.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent one after the other. */
  readonly body?: readonly Uint8Array[];
}

/** What a piece of the body was worth: `alive` (a keep-alive) does not restart the silence clock, `done` ends reading. */
export type Progress = 'on' | 'alive' | 'done';

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Hands over each decoded piece in order. Resolves at the end, or with the fault that ended it early. Call it once. */
  read(take: (bytes: Uint8Array) => Progress): Promise<Fault | undefined>;
}

export interface Http {
  /** Resolves when the head of the answer is there. Every failure is a fault; `aborted` when the signal ended it. */
  send(request: HttpRequest, signal: AbortSignal): Promise<Result<HttpResponse, Fault>>;
  /** Closes the connections that are kept open. */
  close(): void;
}

/** Where nothing is configured: local servers may read a long prompt for minutes. Milliseconds. */
export const defaultLimits: HttpLimits = { connectMs: 15_000, firstOutputMs: 600_000, betweenMs: 180_000 };

const staleRetries = 3;
/** After the wire's own end mark, how long a server may take to end the body before its connection is dropped. */
const trailerMs = 50;

/** How this machine reaches the world, where it is not the plain way. */
export interface NetworkOptions {
  /** For the proxy variables. */
  readonly env: Environment;
  readonly files: TlsFiles;
}

/** A client with kept-alive connections of its own. Proxies and certificates are loaded where something of it is set. */
export function createHttp(limits: HttpLimits = defaultLimits, network?: NetworkOptions): Http {
  const plain = plainRoutes();
  const isPlain = !network || !(hasProxy(network.env) || hasTlsFiles(network.files));
  let special: Promise<Routes> | undefined;
  const open = async ({ env, files }: NetworkOptions): Promise<Routes> =>
    (await import('./net/route.ts')).openRoutes({ env, files, connectMs: limits.connectMs });
  return {
    send: async (request, signal) => {
      if (!isPlain) special ??= open(network);
      const routes = special ? await special : plain;
      for (let tries = 1; ; tries++) {
        if (signal.aborted) return fail(fault('aborted', 'The request was called off.'));
        const route = routes.routeTo(new URL(request.url));
        if (!route.ok) return route;
        const exchange = new Exchange(request, { limits, signal, route: route.value });
        const answer = await exchange.answer;
        // A kept-alive connection that the server closed just now says nothing about the server: take another.
        if (answer.ok || !exchange.wasStale || tries > staleRetries) return answer;
      }
    },
    close: () => {
      plain.close();
      void special?.then((routes) => routes.close());
    },
  };
}

/** Straight to the host. */
function plainRoutes(): Routes {
  const routes = new Map<string, Route>();
  return {
    routeTo: ({ protocol }) => {
      const route = routes.get(protocol) ?? {
        agent: new (modules[schemeOf(protocol)]().Agent)({ keepAlive: true, keepAliveMsecs: 30_000 }),
        request: {},
      };
      routes.set(protocol, route);
      return ok(route);
    },
    close: () => {
      for (const { agent } of routes.values()) agent.destroy();
      routes.clear();
    },
  };
}

const modules = {
  http: () => process.getBuiltinModule('node:http'),
  https: () => process.getBuiltinModule('node:https'),
};
const schemeOf = (protocol: string): 'http' | 'https' => (protocol === 'https:' ? 'https' : 'http');

interface Surroundings {
  readonly limits: HttpLimits;
  readonly signal: AbortSignal;
  readonly route: Route;
}

/** One request and its answer, from the connection to the last byte. */
class Exchange {
  readonly answer: Promise<Result<HttpResponse, Fault>>;
  wasStale = false;
  readonly #url: URL;
  readonly #route: Route;
  readonly #signal: AbortSignal;
  readonly #watch: SilenceWatch;
  readonly #onAbort = (): void => this.#end(fault('aborted', 'The request was called off.'));
  #outgoing: ClientRequest | undefined;
  /** Why we ended it ourselves. */
  #reason: Fault | undefined;

  constructor(request: HttpRequest, { limits, signal, route }: Surroundings) {
    this.#url = new URL(request.url);
    this.#route = route;
    this.#signal = signal;
    this.#watch = watchSilence(limits, hostOf(this.#url), (silence) => this.#end(silence));
    this.answer = this.#start(request);
  }

  #start(request: HttpRequest): Promise<Result<HttpResponse, Fault>> {
    const { agent, request: way } = this.#route;
    const scheme = schemeOf(way.protocol ?? this.#url.protocol);
    const { method, headers, body = [] } = request;
    return new Promise((resolve) => {
      const length = method === 'POST' ? { 'content-length': String(sizeOf(body)) } : {};
      const opened = attemptSync(
        () =>
          modules[scheme]().request(this.#url, {
            method,
            agent,
            ...way,
            headers: { ...headers, ...length, ...way.headers },
          }),
        // Node refuses a request that it cannot write down; it names what, never the value.
        (cause) => fault('usage', `The request to ${hostOf(this.#url)} cannot be made: ${messageOf(cause)}.`),
      );
      if (!opened.ok) {
        this.#settle();
        resolve(opened);
        return;
      }
      const outgoing = opened.value;
      this.#outgoing = outgoing;
      this.#signal.addEventListener('abort', this.#onAbort, { once: true });
      outgoing.on('socket', (socket) => {
        if (!socket.connecting) this.#watch.connected();
        else socket.once(scheme === 'https' ? 'secureConnect' : 'connect', () => this.#watch.connected());
      });
      outgoing.on('error', (cause) => {
        this.#settle();
        this.wasStale = !this.#reason && outgoing.reusedSocket;
        resolve(fail(this.#reason ?? this.#explain(cause)));
      });
      outgoing.on('response', (incoming) => resolve(this.#answer(incoming)));
      outgoing.cork();
      for (const piece of body) outgoing.write(piece);
      outgoing.end();
    });
  }

  /** To plain HTTP a proxy says in the host's place that it wants to know who asks. */
  #answer(incoming: IncomingMessage): Result<HttpResponse, Fault> {
    if (!this.#route.proxy || incoming.statusCode !== 407) return ok(this.#response(incoming));
    incoming.on('error', () => {});
    this.#settle();
    this.#outgoing?.destroy();
    return fail(this.#explain(Object.assign(new Error('407'), { code: 'PROXY_REFUSED' })));
  }

  #response(incoming: IncomingMessage): HttpResponse {
    // A broken body surfaces in `read`; unread, it must not become an uncaught error.
    incoming.on('error', () => {});
    return {
      status: incoming.statusCode ?? 0,
      headers: flat(incoming.headers),
      read: (take) => this.#read(incoming, take),
    };
  }

  async #read(incoming: IncomingMessage, take: (bytes: Uint8Array) => Progress): Promise<Fault | undefined> {
    const broken = (cause: unknown): Fault => this.#reason ?? this.#explain(cause, 'cut');
    try {
      const body = await attempt(() => decoded(incoming), broken);
      if (!body.ok) return body.fault;
      const pieces = body.value[Symbol.asyncIterator]();
      for (;;) {
        const piece = await attempt(() => pieces.next(), broken);
        if (!piece.ok) return piece.fault;
        if (piece.value.done) return undefined;
        const progress = take(piece.value.value);
        if (progress === 'on') this.#watch.progressed();
        if (progress === 'done') return await this.#finish(pieces);
      }
    } finally {
      this.#settle();
    }
  }

  /** Gives the body a moment to end by itself, so that the connection can serve again. */
  async #finish(pieces: AsyncIterator<Uint8Array>): Promise<undefined> {
    const timer = setTimeout(() => this.#outgoing?.destroy(), trailerMs);
    const drain = async (): Promise<void> => {
      while (!(await pieces.next()).done);
    };
    await attempt(drain, () => undefined);
    clearTimeout(timer);
  }

  #explain(cause: unknown, when: 'unreachable' | 'cut' = 'unreachable'): Fault {
    const { proxy } = this.#route;
    return explainFailure(cause, this.#url, { when, ...(proxy ? { proxy } : {}) });
  }

  #end(reason: Fault): void {
    this.#reason ??= reason;
    this.#outgoing?.destroy();
  }

  #settle(): void {
    this.#watch.stop();
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}

export const sizeOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

const flat = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
