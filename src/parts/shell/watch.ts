/** Waiting for a command: for its end, a question, something new, a limit or an interrupt. */
import { linkedController, sleep } from '../../base/abort.ts';
import type { Job } from './job.ts';

const lookEveryMs = 100;
/** A program that fills a screen asks no question: after so long it is taken to wait for a key. */
const screenSilenceMs = 5000;

/** Why the waiting ended. */
export type Why = 'end' | 'limit' | 'abort' | 'asks' | 'news';

export interface Watching {
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** What ends the waiting beside end, limit and abort: a question, or a question or any output that then pauses. */
  readonly until: 'end' | 'asks' | 'news';
}

export async function watch(job: Job, { signal, limitMs, until }: Watching): Promise<Why> {
  const untilMs = performance.now() + limitMs;
  // Where the shell has ended already, what it left is waited for.
  const ended = (job.end ? job.over : job.ended).then((): Why => 'end');
  const bytes = job.output.bytes;
  for (;;) {
    const leftMs = untilMs - performance.now();
    const step = until === 'end' ? leftMs : Math.min(leftMs, lookEveryMs);
    const pause = linkedController(signal);
    const first = await Promise.race([ended, sleep(step, pause.signal).then((): Why | undefined => undefined)]);
    pause.abort();
    pause.release();
    if (first) return first;
    if (signal.aborted) return 'abort';
    if (performance.now() >= untilMs) return 'limit';
    const seen = until === 'end' ? undefined : lookAt(job, until === 'news' ? bytes : undefined);
    if (seen) return seen;
  }
}

/** What makes it worth answering now. With `bytes`, what was printed before, new output that pauses does. */
function lookAt(job: Job, bytes: number | undefined): Why | undefined {
  if (job.isAsking()) return 'asks';
  if (job.isTerminal && job.silentMs > screenSilenceMs) return 'news';
  const isNew = bytes !== undefined && job.output.bytes > bytes;
  return isNew && job.silentMs > lookEveryMs * 2 ? 'news' : undefined;
}
