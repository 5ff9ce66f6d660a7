/** Waiting for something, but not for long. */
import { sleep } from '../../base/abort.ts';

/** True when `work` is done within `ms`. Leaves no timer behind: one would hold up the end of the program. */
export async function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const pause = new AbortController();
  const isDone = await Promise.race([work.then(() => true), sleep(ms, pause.signal).then(() => false)]);
  pause.abort();
  return isDone;
}
