/** Waiting for work that was told to stop, but not for ever. */
import { sleep } from '../base/abort.ts';

/**
 * The outcome of `work`; or undefined when `signal` aborted and the work did not come back within `graceMs`
 * milliseconds. Work that is left behind goes on unobserved; it must itself heed the signal.
 */
export async function leftBehind<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T | undefined> {
  const settled = work.then((value) => ({ value }));
  const givenUp = new Promise<undefined>((resolve) => {
    const wait = () => void sleep(graceMs).then(() => resolve(undefined));
    if (signal.aborted) wait();
    else {
      signal.addEventListener('abort', wait, { once: true });
      void settled.then(
        () => signal.removeEventListener('abort', wait),
        () => signal.removeEventListener('abort', wait),
      );
    }
  });
  return (await Promise.race([settled, givenUp]))?.value;
}
