/** THINKING: the policies look at the request, the model answers, the policies look at the reply. */
import type { Event, Nudged } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Reply } from '../protocol/message.ts';
import { advance, withFreshIds } from './conversation.ts';
import { historyFaults } from './history.ts';
import { leftBehind } from './leave.ts';
import { type Deps, type PhaseIo, stoppedBy } from './phase.ts';
import type { Compact, ModelRequest, Policy, Stop } from './ports.ts';
import { voice } from './voice.ts';

export async function think(deps: Deps, io: PhaseIo): Promise<Event> {
  const prepared = await prepare(deps, io);
  if (io.signal.aborted) return stoppedBy(io.signal);
  if ('event' in prepared) return prepared.event;
  let partial = '';
  const says = voice({
    record: io.record,
    emit: (happening) => {
      if (happening.type === 'text.grew') partial += happening.delta;
      if (happening.type === 'reply.dropped') partial = '';
      io.emit(happening);
    },
  });
  const work = deps.model(prepared.request, { signal: io.signal, emit: says.emit });
  const answer = await leftBehind(work, io.signal, deps.limits.graceMs);
  says.end();
  if (io.signal.aborted) return partial ? { ...stoppedBy(io.signal), partial } : stoppedBy(io.signal);
  if (!answer) throw new Error('the model came back with nothing although nobody called it off');
  if (!answer.ok) return (await says.settled()) ? stopFor(answer.fault) : await refused(answer.fault, deps, io);
  // The policies' folds must have seen the raw reply (its tokens, its faults) before they judge what was made of it.
  const broken = await says.settled();
  return broken ? stopFor(broken) : await review(answer.value, io);
}

/** The policies see why the request failed; one that compacts has the model asked anew, otherwise the turn ends. */
async function refused(why: Fault, deps: Deps, io: PhaseIo): Promise<Event> {
  const again = await prepare(deps, io, why);
  return 'event' in again && again.event.type === 'compacted' ? again.event : stopFor(why);
}

const stopFor = (why: Fault): Event => {
  return { type: 'stopped', reason: why.kind === 'budget' ? 'budget limit' : 'fault', fault: why };
};

/** beforeModel of every policy. A policy may only append to what was sent before. */
async function prepare(deps: Deps, io: PhaseIo, why?: Fault): Promise<{ request: ModelRequest } | { event: Event }> {
  const { messages } = io.conversation();
  let request: ModelRequest = { ...deps.request, messages };
  for (const policy of io.lineUp.policies) {
    if (!policy.beforeModel) continue;
    const move = await policy.beforeModel(request, io.lineUp.view(policy, io.conversation(), why));
    if ('nudge' in move) return { event: nudge({ by: policy.id, text: move.nudge }, io) };
    if ('compact' in move) return { event: compact(policy, move, io) };
    if ('stop' in move) return { event: stopBy(policy, move) };
    request = move;
  }
  // The fold vouches for its own list; what a policy made of it must be looked at.
  const faults = request.messages === messages ? [] : historyFaults(request.messages);
  return faults.length === 0
    ? { request }
    : { event: bug(`the policies made an illegal history: ${faults.join('; ')}`) };
}

/** afterModel of every policy; a nudge refuses the reply, a stop ends the turn without it. */
async function review(accepted: Reply, io: PhaseIo): Promise<Event> {
  let reply = accepted;
  for (const policy of io.lineUp.policies) {
    if (!policy.afterModel) continue;
    const move = await policy.afterModel(reply, io.lineUp.view(policy, io.conversation()));
    if ('nudge' in move) return nudge({ by: policy.id, text: move.nudge, reply }, io);
    if ('stop' in move) return stopBy(policy, move);
    reply = move;
  }
  return { type: 'replied', reply: withFreshIds(reply, io.conversation().callIds).reply };
}

/** A nudge, or the end where the turn has had its share of them. */
export function nudge(wanted: Omit<Nudged, 'type'>, io: PhaseIo): Event {
  const { turn, limits } = io.conversation();
  if (turn.nudges >= limits.nudges) return { type: 'stopped', reason: 'nudge limit', by: wanted.by };
  return { type: 'nudged', ...wanted };
}

/** A compaction that the conversation refuses would be asked for again and again, so it ends the turn. */
function compact(policy: Policy, { compact: { cut, messages } }: Compact, io: PhaseIo): Event {
  const before = io.conversation();
  const event: Event = { type: 'compacted', by: policy.id, cut, messages: [...messages] };
  if (advance(before, event) !== before) return event;
  return bug(`the compaction of ${policy.id} (the first ${cut} messages) would leave an illegal history`);
}

const stopBy = (policy: Policy, { stop, kind = 'aborted' }: Stop): Event => ({
  type: 'stopped',
  reason: 'policy',
  by: policy.id,
  fault: fault(kind, stop),
});

const bug = (what: string): Event => ({
  type: 'stopped',
  reason: 'fault',
  fault: fault('internal', `A bug in Smew: ${what}.`),
});
