/** What was not allowed, as a fold over the journal: for results, summaries and exit codes. */
import { advance, type Conversation, newConversation } from '../../loop/conversation.ts';
import type { Recorded } from '../../protocol/event.ts';

export interface Denial {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /** `mode:NAME`, `user`, `policy:ID`, `nobody`. */
  readonly by: string;
  readonly reason: string;
}

/** In the order in which they happened, sub-agents' ones included. */
export function denialsOf(recorded: Iterable<Recorded>): Denial[] {
  const denials: Denial[] = [];
  // A call's id can differ from the one in the raw reply, so the calls are taken from the folded conversation.
  const conversations = new Map<string, Conversation>();
  for (const { agent, event } of recorded) {
    const before = conversations.get(agent) ?? newConversation({ steps: Infinity, nudges: Infinity });
    if (event.type === 'decided' && event.decision === 'deny') {
      const calls = before.phase.name === 'acting' ? before.phase.calls : [];
      const call = calls.find(({ id }) => id === event.callId);
      const { callId, by, reason = '' } = event;
      denials.push({ callId, tool: call?.name ?? 'unknown', input: call?.input, by, reason });
    }
    conversations.set(agent, advance(before, event));
  }
  return denials;
}
