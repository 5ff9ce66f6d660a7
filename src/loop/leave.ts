/** Waiting for work that was told to stop, but not for ever. */
import { timerMs } from '../base/abort.ts';

/**
 * The outcome of `work`; or undefined when `signal` aborted and the work did not come back within `graceMs`
 * milliseconds. Work that is left behind goes on unobserved; it must itself heed the signal. No timer and no listener
 * outlives the answer.
 */
export function leftBehind<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      timer = setTimeout(() => resolve(undefined), timerMs(graceMs));
    };
    const letGo = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(
      (value) => {
        letGo();
        resolve(value);
      },
      (cause) => {
        letGo();
        reject(cause);
      },
    );
  });
}
