/** The work of one phase, behind the session's door: whatever a part does wrong becomes an ending with a record. */
import { messageOf } from '../base/attempt.ts';
import type { Event } from '../protocol/event.ts';
import { fault } from '../protocol/fault.ts';
import { act } from './act.ts';
import { close } from './close.ts';
import type { Conversation } from './conversation.ts';
import { leftBehind } from './leave.ts';
import { type Deps, type PhaseIo, stoppedBy } from './phase.ts';
import { think } from './think.ts';

/** Over twice the grace: once for a model or tool, once for what policies and questions make of the abort. */
const lastMs = 100;

/** The phase's last event; undefined where `record` said it all. Never rejects, and ends soon after an abort. */
export async function work(begun: Conversation, deps: Deps, io: PhaseIo): Promise<Event | undefined> {
  const { signal } = io;
  if (signal.aborted) return stoppedBy(signal);
  if (io.lineUp.fault) return { type: 'stopped', reason: 'fault', fault: io.lineUp.fault };
  try {
    const ended = phaseWork(begun, deps, io).then((event) => ({ event }));
    const outcome = await leftBehind(ended, signal, 2 * deps.limits.graceMs + lastMs);
    return outcome ? outcome.event : stoppedBy(signal);
  } catch (cause) {
    return { type: 'stopped', reason: 'fault', fault: fault('internal', `A bug in Smew: ${messageOf(cause)}`) };
  }
}

async function phaseWork({ phase, turn, limits }: Conversation, deps: Deps, io: PhaseIo): Promise<Event | undefined> {
  switch (phase.name) {
    case 'thinking':
      return turn.steps >= limits.steps ? { type: 'stopped', reason: 'step limit' } : await think(deps, io);
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
}
