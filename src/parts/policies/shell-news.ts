/**
 * Against: a model that starts a server or a long test in the background and never learns that it died. Whatever a
 * background shell did meanwhile is told with the next tool result; an end that nobody heard of holds up the finish.
 */
import type { Policy } from '../../loop/ports.ts';

export interface ShellNewsOptions {
  /** What happened since it was last asked, as text for the model; empty where nothing did. */
  readonly news: () => string;
  /** The same, only if a background shell ended. */
  readonly endings: () => string;
}

export function shellNews({ news, endings }: ShellNewsOptions): Policy {
  return {
    id: 'shell-news',
    afterTool(result) {
      const text = news();
      return text === '' ? result : { ...result, text: `${result.text}\n${text}` };
    },
    beforeFinish() {
      const text = endings();
      return text === ''
        ? undefined
        : { nudge: `${text}\nThis happened in the background. Take it into account, then finish.` };
    },
  };
}
