/** The journal of a session that leaves nothing on disk (`--no-session`). */
import { ok } from '../base/result.ts';
import type { Clock, Journal } from '../loop/ports.ts';

export function unkeptJournal(clock: Clock): Journal {
  let seq = 0;
  return {
    append: (event, agent) => ok({ seq: ++seq, at: clock.now(), agent, event }),
    sync: async () => ok(undefined),
  };
}
