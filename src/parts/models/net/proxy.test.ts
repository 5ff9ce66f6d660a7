import { describe, expect, it } from 'vitest';
import { proxyFor } from './proxy.ts';

const through = (url: string, env: Record<string, string>) => {
  const found = proxyFor(new URL(url), env);
  return found.ok ? found.value?.href : found.fault.kind;
};

describe('the proxy of a request', () => {
  it.each([
    ['https://api.test/v1', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://api.test/v1', { https_proxy: 'http://low:1', HTTPS_PROXY: 'http://up:1' }, 'http://low:1/'],
    ['https://api.test/v1', { HTTP_PROXY: 'http://p:1' }, undefined],
    ['http://api.test/v1', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://api.test/v1', { ALL_PROXY: 'p.test:8080' }, 'http://p.test:8080/'],
    ['https://api.test/v1', { ALL_PROXY: 'http://a:1', HTTPS_PROXY: 'https://b:2' }, 'https://b:2/'],
    ['https://api.test/v1', { HTTPS_PROXY: '  ' }, undefined],
    ['https://api.test/v1', { HTTPS_PROXY: 'socks5://p:1' }, 'usage'],
    ['https://api.test/v1', { HTTPS_PROXY: 'http://:' }, 'usage'],
    ['https://api.test/v1', { HTTPS_PROXY: 'http://me:top%zz@p:1' }, 'usage'],
    ['https://api.test/v1', { HTTPS_PROXY: 'http://50%off:x@p:1' }, 'usage'],
    ['https://api.test/v1', { HTTPS_PROXY: 'http://me:a%40b@p:1' }, 'http://me:a%40b@p:1/'],
    ['http://localhost:8080/v1', { ALL_PROXY: 'http://p:1' }, undefined],
    ['http://127.0.0.1/v1', { ALL_PROXY: 'http://p:1' }, undefined],
  ])('%s with %j is %s', (url, env, proxy) => {
    expect(through(url, env)).toBe(proxy);
  });

  it.each([
    ['https://api.test/', '*', true],
    ['https://api.test/', 'api.test', true],
    ['https://api.test/', 'API.TEST', true],
    ['https://api.test/', 'test', true],
    ['https://api.test/', '.test', true],
    ['https://api.test/', '*.test', true],
    ['https://api.test/', 'i.test', false],
    ['https://api.test/', 'other.test, api.test', true],
    ['https://api.test/', 'api.test:443', true],
    ['https://api.test/', 'api.test:8443', false],
    ['https://10.1.2.3/', '10.0.0.0/8', true],
    ['https://11.1.2.3/', '10.0.0.0/8', false],
    ['https://10.1.2.3/', '10.1.2.3', true],
    ['https://api.test/', '10.0.0.0/8', false],
    ['https://[fd00::1]/', 'fd00::1', true],
    ['https://api.test/', '', false],
  ])('is none for %s where NO_PROXY is "%s": %s', (url, list, isExempt) => {
    expect(through(url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: list })).toBe(isExempt ? undefined : 'http://p:1/');
  });
});
