/** A turn on the chat-completions wire: as events, or as one body. */
import { listOf, loose, textOf } from '../loose.ts';
import { wireCalls } from './calls.ts';
import { type ScriptedTurn, turnAfter } from './turn.ts';
import { type Asked, argumentsPiece, countsOf, pieces, type ScriptedWire, textPiece } from './wire.ts';

type RequestField = 'model' | 'tools' | 'stream' | 'stream_options' | 'messages';

const envelope = { id: 'chatcmpl-scripted', created: 0 };

export const scriptedChat: ScriptedWire = {
  serves: (path) => path.endsWith('/chat/completions'),
  turnOf: (body) => turnAfter(repliesIn(loose<RequestField>(body).messages)),
  isStreamed: ({ body }) => loose<RequestField>(body).stream === true,
  events: (turn, asked) => chatEvents(turn, asked).map((data) => ({ data })),
  body: chatBody,
  errorEvent: (error) => ({ data: JSON.stringify({ error }) }),
};

/** The call ids of each reply of the model. */
export const repliesIn = (messages: unknown): string[][] =>
  listOf(messages)
    .map((message) => loose<'role' | 'tool_calls'>(message))
    .filter(({ role }) => role === 'assistant')
    .map(({ tool_calls: calls }) => listOf(calls).map((call) => textOf(loose<'id'>(call).id)));

/** The data of each event in order, `[DONE]` last. */
function chatEvents(turn: ScriptedTurn, asked: Asked): string[] {
  const { model, tools, stream_options: options } = loose<RequestField>(asked.body);
  const chunk = (delta: object, finish: string | null = null) =>
    JSON.stringify({
      ...envelope,
      object: 'chat.completion.chunk',
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const calls = wireCalls(turn.calls ?? [], asked.turn, tools);
  const usage = usageOf(turn, asked);
  const wantsUsage = loose<'include_usage'>(options).include_usage === true;
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(turn.reasoning ?? '', textPiece).map((text) => chunk({ reasoning_content: text })),
    ...pieces(turn.text ?? '', textPiece).map((text) => chunk({ content: text })),
    ...calls.flatMap(({ id, name, arguments: text }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces(text, argumentsPiece).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    ...(turn.finish === null ? [] : [chunk({}, finishOf(turn))]),
    ...(wantsUsage && usage
      ? [JSON.stringify({ ...envelope, object: 'chat.completion.chunk', model, choices: [], usage })]
      : []),
    '[DONE]',
  ];
}

function chatBody(turn: ScriptedTurn, asked: Asked): string {
  const { model, tools } = loose<RequestField>(asked.body);
  const calls = wireCalls(turn.calls ?? [], asked.turn, tools).map(({ id, ...call }) => ({
    id,
    type: 'function',
    function: call,
  }));
  const message = {
    role: 'assistant',
    content: turn.text ?? null,
    ...(turn.reasoning ? { reasoning_content: turn.reasoning } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const finish_reason = turn.finish === null ? null : finishOf(turn);
  const usage = usageOf(turn, asked);
  return JSON.stringify({
    ...envelope,
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message, finish_reason }],
    ...(usage ? { usage } : {}),
  });
}

const finishOf = ({ finish, calls = [] }: ScriptedTurn): string => finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');

function usageOf(turn: ScriptedTurn, asked: Asked) {
  const counts = countsOf(turn, asked);
  if (!counts) return undefined;
  const { inputTokens, outputTokens, cachedTokens } = counts;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}
