/** How long a provider asks us to wait, wherever it says so. */

/**
 * Milliseconds, or undefined. Known: `retry-after-ms`, `retry-after` in seconds or as an HTTP date (seen from `now`,
 * milliseconds since 1970), "try again in 1m2.5s" in the message, and a `retryDelay` field.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  message: string,
  now: number,
): number | undefined {
  const exact = numberIn(headers['retry-after-ms']);
  if (exact !== undefined) return Math.round(exact);
  const after = headers['retry-after'];
  const seconds = numberIn(after);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  const date = after ? Date.parse(after) : Number.NaN;
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  return spokenMs(message) ?? delayField(message);
}

/** A field of the body, as `"retryDelay": "34.5s"`. */
function delayField(message: string): number | undefined {
  const [, seconds] = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(message) ?? [];
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;

const spoken = /(?:try again|retry) (?:in|after) (?:(\d+)h)? ?(?:(\d+)m(?!s))? ?(?:(\d+(?:\.\d+)?) ?(ms|s|seconds?))?/i;

function spokenMs(message: string): number | undefined {
  const [, hours, minutes, amount, unit] = spoken.exec(message) ?? [];
  if (hours === undefined && minutes === undefined && amount === undefined) return undefined;
  const rest = Number(amount ?? 0) * (unit === 'ms' ? 1 : 1000);
  return Math.round(Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000 + rest);
}
