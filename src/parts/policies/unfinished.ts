/**
 * Harm prevented: a turn that ends on an empty reply, on thinking alone, or on "Now I will ...", with exit code 0 and nothing
 * done. The reply is sent back with the reason, three times in a row at most; then the turn fails, unless tools ran in it and
 * the model only words its end badly. Finished answers pass.
 */
import type { Policy, Stop } from '../../loop/ports.ts';
import type { Message, Reply } from '../../protocol/message.ts';
import type { Fragment } from '../../protocol/model.ts';

export interface UnfinishedParts {
  /** What keeps a reply from being an answer, told to the model; undefined where it is one. */
  lapseOf(reply: Reply, turn: readonly Message[]): Fragment | undefined;
}

const id = 'unfinished';
const inARowAtMost = 3;
const another = 'Choose another model with -m, or put the task in other words.';

/** The state is how often it spoke since the model last called a tool or the user last said something. */
export function unfinished({ lapseOf }: UnfinishedParts): Policy<number> {
  return {
    id,
    fold: {
      initial: 0,
      step: (count, { event }) => {
        if (event.type === 'prompted' || event.type === 'replied') return 0;
        return event.type === 'nudged' && event.by === id ? count + 1 : count;
      },
    },
    afterModel: (reply, { state, conversation: { messages, turn } }) => {
      if (reply.calls.length > 0) return reply;
      const said = messages.slice(turn.firstMessage);
      const lapse = lapseOf(reply, said);
      if (!lapse) return reply;
      return state < inARowAtMost ? { nudge: lapse.text } : (failure(reply, said, state + 1) ?? reply);
    },
  };
}

/** Nothing came, or nothing was done: no success. */
function failure({ text }: Reply, turn: readonly Message[], times: number): Stop | undefined {
  if (text.trim() === '') return { stop: `The model gave no answer ${times} times in a row. ${another}`, kind: 'cut' };
  if (turn.some(({ from }) => from === 'tools')) return undefined;
  return {
    stop: `The model announced ${times} times in a row what it would do, and never called a tool: nothing was done. ${another}`,
    kind: 'cut',
  };
}
