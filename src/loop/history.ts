/** The rules that every server's history must obey, checked in one place. */
import type { Message } from '../protocol/message.ts';

/** What is wrong with a message list; empty when it is legal. Runs once over the list. */
export function historyFaults(messages: Iterable<Message>): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  let open: readonly string[] = [];
  let previous: Message | undefined;
  let index = 0;
  for (const message of messages) {
    faults.push(...[answerFault(open, message), orderFault(previous, message)].filter(isSaid).map(at(index)));
    open = message.from === 'model' ? message.calls.map(({ id }) => id) : [];
    for (const id of open) {
      if (seen.has(id)) faults.push(at(index)(`the call id ${id} is used twice`));
      seen.add(id);
    }
    previous = message;
    index++;
  }
  if (open.length > 0) faults.push(`the last calls [${open}] have no results`);
  return faults;
}

/** Every call is answered by the very next message, in the order of the calls, and nothing else is. */
function answerFault(open: readonly string[], message: Message): string | undefined {
  if (message.from !== 'tools') return open.length > 0 ? `the calls [${open}] have no results before it` : undefined;
  const answers = message.results.map(({ callId }) => callId);
  return sameIds(open, answers) ? undefined : `results [${answers}] for the calls [${open}]`;
}

/** A model speaks only when it was spoken to. */
const orderFault = (previous: Message | undefined, { from }: Message): string | undefined =>
  from === 'model' && (previous === undefined || previous.from === 'model')
    ? 'there is nothing before it to reply to'
    : undefined;

const at = (index: number) => (what: string) => `message ${index}: ${what}`;
const isSaid = (what: string | undefined): what is string => what !== undefined;

const sameIds = (calls: readonly string[], answers: readonly string[]): boolean =>
  calls.length > 0 && calls.length === answers.length && calls.every((id, place) => answers[place] === id);
