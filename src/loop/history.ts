/** The rules that every server's history must obey, checked in one place. */
import type { Message } from '../protocol/message.ts';

/** What is wrong with a message list; empty when it is legal. Runs once over the list. */
export function historyFaults(messages: Iterable<Message>): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  let open: string[] = [];
  let index = 0;
  for (const message of messages) {
    if (message.from === 'tools') {
      const answers = message.results.map(({ callId }) => callId);
      if (!sameIds(open, answers)) faults.push(`message ${index}: results [${answers}] for the calls [${open}]`);
      open = [];
    } else {
      if (open.length > 0) faults.push(`message ${index}: the calls [${open}] have no results before it`);
      open = [];
    }
    if (message.from === 'model') {
      for (const { id } of message.calls) {
        if (seen.has(id)) faults.push(`message ${index}: the call id ${id} is used twice`);
        seen.add(id);
      }
      open = message.calls.map(({ id }) => id);
    }
    index++;
  }
  if (open.length > 0) faults.push(`the last calls [${open}] have no results`);
  return faults;
}

const sameIds = (calls: readonly string[], answers: readonly string[]): boolean =>
  calls.length > 0 && calls.length === answers.length && calls.every((id, at) => answers[at] === id);
