/** Ways out of this machine that are not the plain one: through a proxy, or with authorities and a certificate of one's own. */
import type { Agent, RequestOptions } from 'node:http';
import type { AgentOptions, Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { ok, type Result } from '../../../base/result.ts';
import type { Fault } from '../../../protocol/fault.ts';
import { readIdentity, type TlsFiles, type TlsIdentity } from './authorities.ts';
import { type Environment, proxyFor } from './proxy.ts';

export interface RouteOptions {
  readonly env: Environment;
  readonly files: TlsFiles;
  /** How long a proxy may take to open a tunnel. Milliseconds. */
  readonly connectMs: number;
}

/** How a request reaches its host. */
export interface Route {
  readonly agent: Agent;
  /** What of the request is said otherwise: to a proxy, plain HTTP names the whole URL. */
  readonly request: RequestOptions;
  readonly proxy?: URL;
}

const keptAlive = { keepAlive: true, keepAliveMsecs: 30_000 } as const satisfies AgentOptions;

export interface Routes {
  routeTo(url: URL): Result<Route, Fault>;
  close(): void;
}

/** The files are read once, at the first request that needs them. */
export function openRoutes({ env, files, connectMs }: RouteOptions): Routes {
  const agents = new Map<string, Agent>();
  let identity: Result<TlsIdentity, Fault> | undefined;
  const kept = (name: string, make: () => Agent): Agent => {
    const agent = agents.get(name) ?? make();
    agents.set(name, agent);
    return agent;
  };
  return {
    routeTo: (url) => {
      const proxy = proxyFor(url, env);
      if (!proxy.ok) return proxy;
      identity ??= readIdentity(files);
      if (!identity.ok) return identity;
      const { value: secure } = identity;
      const { value: through } = proxy;
      if (url.protocol === 'http:') {
        return ok(
          through
            ? forwarded(
                url,
                through,
                kept(through.protocol, () => plainAgent(through, secure)),
              )
            : direct(kept('', () => plainAgent(url, secure))),
        );
      }
      if (!through) return ok(direct(kept('direct', () => secureAgent(secure))));
      return ok({
        ...direct(kept('tunnel', () => tunnelAgent({ proxy: through, secure, connectMs }))),
        proxy: through,
      });
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

const direct = (agent: Agent): Route => ({ agent, request: {} });

const plainAgent = ({ protocol }: URL, secure: TlsIdentity): Agent =>
  protocol === 'https:' ? secureAgent(secure) : new (process.getBuiltinModule('node:http').Agent)(keptAlive);

const secureAgent = (secure: TlsIdentity): SecureAgent =>
  new (process.getBuiltinModule('node:https').Agent)({ ...keptAlive, ...secure });

/** Plain HTTP by proxy: the request line names the whole URL. */
const forwarded = (url: URL, proxy: URL, agent: Agent): Route => ({
  agent,
  proxy,
  request: {
    protocol: proxy.protocol,
    hostname: nameOf(proxy),
    port: portOf(proxy),
    path: url.href.replace(/#.*$/, ''),
    headers: { host: url.host, ...authorization(proxy) },
  },
});

interface TunnelOptions {
  readonly proxy: URL;
  readonly secure: TlsIdentity;
  readonly connectMs: number;
}

/** HTTPS by proxy: CONNECT, then TLS to the host itself through what the proxy opened. */
function tunnelAgent(options: TunnelOptions): SecureAgent {
  const agent = secureAgent(options.secure);
  // `createConnection` is what Node documents for sockets of one's own; an answer by callback is part of it.
  return Object.assign(agent, {
    createConnection: (wanted: TunnelTarget, done: (cause: Error | null, socket?: Duplex) => void) => {
      openTunnel(wanted, options, done);
    },
  });
}

interface TunnelTarget {
  readonly host?: string;
  readonly port?: number | string;
  readonly servername?: string;
}

function openTunnel(
  wanted: TunnelTarget,
  { proxy, secure, connectMs }: TunnelOptions,
  done: (cause: Error | null, socket?: Duplex) => void,
): void {
  const { host = '' } = wanted;
  const target = `${host.includes(':') ? `[${host}]` : host}:${wanted.port}`;
  const scheme = proxy.protocol === 'https:' ? 'node:https' : 'node:http';
  const asked = process.getBuiltinModule(scheme).request({
    ...(proxy.protocol === 'https:' ? secure : {}),
    hostname: nameOf(proxy),
    port: portOf(proxy),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...authorization(proxy) },
    agent: false,
    timeout: connectMs,
  });
  const refuse = (code: string, why: string) => done(Object.assign(new Error(why), { code }));
  asked.once('timeout', () => asked.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
  asked.once('error', (cause: Error & { code?: string }) => refuse('PROXY_UNREACHABLE', cause.code ?? cause.message));
  // A proxy that answers with a body instead of a tunnel.
  asked.once('response', (answer) => {
    answer.resume();
    refuse('PROXY_REFUSED', String(answer.statusCode));
    asked.destroy();
  });
  asked.once('connect', ({ statusCode }, socket) => {
    if (statusCode !== 200) {
      socket.destroy();
      return refuse('PROXY_REFUSED', String(statusCode));
    }
    const isAddress = process.getBuiltinModule('node:net').isIP(host) !== 0;
    const secured = process
      .getBuiltinModule('node:tls')
      .connect({ ...secure, socket, host, ...(isAddress ? {} : { servername: wanted.servername ?? host }) });
    secured.once('error', done);
    secured.once('secureConnect', () => {
      secured.off('error', done);
      done(null, secured);
    });
  });
  asked.end();
}

const nameOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
