/** The only doors where something thrown by Node or a library becomes a value. */
import { fail, ok, type Result } from './result.ts';

/** Runs `work`; what it throws goes through `explain` and comes back as a fault. */
export async function attempt<T, F>(work: () => Promise<T>, explain: (cause: unknown) => F): Promise<Result<T, F>> {
  try {
    return ok(await work());
  } catch (cause) {
    return fail(explain(cause));
  }
}

/** The same for synchronous work. */
export function attemptSync<T, F>(work: () => T, explain: (cause: unknown) => F): Result<T, F> {
  try {
    return ok(work());
  } catch (cause) {
    return fail(explain(cause));
  }
}

/** The message of anything that was thrown; never empty for an Error, and never throws itself. */
export function messageOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return String(cause);
  if ('message' in cause && typeof cause.message === 'string' && cause.message) return cause.message;
  // A refused connection to a host with two addresses is an AggregateError without a message of its own.
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.map(messageOf).join('; ');
  return cause instanceof Error ? cause.name : Object.prototype.toString.call(cause);
}

/** The `code` of a Node error (`ENOENT`, `ECONNREFUSED`, ...), or undefined. */
export function codeOf(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}
