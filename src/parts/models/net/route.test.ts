import { readFileSync } from 'node:fs';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHttp, type Http, type NetworkOptions } from '../http.ts';
import { readIdentity } from './authorities.ts';
import { type Certificates, hasOpenssl, makeCertificates } from './testing/certificates.ts';
import { startTestProxy, type TestProxyOptions } from './testing/proxy.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port; // it listens on a port
};

const echo: RequestListener = (asked, answer) => {
  asked.resume();
  answer.end(`${asked.method} ${asked.url} for ${asked.headers.host}`);
};

async function ask(url: string, network: Partial<NetworkOptions> = {}, times = 1) {
  const http: Http = createHttp(
    { connectMs: 3000, firstOutputMs: 3000, betweenMs: 3000 },
    { env: {}, files: {}, ...network },
  );
  closing.push(() => http.close());
  let text = '';
  for (let time = 0; time < times; time++) {
    const request = { method: 'POST', url, headers: { 'x-mine': 'yes' }, body: [Buffer.from('hi')] } as const;
    const sent = await http.send(request, AbortSignal.timeout(5000));
    if (!sent.ok) return sent.fault;
    text = `${sent.value.status} `;
    await sent.value.read((bytes) => {
      text += Buffer.from(bytes).toString();
      return 'on';
    });
  }
  return text;
}

const proxied = async (options: TestProxyOptions) => {
  const proxy = await startTestProxy(options);
  closing.push(() => proxy.close());
  return proxy;
};

describe('plain HTTP through a proxy', () => {
  it('names the whole URL to it, and keeps the name of the host', async () => {
    const proxy = await proxied({ port: await listening(createPlain(echo)) });
    const said = await ask('http://model.test/v1/chat', { env: { HTTP_PROXY: proxy.url } });
    expect(said).toBe('200 POST /v1/chat for model.test');
    expect(proxy.seen.map(({ line }) => line)).toEqual(['POST http://model.test/v1/chat']);
  });

  it('goes past it where NO_PROXY says so', async () => {
    const proxy = await proxied({ port: 1 });
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: 'nowhere.invalid' };
    expect(await ask('http://nowhere.invalid/v1', { env })).toMatchObject({ kind: 'unreachable' });
    expect(proxy.seen).toEqual([]);
  });

  it('shows its name and password, and says so where they are wanted', async () => {
    const proxy = await proxied({ port: await listening(createPlain(echo)), login: 'me:s3cret word' });
    const withLogin = proxy.url.replace('//', '//me:s3cret%20word@');
    expect(await ask('http://model.test/', { env: { ALL_PROXY: withLogin } })).toContain('200');
    const fault = await ask('http://model.test/', { env: { ALL_PROXY: proxy.url } });
    expect(fault).toMatchObject({
      isLasting: true,
      message: expect.stringMatching(/^The proxy 127.*name and password/),
    });
  });
});

describe('a proxy that does not do its part', () => {
  it('is named when it does not answer', async () => {
    const port = await listening(createTcp());
    for (const close of closing.splice(0)) close();
    const gone = `http://127.0.0.1:${port}`;
    for (const url of ['http://model.test/', 'https://model.test/']) {
      const fault = await ask(url, { env: { ALL_PROXY: gone } });
      expect(fault).toMatchObject({ kind: 'unreachable' });
      expect(fault).toMatchObject({
        message: expect.stringContaining(`The proxy 127.0.0.1:${port} does not answer (connection refused)`),
      });
    }
  });

  it.each([
    [407, 'wants a name and password', true],
    [403, 'Check what it lets through', true],
    [503, 'with status 503', false],
  ])('refusing a tunnel with %i is told from the provider', async (refuses, says, isLasting) => {
    const proxy = await proxied({ port: 1, refuses });
    const fault = await ask('https://model.test/', { env: { HTTPS_PROXY: proxy.url } });
    expect(fault).toMatchObject({ kind: 'unreachable', isLasting, message: expect.stringContaining(says) });
    expect(fault).toMatchObject({ message: expect.stringContaining('model.test:443') });
  });
});

describe.skipIf(!hasOpenssl())('TLS (skipped where there is no openssl)', () => {
  let certificates: Certificates;
  beforeAll(() => {
    certificates = makeCertificates();
  });
  afterAll(() => certificates[Symbol.dispose]());

  const secure = (name: string, extra?: readonly string[], more: object = {}): Promise<number> => {
    const { certFile, keyFile } = certificates.issue(name, extra);
    return listening(createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile), ...more }, echo));
  };

  it('goes through a tunnel to a host of a private authority, and uses the tunnel again', async () => {
    const proxy = await proxied({ port: await secure('model.test'), login: 'me:pass' });
    const env = { HTTPS_PROXY: proxy.url.replace('//', '//me:pass@') };
    const said = await ask('https://model.test/v1', { env, files: { caFile: certificates.caFile } }, 3);
    expect(said).toBe('200 POST /v1 for model.test');
    expect(proxy.seen.map(({ line }) => line)).toEqual(['CONNECT model.test:443']);
  });

  it('reaches a host of a private authority without a proxy', async () => {
    const port = await secure('localhost');
    expect(await ask(`https://localhost:${port}/`, { files: { caFile: certificates.caFile } })).toContain('200');
  });

  it('trusts the system store beside its own list', async () => {
    const port = await secure('localhost');
    const files = { usesSystemStore: true, caFile: certificates.caFile };
    expect(await ask(`https://localhost:${port}/`, { files })).toContain('200');
  });

  it.each([
    ['an unknown authority', 'localhost', undefined, false, /authority/],
    ['another host', 'other.test', undefined, true, /another host/],
    ['a day in the past', 'localhost', ['-days', '-1'], true, /expired/],
  ])('explains %s and does not call it passing', async (_, name, extra, isTrusted, says) => {
    const port = await secure(name, extra);
    const files = isTrusted ? { caFile: certificates.caFile } : {};
    const fault = await ask(`https://localhost:${port}/`, { files });
    expect(fault).toMatchObject({ kind: 'unreachable', isLasting: true, message: expect.stringMatching(says) });
  });

  it('explains a certificate of an unknown authority also behind a tunnel', async () => {
    const proxy = await proxied({ port: await secure('model.test') });
    const fault = await ask('https://model.test/', { env: { HTTPS_PROXY: proxy.url } });
    expect(fault).toMatchObject({ isLasting: true, message: expect.stringMatching(/authority/) });
  });

  it('trusts authorities of its own beside the usual ones, not instead of them', () => {
    const read = readIdentity({ caFile: certificates.caFile });
    expect(read.ok && (read.value.ca?.length ?? 0)).toBeGreaterThan(50);
    expect(readIdentity({})).toEqual({ ok: true, value: {} });
  });

  it('shows who we are to a server that asks, and says what is missing to one that is not told', async () => {
    const ca = readFileSync(certificates.caFile);
    const port = await secure('localhost', undefined, { ca, requestCert: true, rejectUnauthorized: true });
    const mine = certificates.issue('me.test');
    const { caFile } = certificates;
    expect(await ask(`https://localhost:${port}/`, { files: { caFile, ...mine } })).toContain('200');
    const fault = await ask(`https://localhost:${port}/`, { files: { caFile } });
    expect(fault).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('network.certFile') });
  });

  it('says that a certificate and a key do not belong together', async () => {
    const { certFile } = certificates.issue('me.test');
    const { keyFile } = certificates.issue('me.test');
    const fault = await ask('https://localhost:1/', { files: { certFile, keyFile } });
    expect(fault).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('the key is not the one of this certificate'),
    });
  });

  it('says which setting is wrong', async () => {
    const files = (more: object) => ask('https://localhost:1/', { files: { ...more } });
    expect(await files({ caFile: '/no/such.pem' })).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('network.caFile'),
    });
    expect(await files({ certFile: '/x' })).toMatchObject({
      message: expect.stringContaining('without network.keyFile'),
    });
    expect(await files({ caFile: import.meta.filename })).toMatchObject({
      message: expect.stringContaining('no PEM block'),
    });
  });
});
