/** THINKING: the policies look at the request, the model answers, the policies look at the reply. */

import type { Event } from '../protocol/event.ts';
import { fault } from '../protocol/fault.ts';
import type { Reply } from '../protocol/message.ts';
import { leftBehind } from './leave.ts';
import { type Deps, type PhaseIo, stoppedBy } from './phase.ts';
import type { ModelRequest, Policy } from './ports.ts';

export async function think(deps: Deps, io: PhaseIo): Promise<Event> {
  const prepared = await prepare(deps, io);
  if ('event' in prepared) return prepared.event;
  let partial = '';
  const emit: PhaseIo['emit'] = (happening) => {
    if (happening.type === 'text.grew') partial += happening.delta;
    if (happening.type === 'reply.dropped') partial = '';
    io.emit(happening);
  };
  const work = deps.model(prepared.request, { signal: io.signal, emit });
  const answer = await leftBehind(work, io.signal, deps.limits.graceMs);
  if (io.signal.aborted) return partial ? { ...stoppedBy(io.signal), partial } : stoppedBy(io.signal);
  if (!answer) throw new Error('the model came back with nothing although nobody called it off');
  if (!answer.ok) return { type: 'stopped', reason: 'fault', fault: answer.fault };
  return await review(answer.value, io);
}

/** beforeModel of every policy. A policy may only append to what was sent before. */
async function prepare(deps: Deps, io: PhaseIo): Promise<{ request: ModelRequest } | { event: Event }> {
  let request: ModelRequest = { ...deps.request, messages: io.conversation().messages };
  for (const policy of io.lineUp.policies) {
    if (!policy.beforeModel) continue;
    const move = await policy.beforeModel(request, io.lineUp.view(policy, io.conversation()));
    if ('nudge' in move) return { event: nudge(policy, move.nudge, io) };
    if ('compact' in move) return { event: { type: 'compacted', by: policy.id, ...copyOf(move.compact) } };
    if ('stop' in move) return { event: stopBy(policy, move.stop) };
    request = move;
  }
  return { request };
}

/** afterModel of every policy; a nudge refuses the reply. */
async function review(accepted: Reply, io: PhaseIo): Promise<Event> {
  let reply = accepted;
  for (const policy of io.lineUp.policies) {
    if (!policy.afterModel) continue;
    const move = await policy.afterModel(reply, io.lineUp.view(policy, io.conversation()));
    if ('nudge' in move) return nudge(policy, move.nudge, io, reply);
    reply = move;
  }
  return { type: 'replied', reply };
}

/** A nudge, or the end where the turn has had its share of them. */
export function nudge(policy: Policy, text: string, io: PhaseIo, reply?: Reply): Event {
  const { turn, limits } = io.conversation();
  if (turn.nudges >= limits.nudges) return { type: 'stopped', reason: 'nudge limit', by: policy.id };
  return reply ? { type: 'nudged', by: policy.id, text, reply } : { type: 'nudged', by: policy.id, text };
}

const stopBy = (policy: Policy, why: string): Event => ({
  type: 'stopped',
  reason: 'policy',
  by: policy.id,
  fault: fault('aborted', why),
});

const copyOf = <T>({ cut, messages }: { cut: number; messages: readonly T[] }) => ({ cut, messages: [...messages] });
