/** A turn on the Messages wire: as named events, or as one message. Thinking is signed, as the vendor signs it. */
import { attemptSync } from '../../../base/attempt.ts';
import { listOf, loose, textOf } from '../loose.ts';
import { wireCalls } from './calls.ts';
import { type ScriptedTurn, turnAfter } from './turn.ts';
import {
  type Asked,
  argumentsPiece,
  countsOf,
  pieces,
  type ScriptedEvent,
  type ScriptedWire,
  textPiece,
} from './wire.ts';

type RequestField = 'model' | 'tools' | 'stream' | 'messages';

export const scriptedAnthropic: ScriptedWire = {
  serves: (path) => path.endsWith('/messages'),
  turnOf: (body) => turnAfter(repliesIn(body)),
  isStreamed: ({ body }) => loose<RequestField>(body).stream === true,
  events: messageEvents,
  body: (turn, asked) => JSON.stringify(messageOf(turn, asked)),
  errorEvent: (error) => named('error', { error }),
};

/** The call ids of each reply of the model. */
const repliesIn = (body: unknown): string[][] =>
  listOf(loose<RequestField>(body).messages)
    .map((message) => loose<'role' | 'content'>(message))
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) =>
      listOf(content)
        .map((block) => loose<'type' | 'id'>(block))
        .flatMap(({ type, id }) => (type === 'tool_use' ? [textOf(id)] : [])),
    );

const named = (type: string, more: object = {}): ScriptedEvent => ({
  event: type,
  data: JSON.stringify({ type, ...more }),
});

/** A block at its start, its deltas, and the block as a whole. */
interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
  readonly whole: object;
}

function blocksOf(turn: ScriptedTurn, { turn: number, body }: Asked): Block[] {
  const calls = wireCalls(turn.calls ?? [], number, loose<RequestField>(body).tools);
  return [
    ...(turn.reasoning ? [thinkingBlock(turn.reasoning, `c2lnbmVkLX${number}`)] : []),
    ...(turn.text ? [textBlock(turn.text)] : []),
    ...calls.map(({ id, name, arguments: text }) => callBlock({ id, name }, text)),
  ];
}

const thinkingBlock = (thinking: string, signature: string): Block => ({
  start: { type: 'thinking', thinking: '', signature: '' },
  deltas: [
    ...pieces(thinking, textPiece).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
    { type: 'signature_delta', signature },
  ],
  whole: { type: 'thinking', thinking, signature },
});

const textBlock = (text: string): Block => ({
  start: { type: 'text', text: '' },
  deltas: pieces(text, textPiece).map((piece) => ({ type: 'text_delta', text: piece })),
  whole: { type: 'text', text },
});

function callBlock(head: { readonly id: string; readonly name: string }, text: string): Block {
  const input = attemptSync(
    () => JSON.parse(text) as unknown,
    () => undefined,
  );
  return {
    start: { type: 'tool_use', ...head, input: {} },
    deltas: pieces(text, argumentsPiece).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    whole: { type: 'tool_use', ...head, input: input.ok ? input.value : text },
  };
}

function messageEvents(turn: ScriptedTurn, asked: Asked): ScriptedEvent[] {
  const { usage, ...message } = messageOf(turn, asked);
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const { stop_reason, stop_sequence } = message;
  return [
    named('message_start', { message: start }),
    named('ping'),
    ...blocksOf(turn, asked).flatMap(({ start: content_block, deltas }, index) => [
      named('content_block_start', { index, content_block }),
      ...deltas.map((delta) => named('content_block_delta', { index, delta })),
      named('content_block_stop', { index }),
    ]),
    ...(turn.finish === null ? [] : [named('message_delta', { delta: { stop_reason, stop_sequence }, usage })]),
    ...(turn.finish === null ? [] : [named('message_stop')]),
  ];
}

function messageOf(turn: ScriptedTurn, asked: Asked) {
  const counts = countsOf(turn, asked);
  const usage = counts && {
    input_tokens: Math.max(0, counts.inputTokens - counts.cachedTokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: counts.cachedTokens,
    output_tokens: counts.outputTokens,
  };
  return {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model: loose<RequestField>(asked.body).model,
    content: blocksOf(turn, asked).map(({ whole }) => whole),
    stop_reason: turn.finish === null ? null : finishOf(turn),
    stop_sequence: null,
    ...(usage ? { usage } : {}),
  };
}

/** Neutral words are put into the wire's own. */
function finishOf({ finish, calls = [] }: ScriptedTurn): string {
  const word = finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn');
  return words[word] ?? word;
}
const words: Readonly<Record<string, string>> = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens' };
