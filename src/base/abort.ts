/** Waiting that can be called off. */

/** The longest delay in milliseconds that a timer takes; Node fires at once for anything longer. */
const longestTimerMs = 2 ** 31 - 1;

/** A delay in milliseconds that a timer understands: "for ever" becomes 24 days, not at once. */
export const timerMs = (ms: number): number => Math.min(Math.max(0, ms), longestTimerMs);

/** Resolves after `ms` milliseconds, or at once (with false) when `signal` aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (slept: boolean) => () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(slept);
    };
    const onAbort = end(false);
    const timer = setTimeout(end(true), timerMs(ms));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** A controller that aborts with its parent, and can be let go so that a long-lived parent keeps no listener. */
export interface LinkedController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  release(): void;
}

export function linkedController(parent: AbortSignal): LinkedController {
  const controller = new AbortController();
  const onAbort = () => controller.abort(parent.reason);
  if (parent.aborted) onAbort();
  else parent.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => parent.removeEventListener('abort', onAbort),
  };
}
