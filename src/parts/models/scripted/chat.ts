/** A turn on the chat-completions wire: as events, or as one body. */
import { loose } from '../loose.ts';
import { wireCalls } from './calls.ts';
import type { ScriptedTurn } from './turn.ts';

export interface Asked {
  /** The turn's number, from 0. */
  readonly turn: number;
  /** The parsed request. */
  readonly body: unknown;
  readonly requestBytes: number;
}

type RequestField = 'model' | 'tools' | 'stream' | 'stream_options';

const textPiece = 24;
const argumentsPiece = 40;
const envelope = { id: 'chatcmpl-scripted', created: 0 };

export const isStreamed = ({ body }: Asked): boolean => loose<RequestField>(body).stream === true;

/** The data of each event in order, `[DONE]` last. */
export function chatEvents(turn: ScriptedTurn, asked: Asked): string[] {
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

export function chatBody(turn: ScriptedTurn, asked: Asked): string {
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

/** Four bytes a token is near enough for a script. */
function usageOf(turn: ScriptedTurn, { requestBytes }: Asked) {
  if (turn.usage === null) return undefined;
  const said = JSON.stringify([turn.text, turn.reasoning, turn.calls]).length;
  const {
    inputTokens,
    outputTokens,
    cachedTokens = 0,
  } = turn.usage ?? {
    inputTokens: Math.ceil(requestBytes / 4),
    outputTokens: Math.ceil(said / 4),
  };
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

function pieces(text: string, length: number): string[] {
  const characters = [...text];
  const list: string[] = [];
  for (let at = 0; at < characters.length; at += length) list.push(characters.slice(at, at + length).join(''));
  return list;
}
