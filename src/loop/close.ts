/** CLOSING: the model said it is finished; every gate may send it on once. */
import type { Event } from '../protocol/event.ts';
import type { PhaseIo } from './phase.ts';
import { nudge } from './think.ts';

export async function close(io: PhaseIo): Promise<Event> {
  for (const policy of io.lineUp.policies) {
    const move = await policy.beforeFinish?.(io.lineUp.view(policy, io.conversation()));
    if (move) return nudge({ by: policy.id, text: move.nudge }, io);
  }
  return { type: 'released' };
}
