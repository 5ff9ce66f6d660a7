/** The calls of a step that have no answer yet, found again by the ids of later events. */
import type { ToolCall } from '../../protocol/message.ts';

export interface OpenCall {
  readonly agent: string;
  readonly name: string;
  readonly subject: string;
  /** The id in the model's reply. The conversation gives another where that one is empty or was used before. */
  readonly repliedId: string;
  /** The id in the events about this call, once one was seen. */
  readonly id?: string;
  /** When its tool started, in milliseconds since 1970. */
  readonly startedAt?: number;
  readonly denial?: Denial;
}

export interface Denial {
  readonly by: string;
  readonly reason: string;
}

export const openCall = (agent: string, { id, name, input }: ToolCall): OpenCall => ({
  agent,
  name,
  subject: subjectOf(input),
  repliedId: id,
});

/** The place of the call that an event of `agent` about `id` means; -1 when there is none. */
export function placeOf(calls: readonly OpenCall[], agent: string, id: string): number {
  const place = (fits: (call: OpenCall) => boolean) =>
    calls.findIndex((call) => call.agent === agent && (call.id === undefined ? fits(call) : call.id === id));
  const exact = place(({ repliedId }) => repliedId === id);
  return exact === -1 ? place(({ repliedId }) => id.startsWith(`${repliedId || 'call'}_`)) : exact;
}

const subjectKeys = ['command', 'path', 'file', 'pattern', 'query', 'url', 'name', 'task'];

/** What a call is about, in one line: the command, path or pattern among its arguments. */
export function subjectOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const texts = new Map(
    Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  for (const key of subjectKeys) {
    const text = texts.get(key);
    if (text) return text;
  }
  return '';
}
