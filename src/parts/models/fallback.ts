/**
 * A chain of models, and of keys, behind one Model: what fails for a reason of the provider's rests for a while, and the
 * next in line is asked. Each request begins with the first that does not rest, so the chain goes back by itself.
 */
import { fail, type Result } from '../../base/result.ts';
import type { Clock, Emit, Model, ModelRequest, WorkIo } from '../../loop/ports.ts';
import type { Fault, FaultKind } from '../../protocol/fault.ts';
import type { Reply } from '../../protocol/message.ts';
import type { Rest, RestStore } from './rests.ts';

export interface Candidate {
  /** `provider/model`. */
  readonly model: string;
  readonly provider: string;
  /** Counted from 1, where the provider has several. */
  readonly keyNumber?: number;
  /** Its name among rests that are kept; see rests.ts. Without one none is kept. */
  readonly restName?: () => string;
  /** `briefly` gives up soon, because another stands by. */
  ask(request: ModelRequest, io: WorkIo, patience: 'briefly' | 'patiently'): Promise<Result<Reply, Fault>>;
}

const minuteMs = 60_000;
const longestMs = 15 * minuteMs;

/** How long who failed so rests, where the provider names no time. Kinds that are not here need a cure elsewhere. */
const restMs: Partial<Record<FaultKind, number>> = {
  rate: minuteMs,
  overloaded: minuteMs,
  stalled: minuteMs,
  cut: minuteMs,
  garbled: 5 * minuteMs,
  unreachable: minuteMs,
  quota: 60 * minuteMs,
  unauthorised: 24 * 60 * minuteMs,
  'not found': 24 * 60 * minuteMs,
};

/** What a provider said of itself holds for the next run, too; whatever a person cures in between is tried again at once. */
const isKept = (kind: FaultKind): boolean => kind === 'rate' || kind === 'quota' || kind === 'overloaded';

/** What holds for a key says nothing about the others. */
const isOfKey = (kind: FaultKind): boolean => kind === 'rate' || kind === 'quota' || kind === 'unauthorised';
/** What holds for a host holds for all its models. */
const isOfHost = (kind: FaultKind): boolean => kind === 'unreachable' || kind === 'stalled';

/** Who rests, and until when. */
class Roster {
  readonly #candidates: readonly Candidate[];
  readonly #clock: Clock;
  readonly #store: RestStore | undefined;
  readonly #rests = new Map<Candidate, Rest>();
  #isRead = false;

  constructor(candidates: readonly Candidate[], { clock, rests }: ChainSources) {
    this.#candidates = candidates;
    this.#clock = clock;
    this.#store = rests;
  }

  /** Those that may be asked now, in order. */
  ready(tried: ReadonlySet<Candidate>): Candidate[] {
    this.#recall();
    const now = this.#clock.now();
    return this.#candidates.filter((candidate) => !tried.has(candidate) && this.#untilMs(candidate) <= now);
  }

  /** The one whose rest ends first, where all rest. */
  soonest(): Candidate {
    return this.#candidates.reduce((best, other) => (this.#untilMs(other) < this.#untilMs(best) ? other : best));
  }

  /** Everybody of whom the failure speaks rests; returns them. */
  rest(failed: Candidate, failure: Fault): readonly Candidate[] {
    const concerned = this.#candidates.filter((other) => isConcerned(other, failed, failure.kind));
    for (const candidate of concerned) {
      const failures = (this.#rests.get(candidate)?.failures ?? 0) + 1;
      const rest = { failures, untilMs: this.#clock.now() + pauseMs(failure, failures) };
      this.#rests.set(candidate, rest);
      if (candidate.restName && isKept(failure.kind)) this.#store?.keep(candidate.restName(), rest);
    }
    return concerned;
  }

  wake(candidate: Candidate): void {
    const rested = this.#rests.delete(candidate);
    if (rested && candidate.restName) this.#store?.keep(candidate.restName(), undefined);
  }

  /** Why somebody else than `last` is asked first. */
  whyNot(last: Candidate): string {
    const untilMs = this.#untilMs(last);
    return untilMs > this.#clock.now()
      ? `it failed lately and rests until ${new Date(untilMs).toTimeString().slice(0, 8)}`
      : 'its pause is over';
  }

  /** What the runs before have kept, at the first request. */
  #recall(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    for (const candidate of this.#candidates) {
      const rest = candidate.restName && this.#store?.of(candidate.restName);
      if (rest) this.#rests.set(candidate, rest);
    }
  }

  #untilMs(candidate: Candidate): number {
    return this.#rests.get(candidate)?.untilMs ?? 0;
  }
}

function isConcerned(other: Candidate, failed: Candidate, kind: FaultKind): boolean {
  if (isOfKey(kind)) return other === failed;
  return other.provider === failed.provider && (isOfHost(kind) || other.model === failed.model);
}

export interface ChainSources {
  readonly clock: Clock;
  /** What is kept between runs; without it nothing is. */
  readonly rests?: RestStore;
}

/** The first candidate is the one that is wanted. Never empty. */
export function chain(candidates: readonly [Candidate, ...Candidate[]], sources: ChainSources): Model {
  const [wanted] = candidates;
  if (candidates.length === 1) return (request, io) => wanted.ask(request, io, 'patiently');
  const state: ChainState = { roster: new Roster(candidates, sources), current: wanted };
  return async (request, io) => {
    const tried = new Set<Candidate>();
    for (let reason: string | undefined; ; ) {
      const outcome = await askNext(state, { request, io, tried, reason });
      if ('answer' in outcome) return outcome.answer;
      reason = outcome.reason;
    }
  };
}

interface ChainState {
  readonly roster: Roster;
  /** Who was asked last. */
  current: Candidate;
}

interface Errand {
  readonly request: ModelRequest;
  readonly io: WorkIo;
  /** Who failed at this request. */
  readonly tried: Set<Candidate>;
  /** Why somebody else is asked. */
  readonly reason: string | undefined;
}

/** Asks whoever is next in line: the answer, or why the one after it must be asked. */
async function askNext(
  state: ChainState,
  { request, io, tried, reason }: Errand,
): Promise<{ readonly answer: Result<Reply, Fault> } | { readonly reason: string }> {
  const { roster } = state;
  const [first, ...others] = roster.ready(tried);
  // All rest: the one whose pause ends first is asked as if it were alone.
  const next = first ?? roster.soonest();
  if (next !== state.current)
    tellSwitch(io.emit, { from: state.current, to: next, reason: reason ?? roster.whyNot(state.current) });
  state.current = next;
  const watch = watchText(io.emit);
  const asked = { ...request, model: next.model };
  const answer = await next.ask(asked, { ...io, emit: watch.emit }, others.length > 0 ? 'briefly' : 'patiently');
  if (answer.ok) roster.wake(next);
  if (answer.ok || restMs[answer.fault.kind] === undefined) return { answer };
  for (const candidate of roster.rest(next, answer.fault)) tried.add(candidate);
  const { message } = answer.fault;
  if (roster.ready(tried).length === 0) return { answer: fail(alsoTried(answer.fault, tried, next)) };
  if (watch.hasText()) io.emit({ type: 'reply.dropped', reason: message });
  return { reason: message };
}

/** Twice as long with each failure in a row; a provider's own word counts as it stands. */
const pauseMs = ({ kind, retryAfterMs }: Fault, failures: number): number => {
  const ownMs = restMs[kind] ?? minuteMs;
  return retryAfterMs ?? Math.max(ownMs, Math.min(longestMs, ownMs * 2 ** (failures - 1)));
};

const labelOf = ({ model, keyNumber }: Candidate): string =>
  keyNumber === undefined ? model : `${model} (key ${keyNumber})`;

function tellSwitch(emit: Emit, { from, to, reason }: { from: Candidate; to: Candidate; reason: string }): void {
  const data = { from: labelOf(from), to: labelOf(to), reason };
  emit({ type: 'model.switched', ...data });
  emit({ type: 'noted', by: 'fallback', kind: 'switched', data });
}

function watchText(emit: Emit): { readonly emit: Emit; hasText(): boolean } {
  let hasText = false;
  return {
    emit: (happening) => {
      if (happening.type === 'text.grew') hasText = true;
      if (happening.type === 'reply.dropped') hasText = false;
      emit(happening);
    },
    hasText: () => hasText,
  };
}

function alsoTried(failure: Fault, tried: ReadonlySet<Candidate>, last: Candidate): Fault {
  const others = [...tried].filter((candidate) => candidate !== last).map(labelOf);
  return others.length === 0
    ? failure
    : { ...failure, message: `${failure.message} (${others.join(', ')} failed as well.)` };
}
