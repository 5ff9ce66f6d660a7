/**
 * Harm prevented: a turn that ends on an empty reply, on thinking alone, or on "Now I will ...", with exit code 0 and nothing
 * done. The reply is sent back with the reason, three times in a row at most; finished answers pass.
 */
import type { Policy } from '../../loop/ports.ts';
import type { Reply } from '../../protocol/message.ts';

export type Lapse = 'nothing' | 'thinking' | 'announced';

export interface UnfinishedParts {
  /** What keeps a reply from being an answer; undefined where it is one. */
  lapseOf(reply: Reply): Lapse | undefined;
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
    afterModel: (reply, { state }) => {
      const lapse = state >= inARowAtMost ? undefined : lapseOf(reply);
      return lapse ? { nudge: reasons[lapse](state > 0) } : reply;
    },
  };
}

/** Some servers swallow a reply that holds a token of their own template; the second time it is worth a hint. */
const reasons: Readonly<Record<Lapse, (isAgain: boolean) => string>> = {
  nothing: (isAgain) =>
    `Your last reply was empty. Go on: call the tool that comes next, or give your answer.${isAgain ? swallowed : ''}`,
  thinking: (isAgain) =>
    `Your last reply held only thinking, which nobody sees. Call the tool that comes next, or give your answer.${isAgain ? swallowed : ''}`,
  announced: () =>
    'You said what you will do next, and the reply ended there: no tool was called. Call it now. If all is done, say what was done.',
};

const swallowed =
  ' If you wanted to write a marker of a chat template (such as <|...|>) into a file, put it together from two parts.';
