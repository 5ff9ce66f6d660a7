/**
 * Harm prevented: a turn that ends on an empty reply, on thinking alone, or on "Now I will ...", with exit code 0 and nothing
 * done. The reply is sent back with the reason, three times in a row at most; finished answers pass.
 */
import type { Policy } from '../../loop/ports.ts';
import type { Message, Reply } from '../../protocol/message.ts';
import type { Fragment } from '../../protocol/model.ts';

export interface UnfinishedParts {
  /** What keeps a reply from being an answer, told to the model; undefined where it is one. */
  lapseOf(reply: Reply, turn: readonly Message[]): Fragment | undefined;
}

const id = 'unfinished';
const inARowAtMost = 3;

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
      if (state >= inARowAtMost || reply.calls.length > 0) return reply;
      const lapse = lapseOf(reply, messages.slice(turn.firstMessage));
      return lapse ? { nudge: lapse.text } : reply;
    },
  };
}
