/** The only driver: asks the conversation for its phase, does that phase's work, records what happened, yields it. */
import { linkedController } from '../base/abort.ts';
import type { Recorded, StopReason } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { LiveEvent } from '../protocol/live.ts';
import { advance, type Conversation, isRunning } from './conversation.ts';
import { type Inbox, type Item, tooLate } from './inbox.ts';
import { LineUp } from './lineup.ts';
import type { Deps, PhaseIo } from './phase.ts';
import { Recorder } from './recorder.ts';
import { Stopwatch } from './stopwatch.ts';
import { work } from './work.ts';

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

/** Yields what happened; returns the journal's fault, if it broke. */
type Happenings = AsyncGenerator<Recorded | LiveEvent, Fault | undefined>;

/** What all turns of one run share. */
interface Desk {
  readonly deps: Deps;
  readonly control: Control;
  readonly lineUp: LineUp;
  readonly recorder: Recorder;
}

/** Phases in a row that may leave the conversation where it was (a compaction does): more is a circle. */
const stillPhases = 3;

/**
 * Runs until the conversation is done and nobody has said anything more. Yields stored events and live ones, in order.
 * Abandoning the generator (`return()`) calls off what runs, and leaves the turn open in the journal.
 */
export async function* run(
  start: Conversation,
  deps: Deps,
  control: Control,
): AsyncGenerator<Recorded | LiveEvent, Outcome> {
  const { inbox, agent = 'main', past = [] } = control;
  const lineUp = new LineUp(deps.policies, saidBy(agent, past));
  const recorder = new Recorder(start, { journal: deps.journal, lineUp, agent });
  const desk: Desk = { deps, control, lineUp, recorder };
  const closeInbox = inbox.open();
  try {
    while (isRunning(recorder.conversation) || !inbox.isEmpty) {
      const broken = yield* isRunning(recorder.conversation) ? runTurn(desk) : hear(desk);
      if (!broken) continue;
      closeInbox(broken);
      return brokenOff(recorder.conversation, broken);
    }
    // In the same tick as the last look into it: a word said later must be told that no turn runs.
    closeInbox();
    return { conversation: recorder.conversation };
  } finally {
    closeInbox();
  }
}

/** A sub-agent's events may stand in the same journal; each agent's policies fold their own. */
function* saidBy(agent: string, past: Iterable<Recorded>): Generator<Recorded> {
  for (const recorded of past) if (recorded.agent === agent) yield recorded;
}

/** Between two turns: what was said meanwhile, up to the word that begins the next. */
async function* hear({ control: { inbox }, recorder }: Desk): Happenings {
  while (!inbox.isEmpty && !isRunning(recorder.conversation)) {
    const broken = yield* settle(await inbox.take(), recorder);
    if (broken) return broken;
  }
  return undefined;
}

/** One turn with its own clock; whatever it left running is called off at its end. */
async function* runTurn(desk: Desk): Happenings {
  const { deps, control, recorder } = desk;
  const stop = linkedController(control.signal);
  const stopwatch = new Stopwatch(deps.limits.turnMs, deps.clock);
  stopwatch.start(() => stop.abort('time limit' satisfies StopReason));
  try {
    for (let still = 0; isRunning(recorder.conversation); ) {
      const before = recorder.conversation;
      const broken = yield* still > stillPhases
        ? settle(circling, recorder)
        : runPhase(desk, { signal: stop.signal, waiting: (ask) => stopwatch.paused(ask) });
      if (broken) return broken;
      still = isSamePlace(before, recorder.conversation) ? still + 1 : 0;
    }
    return undefined;
  } finally {
    stopwatch.stop();
    stop.abort('interrupted' satisfies StopReason);
    stop.release();
  }
}

const isSamePlace = (before: Conversation, after: Conversation): boolean =>
  before.phase.name === after.phase.name &&
  before.turn.steps === after.turn.steps &&
  before.turn.nudges === after.turn.nudges;

const circling: Item = {
  what: 'end',
  event: {
    type: 'stopped',
    reason: 'fault',
    fault: fault('internal', `A bug in Smew: the turn made no headway in ${stillPhases + 1} attempts.`),
  },
};

/** Starts the phase's work and takes from the inbox until it has ended. What it leaves behind is not heard any more. */
async function* runPhase(
  { deps, control, lineUp, recorder }: Desk,
  turn: Pick<PhaseIo, 'signal' | 'waiting'>,
): Happenings {
  const { inbox } = control;
  const begun = recorder.conversation;
  let isOpen = true;
  const io: PhaseIo = {
    ...turn,
    lineUp,
    emit: (happening) => {
      if (isOpen) inbox.emit(happening);
    },
    record: (event, isSynced) => (isOpen ? inbox.record(event, isSynced) : Promise.resolve(tooLate())),
    conversation: () => recorder.conversation,
  };
  void work(begun, deps, io).then((event) => {
    if (isOpen) inbox.end(event);
  });
  try {
    for (;;) {
      const item = await inbox.take();
      if (item.what === 'end' && isOvertaken(item, begun, recorder.conversation)) return undefined;
      const broken = yield* settle(item, recorder);
      if (broken || item.what === 'end') return broken;
    }
  } finally {
    isOpen = false;
  }
}

/** The user spoke while the gates were closing the turn: it goes on, so an ending that they found is none. */
const isOvertaken = ({ event }: Item & { what: 'end' }, begun: Conversation, now: Conversation): boolean =>
  begun.phase.name === 'closing' &&
  now.phase.name !== 'closing' &&
  (event?.type === 'released' || (event?.type === 'stopped' && event.reason === 'nudge limit'));

/** Shows what is live, records what is an event, and tells whoever waits for the record. */
async function* settle(item: Item, recorder: Recorder): Happenings {
  if (item.what === 'live') {
    yield item.live;
    return undefined;
  }
  if (!item.event) return undefined;
  const outcome = await recorder.record(item.event, item.what === 'event' && item.isSynced);
  if (item.what === 'event') item.taken?.(outcome.ok ? undefined : outcome.fault);
  if (!outcome.ok) return outcome.fault;
  yield outcome.value;
  return undefined;
}

const brokenOff = (conversation: Conversation, broken: Fault): Outcome => ({
  conversation: advance(conversation, { type: 'stopped', reason: 'fault', fault: broken }),
  fault: broken,
});
