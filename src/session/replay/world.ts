/** The outside world of a replay: every port answers from the record. */
import { fail, ok } from '../../base/result.ts';
import type { Deps } from '../../loop/phase.ts';
import type { Journal, Nudge, Permit, Policy, PreparedCall, Stop, ToolBox, Wire } from '../../loop/ports.ts';
import type { Event, Opened } from '../../protocol/event.ts';
import { fault } from '../../protocol/fault.ts';
import type { ReplayParts } from './parts.ts';
import type { Track } from './track.ts';

export function recordedDeps(parts: ReplayParts, track: Track): Deps {
  const opened = openedBefore(parts, track.position);
  const clock = { now: () => track.next?.at ?? 0 };
  return {
    model: parts.reader(recordedWire(track)),
    tools: parts.isLive ? parts.tools : recordedTools(parts.tools, track),
    permit: recordedPermit(track),
    policies: recordedPolicies(parts, track),
    journal: recordedJournal(track),
    clock,
    request: { model: opened?.model ?? 'replay/model', system: opened?.system ?? [], tools: opened?.tools ?? [] },
    limits: { turnMs: 0, toolMs: 24 * 3_600_000, graceMs: 0 },
  };
}

/** Says what the recorded model said, when the record is there. */
function recordedWire(track: Track): Wire {
  let from = 0;
  return async (_request, { signal, emit }) => {
    const index = track.find((event) => isAnswer(event), from);
    await Promise.race([track.reached(index), aborted(signal)]);
    const event = index === undefined ? undefined : track.at(index);
    from = (index ?? 0) + 1;
    if (event?.type === 'heard') {
      // The note about this cut reply is written again by the reader; it is no answer of its own.
      if (isResampled(track.at(from))) from++;
      return ok(event.raw);
    }
    if (event?.type === 'noted') {
      // A stream that broke after its first words leaves no raw reply, only the note that it was asked for again.
      emit({ type: 'text.grew', delta: '' });
      return fail(fault('cut', String(event.data?.['reason'] ?? '')));
    }
    if (event?.type === 'stopped' && event.fault) return fail(event.fault);
    return fail(fault('aborted', `The record ends here${event?.type === 'stopped' ? ` (${event.reason})` : ''}.`));
  };
}

/** Nudges, and ends by a policy after them, as they were given: whoever judged then is not asked again. */
function recordedPolicies({ recorded }: ReplayParts, track: Track): Policy[] {
  const ids = new Set(recorded.flatMap(({ event }) => (event.type === 'nudged' ? [event.by] : [])));
  const verdict = (): Event | undefined => {
    const index = track.find(({ type }) => verdicts.has(type));
    return index === undefined ? undefined : track.at(index);
  };
  const nudgeBy = (id: string): Nudge | undefined => {
    const event = verdict();
    return event?.type === 'nudged' && event.by === id ? { nudge: event.text } : undefined;
  };
  const stopBy = (id: string): Stop | undefined => {
    const event = verdict();
    if (event?.type !== 'stopped' || event.reason !== 'policy' || event.by !== id) return undefined;
    return { stop: event.fault?.message ?? '', ...(event.fault ? { kind: event.fault.kind } : {}) };
  };
  return [...ids].map((id) => ({
    id,
    afterModel: (reply) => nudgeBy(id) ?? stopBy(id) ?? reply,
    beforeFinish: () => nudgeBy(id),
  }));
}

const verdicts: ReadonlySet<Event['type']> = new Set([
  'replied',
  'nudged',
  'released',
  'stopped',
  'compacted',
  'prompted',
]);

const isResampled = (event: Event | undefined): boolean => event?.type === 'noted' && event.kind === 'resampled';

const isAnswer = (event: Event): boolean => event.type === 'heard' || event.type === 'stopped' || isResampled(event);

/** Input is read by today's schemas; the answer is the recorded one. */
const recordedTools = (tools: ToolBox, track: Track): ToolBox => ({
  specs: tools.specs,
  prepare: (call) => {
    const prepared = tools.prepare(call);
    if (!prepared.ok) return prepared;
    const run: PreparedCall['run'] = async ({ signal }) => {
      const index = track.find((event) => event.type === 'answered' && event.result.callId === call.id);
      await Promise.race([track.reached(index), aborted(signal)]);
      const event = index === undefined ? undefined : track.at(index);
      if (event?.type !== 'answered') return { ok: false, text: 'The record has no answer for this call.' };
      const { callId: _, ...answer } = event.result;
      return answer;
    };
    return ok({ ...prepared.value, run });
  },
});

const recordedPermit =
  (track: Track): Permit =>
  async (call) => {
    const index = track.find((event) => event.type === 'decided' && event.callId === call.id);
    const event = index === undefined ? undefined : track.at(index);
    if (event?.type !== 'decided')
      return { decision: 'deny', by: 'replay', reason: 'The record has no decision here.' };
    return { decision: event.decision, by: event.by, ...(event.reason === undefined ? {} : { reason: event.reason }) };
  };

const recordedJournal = (track: Track): Journal => ({
  append: (event: Event, agent) =>
    ok({ seq: track.next?.seq ?? track.position + 1, at: track.next?.at ?? 0, agent, event }),
  sync: async () => ok(undefined),
});

/** The opening in force at a place of the record. */
export function openedBefore({ recorded }: ReplayParts, position: number): Opened | undefined {
  const opened = recorded.slice(0, position).findLast(({ event }) => event.type === 'opened')?.event;
  return opened?.type === 'opened' ? opened : undefined;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
