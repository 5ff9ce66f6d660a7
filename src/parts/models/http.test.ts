import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttp, type Http, type HttpLimits } from './http.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function client(limits: Partial<HttpLimits> = {}): Http {
  const http = createHttp({ connectMs: 1000, firstOutputMs: 1000, betweenMs: 1000, ...limits });
  closers.push(() => http.close());
  return http;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on TCP
}

const signal = new AbortController().signal;
const get = (url: string) => ({ method: 'GET' as const, url, headers: {} });

async function textOf(http: Http, url: string): Promise<string> {
  const answer = await http.send(get(url), signal);
  if (!answer.ok) throw new Error(answer.fault.message);
  let text = '';
  const broken = await answer.value.read((bytes) => {
    text += Buffer.from(bytes).toString();
    return 'on';
  });
  if (broken) throw new Error(broken.message);
  return text;
}

describe('a request that cannot be written down', () => {
  it('is a fault at once, and leaves no clock running', async () => {
    const clocks = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = clocks();
    const request = { ...get('http://127.0.0.1:1/'), headers: { x: 'secret\nvalue' } };
    const answer = await client({ connectMs: 60_000 }).send(request, signal);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'usage', message: expect.stringContaining('["x"]') } });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(clocks()).toBe(before);
  });
});

describe('a server that does not answer', () => {
  it('is named with host and port, and with what to do', async () => {
    const server = createServer();
    const url = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    const answer = await client().send(get(url), signal);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'unreachable' } });
    if (!answer.ok) {
      expect(answer.fault.message).toContain(`${new URL(url).host} (connection refused)`);
      expect(answer.fault.message).toContain('Start the server');
    }
  });

  it('has a host name that is not known', async () => {
    const answer = await client().send(get('http://no-such-host.invalid/v1'), signal);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'unreachable' } });
    if (!answer.ok) expect(answer.fault.message).toContain('no-such-host.invalid:80');
  });

  it('speaks something else than HTTP', async () => {
    const url = await listening(createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-other\r\n')));
    expect(await client().send(get(url), signal)).toMatchObject({ ok: false, fault: { kind: 'garbled' } });
  });

  it('speaks no TLS where TLS was asked for', async () => {
    const url = await listening(createServer());
    const answer = await client().send(get(url.replace('http:', 'https:')), signal);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'unreachable' } });
    if (!answer.ok) expect(answer.fault.message).toContain('TLS');
  });

  it('takes a secure connection and never finishes its handshake', async () => {
    const url = await listening(createTcpServer((socket) => void socket.on('error', () => {})));
    const answer = await client({ connectMs: 80 }).send(get(url.replace('http:', 'https:')), signal);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'unreachable' } });
    if (!answer.ok) expect(answer.fault.message).toContain('within 0.1 s');
  });

  it('takes the request and says nothing', async () => {
    const url = await listening(createServer(() => {}));
    const answer = await client({ firstOutputMs: 80 }).send(get(url), signal);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'stalled' } });
  });
});

describe('connections', () => {
  it('are used again, and a stale one is replaced without a word', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end('hello'));
    server.on('connection', () => connections++);
    const url = await listening(server);
    const http = client();
    expect([await textOf(http, url), await textOf(http, url)]).toEqual(['hello', 'hello']);
    expect(connections).toBe(1);
    server.closeAllConnections();
    expect(await textOf(http, url)).toBe('hello');
    expect(connections).toBe(2);
  });

  it('are let go when the signal has aborted before', async () => {
    expect(await client().send(get('http://127.0.0.1:1'), AbortSignal.abort())).toMatchObject({
      ok: false,
      fault: { kind: 'aborted' },
    });
  });

  it('do not outlive a reader that breaks', async () => {
    const url = await listening(createServer((_, response) => response.write('x')));
    const answer = await client().send(get(url), signal);
    if (!answer.ok) throw new Error(answer.fault.message);
    const broken = answer.value.read(() => {
      throw new Error('a bug in the reader');
    });
    await expect(broken).rejects.toThrow('a bug in the reader');
  });
});
