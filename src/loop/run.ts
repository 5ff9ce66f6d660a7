/** The only driver: asks the conversation for its phase, does that phase's work, records what happened, yields it. */
import { linkedController } from '../base/abort.ts';
import { messageOf } from '../base/attempt.ts';
import type { Event, Recorded, StopReason } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { LiveEvent } from '../protocol/live.ts';
import { act } from './act.ts';
import { close } from './close.ts';
import { advance, type Conversation, isRunning } from './conversation.ts';
import type { Inbox } from './inbox.ts';
import { LineUp } from './lineup.ts';
import { type Deps, type PhaseIo, stoppedBy } from './phase.ts';
import { Recorder } from './recorder.ts';
import { Stopwatch } from './stopwatch.ts';
import { think } from './think.ts';

export interface Control {
  /** Aborting it ends the turn; its reason is a StopReason or a signal's name (`SIGTERM`). */
  readonly signal: AbortSignal;
  readonly inbox: Inbox;
  /** `main` unless a sub-agent runs. */
  readonly agent?: string;
  /** Everything that was recorded before, so that the policies' folds are up to date. */
  readonly past?: Iterable<Recorded>;
}

export interface Outcome {
  readonly conversation: Conversation;
  /** Set when the journal could not be written: nothing after that was done. */
  readonly fault?: Fault;
}

/** Runs until the conversation is done. Yields stored events and live ones, in order. */
export async function* run(
  start: Conversation,
  deps: Deps,
  control: Control,
): AsyncGenerator<Recorded | LiveEvent, Outcome> {
  const { inbox, agent = 'main' } = control;
  const lineUp = new LineUp(deps.policies, control.past ?? []);
  const recorder = new Recorder(start, { journal: deps.journal, lineUp, agent });
  const stopwatch = new Stopwatch(deps.limits.turnMs, deps.clock);
  const stop = linkedController(control.signal);
  const io: PhaseIo = {
    signal: stop.signal,
    emit: (happening) => inbox.emit(happening),
    record: (event, isSynced) => inbox.record(event, isSynced),
    conversation: () => recorder.conversation,
    lineUp,
    waiting: (work) => stopwatch.paused(work),
  };
  stopwatch.start(() => stop.abort('time limit' satisfies StopReason));
  inbox.open();
  try {
    while (isRunning(recorder.conversation) || !inbox.isEmpty) {
      const hasWork = isRunning(recorder.conversation);
      if (hasWork) void work(recorder.conversation, deps, io).then((event) => inbox.end(event));
      const broken = yield* drain(inbox, recorder, hasWork);
      if (broken) return brokenOff(recorder.conversation, broken);
    }
    return { conversation: recorder.conversation };
  } finally {
    inbox.close();
    stopwatch.stop();
    stop.abort('interrupted' satisfies StopReason);
    stop.release();
  }
}

/** Takes from the inbox until the phase has ended (or, without one, until it is empty). Returns the journal's fault. */
async function* drain(
  inbox: Inbox,
  recorder: Recorder,
  hasWork: boolean,
): AsyncGenerator<Recorded | LiveEvent, Fault | undefined> {
  while (hasWork || !inbox.isEmpty) {
    const item = await inbox.take();
    if (item.what === 'live') {
      yield item.live;
      continue;
    }
    if (item.event) {
      const outcome = await recorder.record(item.event, item.what === 'event' && item.isSynced);
      const broken = 'broken' in outcome ? outcome.broken : undefined;
      if (item.what === 'event') item.taken?.(broken);
      if ('broken' in outcome) return outcome.broken;
      yield outcome.recorded;
    }
    if (item.what === 'end') return undefined;
  }
  return undefined;
}

/** One phase. Its last event is returned; undefined where `record` said it all. */
async function work(conversation: Conversation, deps: Deps, io: PhaseIo): Promise<Event | undefined> {
  if (io.signal.aborted) return stoppedBy(io.signal);
  const { phase, turn, limits } = conversation;
  if (phase.name === 'thinking' && turn.steps >= limits.steps) return { type: 'stopped', reason: 'step limit' };
  try {
    switch (phase.name) {
      case 'thinking':
        return await think(deps, io);
      case 'acting':
        return await act(deps, io);
      case 'closing':
        return await close(io);
      case 'idle':
      case 'done':
        return undefined;
      default:
        return phase satisfies never;
    }
  } catch (cause) {
    // The session's door: a bug in a part ends the turn with a record instead of losing it.
    return { type: 'stopped', reason: 'fault', fault: fault('internal', `A bug in Smew: ${messageOf(cause)}`) };
  }
}

const brokenOff = (conversation: Conversation, broken: Fault): Outcome => ({
  conversation: advance(conversation, { type: 'stopped', reason: 'fault', fault: broken }),
  fault: broken,
});
