/** Base URLs as people write them, made into the address of a wire's requests. */
import { attemptSync } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';

/**
 * `http://host`, `http://host/`, `http://host/v1`, `http://host/v1/` and the full address all give the same. A path
 * without a version segment gets the wire's; who needs none writes the full address, ending in `path`. Fails with a sentence.
 */
export function requestUrl(baseUrl: string, path: string, version = '/v1'): Result<string, string> {
  const parsed = attemptSync(
    () => new URL(baseUrl.trim()),
    () => `"${baseUrl}" is not a URL. Write it like http://localhost:8080/v1.`,
  );
  if (!parsed.ok) return parsed;
  const url = parsed.value;
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return fail(`"${baseUrl}" is no http or https address. Write it like http://localhost:8080/v1.`);
  const base = url.pathname.replace(/\/+$/, '');
  if (!base.endsWith(path)) url.pathname = `${hasVersion(base) ? base : `${base}${version}`}${path}`;
  return ok(url.href);
}

const hasVersion = (path: string): boolean => /\/v\d\w*(?:\/|$)/.test(path);

/** True for an address of this machine. */
export const isLoopback = (url: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(url).hostname);
