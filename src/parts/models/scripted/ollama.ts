/** A turn on Ollama's own wire: as lines of JSON, or as one. */
import { attemptSync } from '../../../base/attempt.ts';
import { isObject, loose, textOf } from '../loose.ts';
import { wireCalls } from './calls.ts';
import { repliesIn } from './chat.ts';
import { type ScriptedTurn, turnAfter } from './turn.ts';
import { type Asked, countsOf, pieces, type ScriptedWire, textPiece } from './wire.ts';

type RequestField = 'model' | 'tools' | 'stream' | 'messages';

const createdAt = '1970-01-01T00:00:00Z';

export const scriptedOllama: ScriptedWire = {
  serves: (path) => path.endsWith('/api/chat'),
  turnOf: (body) => turnAfter(repliesIn(loose<RequestField>(body).messages)),
  isStreamed: ({ body }) => loose<RequestField>(body).stream !== false,
  streamType: 'application/x-ndjson',
  frame: ({ data }, lineEnd) => data + lineEnd,
  keepAlive: '',
  events: (turn, asked) => lines(turn, asked).map((data) => ({ data })),
  body: (turn, asked) => {
    const calls = callsOf(turn, asked);
    const message = {
      content: turn.text ?? '',
      ...(turn.reasoning ? { thinking: turn.reasoning } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return line(asked, message, turn.finish === null ? {} : endOf(turn, asked));
  },
  errorEvent: (error) => ({
    data: JSON.stringify({ error: isObject(error) ? textOf(loose<'message'>(error).message) : error }),
  }),
};

const lines = (turn: ScriptedTurn, asked: Asked): string[] => [
  ...pieces(turn.reasoning ?? '', textPiece).map((thinking) => line(asked, { content: '', thinking })),
  ...pieces(turn.text ?? '', textPiece).map((content) => line(asked, { content })),
  ...callsOf(turn, asked).map((call) => line(asked, { content: '', tool_calls: [call] })),
  ...(turn.finish === null ? [] : [line(asked, { content: '' }, endOf(turn, asked))]),
];

const line = ({ body }: Asked, message: object, end: object = { done: false }): string =>
  JSON.stringify({
    model: loose<RequestField>(body).model,
    created_at: createdAt,
    message: { role: 'assistant', ...message },
    ...end,
  });

/** Arguments are a value here; what is no JSON stays text. */
function callsOf({ calls = [] }: ScriptedTurn, { turn, body }: Asked): object[] {
  return wireCalls(calls, turn, loose<RequestField>(body).tools).map(({ id, name, arguments: text }, index) => {
    const value = attemptSync(
      () => JSON.parse(text) as unknown,
      () => undefined,
    );
    return { id, function: { index, name, arguments: value.ok ? value.value : text } };
  });
}

function endOf(turn: ScriptedTurn, asked: Asked): object {
  const tokens = countsOf(turn, asked);
  return {
    done: true,
    done_reason: turn.finish ?? 'stop',
    ...(tokens ? { prompt_eval_count: tokens.inputTokens, eval_count: tokens.outputTokens } : {}),
  };
}
