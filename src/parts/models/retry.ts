/** A wire that asks again where asking again is the cure: transient faults, before any output came. */
import { sleep } from '../../base/abort.ts';
import { fail } from '../../base/result.ts';
import type { Emit, Wire } from '../../loop/ports.ts';
import { type Fault, fault } from '../../protocol/fault.ts';

export interface RetryOptions {
  /** From 0 up to, and without, 1: spreads clients that failed together. */
  readonly random: () => number;
  /** Requests in all, the first included. */
  readonly attempts?: number;
  /** False once enough was asked in all, where others ask through the same wire. */
  readonly mayAsk?: () => boolean;
  /** The first wait; each further one is twice as long. Milliseconds. */
  readonly baseMs?: number;
  /** The longest wait of our own choice. Milliseconds. */
  readonly maxMs?: number;
  /** The longest wait that a provider may ask for; a longer one ends the attempt at once. Milliseconds. */
  readonly patienceMs?: number;
}

/** Who does not answer at all is asked less often: most often a server was not started. */
const unreachableAttempts = 4;

export function retrying(wire: Wire, options: RetryOptions): Wire {
  return async (request, io) => {
    for (let attempt = 1; ; attempt++) {
      const watch = watchOutput(io.emit);
      const answer = await wire(request, { ...io, emit: watch.emit });
      if (answer.ok || watch.hasOutput()) return answer;
      const { fault: failure } = answer;
      const delayMs = waitFor(failure, attempt, options);
      if (delayMs === undefined) return attempt > 1 ? fail(triedEnough(failure, attempt)) : answer;
      tell(io.emit, { attempt, delayMs, failure });
      if (!(await sleep(delayMs, io.signal))) return fail(fault('aborted', 'The request was called off.'));
    }
  };
}

/** Milliseconds until the next attempt; undefined where there is none. */
function waitFor(failure: Fault, attempt: number, options: RetryOptions): number | undefined {
  const { random, attempts = 6, baseMs = 500, maxMs = 20_000, patienceMs = 300_000 } = options;
  const limit = failure.kind === 'unreachable' ? Math.min(attempts, unreachableAttempts) : attempts;
  if (!isTransient(failure) || attempt >= limit || options.mayAsk?.() === false) return undefined;
  const backOffMs = Math.min(maxMs, baseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  const delayMs = Math.round(failure.retryAfterMs ?? backOffMs);
  return delayMs > patienceMs ? undefined : delayMs;
}

/** Worth asking again with the very same request. `cut` here means: before any output. */
export const isTransient = ({ kind, isLasting }: Fault): boolean =>
  !isLasting &&
  (kind === 'unreachable' || kind === 'rate' || kind === 'overloaded' || kind === 'stalled' || kind === 'cut');

/** Notes whether anything of a reply was shown. */
function watchOutput(emit: Emit): { readonly emit: Emit; hasOutput(): boolean } {
  let hasOutput = false;
  return {
    emit: (happening) => {
      if (happening.type.endsWith('.grew')) hasOutput = true;
      emit(happening);
    },
    hasOutput: () => hasOutput,
  };
}

const triedEnough = (failure: Fault, attempts: number): Fault => ({
  ...failure,
  message: `${failure.message} (Tried ${attempts} times.)`,
});

function tell(emit: Emit, { attempt, delayMs, failure }: { attempt: number; delayMs: number; failure: Fault }): void {
  const { kind, status, message: reason } = failure;
  emit({ type: 'retry.waited', attempt, delayMs, reason });
  const data = { attempt, delayMs, fault: kind, reason, ...(status === undefined ? {} : { status }) };
  emit({ type: 'noted', by: 'retry', kind: 'retried', data });
}
