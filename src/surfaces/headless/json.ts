/** The two machine-readable formats. Nothing but JSON goes to stdout, and nothing to stderr. */
import type { Recorded } from '../../protocol/event.ts';
import type { LiveEvent } from '../../protocol/live.ts';
import type { Output } from './output.ts';
import type { Printer } from './printer.ts';
import type { EventLine, LiveLine, StreamLine } from './stream-line.ts';

/** What JSON leaves as it is but some readers of lines, and every terminal, take for a command. */
const unsafe = /[\u007f-\u009f\u2028\u2029]/g;

/** One line of JSON that no reader splits and no terminal obeys; with its line feed. */
export function jsonLine(value: StreamLine): string {
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value).replace(unsafe, escaped)}\n`;
}

/** One object at the end. */
export const jsonPrinter = (out: Output): Printer => ({
  begin: () => Promise.resolve(),
  show: () => Promise.resolve(),
  end: (result) => out.write(jsonLine(result)),
});

/** One line per recorded event and chosen live ones, between an init line and the result. */
export const streamPrinter = (out: Output): Printer => ({
  begin: ({ sessionId, model, cwd, notices }) =>
    out.write(jsonLine({ type: 'init', schema: 1, sessionId, model, cwd, notices: [...notices] })),
  show: async (happening) => {
    const line = lineOf(happening);
    if (line) await out.write(jsonLine(line));
  },
  end: (result) => out.write(jsonLine(result)),
});

/** The line for something that happened; undefined for live events that no line tells of. */
function lineOf(happening: Recorded | LiveEvent): EventLine | LiveLine | undefined {
  if ('seq' in happening) {
    const { seq, at, agent, parentCall, event } = happening;
    return { type: 'event', seq, at, agent, ...(parentCall === undefined ? {} : { parentCall }), event };
  }
  switch (happening.type) {
    case 'text.grew':
    case 'reply.dropped':
    case 'usage.known':
    case 'retry.waited':
    case 'model.switched':
      return { type: 'live', live: happening };
    case 'request.sent':
    case 'reasoning.grew':
    case 'call.grew':
    case 'tool.printed':
    case 'question.asked':
    case 'question.closed':
      return undefined;
    default:
      return happening satisfies never;
  }
}
