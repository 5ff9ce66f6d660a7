/** A turn on the Responses wire: as named events, or as one response. Reasoning is sealed, as the vendor seals it. */
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

type RequestField = 'model' | 'tools' | 'stream' | 'input';

export const scriptedResponses: ScriptedWire = {
  serves: (path) => path.endsWith('/responses'),
  turnOf: (body) => turnAfter(repliesIn(body)),
  isStreamed: ({ body }) => loose<RequestField>(body).stream === true,
  events: (turn, asked) => numbered(responseEvents(turn, asked)),
  body: (turn, asked) => JSON.stringify(responseOf(turn, asked)),
  errorEvent: (error) => ({ event: 'error', data: JSON.stringify({ type: 'error', ...Object(error) }) }),
};

/** The call ids of each reply of the model: the items between what the user and the tools say. */
function repliesIn(body: unknown): string[][] {
  const replies: string[][] = [];
  let isOpen = false;
  for (const item of listOf(loose<RequestField>(body).input)) {
    const { type, role, call_id: id } = loose<'type' | 'role' | 'call_id'>(item);
    const isModel = role === 'assistant' || type === 'function_call' || type === 'reasoning';
    if (isModel && !isOpen) replies.push([]);
    if (type === 'function_call') replies.at(-1)?.push(textOf(id));
    isOpen = isModel;
  }
  return replies;
}

interface Said {
  readonly type: string;
  readonly [field: string]: unknown;
}

const numbered = (events: readonly Said[]): ScriptedEvent[] =>
  events.map((event, number) => ({
    event: event.type,
    data: JSON.stringify({ ...event, sequence_number: number }),
  }));

/** An item at its start, what is said of it in between, and the item as a whole. */
interface Item {
  readonly start: object;
  readonly between: readonly Said[];
  readonly whole: object;
}

function itemsOf(turn: ScriptedTurn, { turn: number, body }: Asked): Item[] {
  const calls = wireCalls(turn.calls ?? [], number, loose<RequestField>(body).tools);
  return [
    ...(turn.reasoning ? [reasoningItem(turn.reasoning, number)] : []),
    ...(turn.text ? [messageItem(turn.text, number)] : []),
    ...calls.map(({ id, name, arguments: text }, index) =>
      callItem({ type: 'function_call', id: `fc_${number}_${index}`, call_id: id, name }, text),
    ),
  ];
}

function reasoningItem(text: string, number: number): Item {
  const head = { type: 'reasoning', id: `rs_${number}` };
  return {
    start: { ...head, summary: [] },
    between: pieces(text, textPiece).map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      summary_index: 0,
      delta,
    })),
    whole: { ...head, encrypted_content: `c2VhbGVk${number}`, summary: [{ type: 'summary_text', text }] },
  };
}

function messageItem(text: string, number: number): Item {
  const head = { type: 'message', id: `msg_${number}`, role: 'assistant' };
  return {
    start: { ...head, status: 'in_progress', content: [] },
    between: pieces(text, textPiece).map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta })),
    whole: { ...head, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
  };
}

const callItem = (head: object, text: string): Item => ({
  start: { ...head, status: 'in_progress', arguments: '' },
  between: [
    ...pieces(text, argumentsPiece).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
    { type: 'response.function_call_arguments.done', arguments: text },
  ],
  whole: { ...head, status: 'completed', arguments: text },
});

function responseEvents(turn: ScriptedTurn, asked: Asked): Said[] {
  const response = responseOf(turn, asked);
  const { usage: _, ...open } = { ...response, status: 'in_progress', output: [] };
  return [
    { type: 'response.created', response: open },
    { type: 'response.in_progress', response: open },
    ...itemsOf(turn, asked).flatMap(({ start, between, whole }, output_index) => [
      { type: 'response.output_item.added', output_index, item: start },
      ...between.map((said) => ({ ...said, output_index })),
      { type: 'response.output_item.done', output_index, item: whole },
    ]),
    ...(turn.finish === null ? [] : [{ type: `response.${response.status}`, response }]),
  ];
}

function responseOf(turn: ScriptedTurn, asked: Asked) {
  const counts = countsOf(turn, asked);
  const usage = counts && {
    input_tokens: counts.inputTokens,
    input_tokens_details: { cached_tokens: counts.cachedTokens },
    output_tokens: counts.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: counts.inputTokens + counts.outputTokens,
  };
  const reason = reasonOf(turn);
  return {
    id: 'resp_scripted',
    object: 'response',
    created_at: 0,
    status: turn.finish === null ? 'in_progress' : reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    model: loose<RequestField>(asked.body).model,
    output: itemsOf(turn, asked).map(({ whole }) => whole),
    ...(usage ? { usage } : {}),
  };
}

/** Why the response is incomplete; neutral words are put into the wire's own. */
function reasonOf({ finish }: ScriptedTurn): string | undefined {
  if (!finish || finish === 'stop' || finish === 'tool_calls') return undefined;
  return finish === 'length' ? 'max_output_tokens' : finish;
}
