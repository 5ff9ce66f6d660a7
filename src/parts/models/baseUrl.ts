/** Base URLs as people write them, made into the address of a wire's requests. */
import { attemptSync, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';

/**
 * `http://host`, `http://host/`, `http://host/v1`, `http://host/v1/` and the full address all give the same. A path
 * without a version segment gets the wire's; who needs none writes the full address, ending in `path`. Fails with a sentence.
 */
export function requestUrl(baseUrl: string, path: string, version = '/v1'): Result<string, string> {
  const parsed = attemptSync(
    () => new URL(baseUrl.trim()),
    () => `"${shownUrl(baseUrl)}" is not a URL. Write it like http://localhost:8080/v1.`,
  );
  if (!parsed.ok) return parsed;
  const url = parsed.value;
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return fail(`"${shownUrl(baseUrl)}" is no http or https address. Write it like http://localhost:8080/v1.`);
  const base = url.pathname.replace(/\/+$/, '');
  if (!base.endsWith(path)) url.pathname = `${hasVersion(base) ? base : `${base}${version}`}${path}`;
  return ok(url.href);
}

/** The address as people may see it: without name and password, and without what its query says. */
export const shownUrl = (text: string): string =>
  text
    .replace(/^(\s*(?:[a-z][\w+.-]*:\/\/)?)[^/?#]*@/i, '$1')
    .replace(/([?&]([^=&#]*)=)([^&#]+)/g, (whole, start: string, name: string) =>
      isHarmlessQuery(name) ? whole : `${start}[key]`,
    );

const isHarmlessQuery = (name: string): boolean => /version/i.test(name);

/** Names, passwords and keys that stand in an address, as written and as sent. */
export function secretsInUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, searchParams } = new URL(text);
  const queried = [...searchParams].flatMap(([name, value]) => (isHarmlessQuery(name) ? [] : [value]));
  // A name alone is a token; beside a password it is none.
  const written = [password === '' ? username : password, ...queried];
  const plain = attemptSync(() => written.map(decodeURIComponent), messageOf);
  return [...written, ...(plain.ok ? plain.value : [])];
}

const hasVersion = (path: string): boolean => /\/v\d\w*(?:\/|$)/.test(path);

/** True for an address of this machine. */
export const isLoopback = (url: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(url).hostname);
