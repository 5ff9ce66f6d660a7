/** A real proxy on this machine: tunnels by CONNECT, forwards plain HTTP, sends every name to one port of 127.0.0.1. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface TestProxy {
  readonly url: string;
  /** The request lines and headers that it saw. */
  readonly seen: { readonly line: string; readonly headers: IncomingMessage['headers'] }[];
  close(): void;
}

export interface TestProxyOptions {
  /** Where every name leads. */
  readonly port: number;
  /** `name:password` that it insists on. */
  readonly login?: string;
  /** Refuses everything with this status. */
  readonly refuses?: number;
}

export async function startTestProxy({ port, login, refuses }: TestProxyOptions): Promise<TestProxy> {
  const seen: TestProxy['seen'] = [];
  const sockets = new Set<Socket>();
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const verdict = ({ method, url, headers }: IncomingMessage): number => {
    seen.push({ line: `${method} ${url}`, headers });
    return refuses ?? (wanted !== undefined && headers['proxy-authorization'] !== wanted ? 407 : 200);
  };
  const forward = (asked: IncomingMessage, answer: ServerResponse): void => {
    const status = verdict(asked);
    if (status !== 200) return void answer.writeHead(status).end('no');
    const { pathname } = new URL(asked.url ?? '');
    const onward = send({ port, host: '127.0.0.1', method: asked.method, path: pathname, headers: asked.headers });
    onward.on('response', (back) => {
      answer.writeHead(back.statusCode ?? 502, back.headers);
      back.pipe(answer);
    });
    asked.pipe(onward);
  };
  const server = createServer(forward);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('connect', (asked, near: Socket) => {
    const status = verdict(asked);
    if (status !== 200) return void near.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const far = connect(port, '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(near).pipe(far);
    });
    sockets.add(far);
    far.on('error', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
