/** Which proxy a request goes through: the variables that every command-line program knows. */
import { attemptSync, messageOf } from '../../../base/attempt.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { type Fault, fault } from '../../../protocol/fault.ts';
import { isLoopback } from '../baseUrl.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for `url`, or undefined for a direct connection. Lower-case names win, as with curl; a `NO_PROXY` entry is `*`,
 * a host (with all below it), an address, a network such as `10.0.0.0/8`, each with a port if it should only count there. This
 * machine is never asked for through a proxy. Fails on a proxy that we cannot speak to.
 */
export function proxyFor(url: URL, env: Environment): Result<URL | undefined, Fault> {
  if (isLoopback(url.href) || isExempt(url, settingOf(env, 'no_proxy')?.value ?? '')) return ok(undefined);
  const set = settingOf(env, `${url.protocol.slice(0, -1)}_proxy`) ?? settingOf(env, 'all_proxy');
  if (!set) return ok(undefined);
  // A bare `host:port` is a URL whose scheme is the host's name.
  const text = /^[a-z\d]+:\/\//i.test(set.value) ? set.value : `http://${set.value}`;
  const parsed = attemptSync(
    () => new URL(text),
    () => fault('usage', `${set.name} holds no address of a proxy. Write it like http://proxy.example:3128.`),
  );
  if (!parsed.ok) return parsed;
  const { protocol, username, password } = parsed.value;
  if (!isEncoded(username) || !isEncoded(password)) {
    const message = `The name or password in ${set.name} holds a % that begins no code. Write it as %25.`;
    return fail(fault('usage', message));
  }
  if (protocol === 'http:' || protocol === 'https:') return parsed;
  return fail(
    fault(
      'usage',
      `${set.name} names a ${protocol.slice(0, -1)} proxy; only http and https ones are supported. ` +
        `Set an http proxy, or add ${url.hostname} to NO_PROXY.`,
    ),
  );
}

/** `new URL` lets a lone percent sign stand. */
const isEncoded = (text: string): boolean => attemptSync(() => decodeURIComponent(text), messageOf).ok;

function settingOf(env: Environment, name: string): { readonly name: string; readonly value: string } | undefined {
  for (const spelling of [name, name.toUpperCase()]) {
    const value = env[spelling]?.trim();
    if (value) return { name: spelling, value };
  }
  return undefined;
}

/** True where any variable of a proxy is set: only then is this file's caller worth its while. */
export const hasProxy = (env: Environment): boolean =>
  ['http_proxy', 'https_proxy', 'all_proxy'].some((name) => settingOf(env, name) !== undefined);

function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      // Two colons make an address of the entry; a port then stands behind its bracket.
      const isAddress = entry.split(':').length > 2;
      const [, name = '', onPort] = (isAddress ? /^(.*?)(?:\]:(\d+))?$/ : /^(.*?)(?::(\d+))?$/).exec(entry) ?? [];
      return (onPort === undefined || onPort === port) && covers(name.replace(/^\[|\]$/g, '').toLowerCase(), host);
    });
}

function covers(entry: string, host: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(host, entry);
  const name = entry.replace(/^\*?\./, '');
  return host === name || (name !== '' && host.endsWith(`.${name}`));
}

function isInNetwork(host: string, network: string): boolean {
  const [base = '', length = ''] = network.split('/');
  const address = addressOf(host);
  const start = addressOf(base);
  const bits = Number(length);
  if (address === undefined || start === undefined || !/^\d+$/.test(length) || bits > 32) return false;
  const size = 2 ** (32 - bits);
  return Math.floor(address / size) === Math.floor(start / size);
}

/** An IPv4 address as a number. */
function addressOf(text: string): number | undefined {
  const parts = text.split('.').map(Number);
  const isAddress = parts.length === 4 && parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255);
  return isAddress ? parts.reduce((sum, part) => sum * 256 + part, 0) : undefined;
}
