/**
 * The request body: each message becomes text once, and bytes once. Everything that stays the same stands first and
 * messages only follow, so each body begins with the bytes of the one before it, and server caches hit.
 *
 * Consecutive user messages stay apart. Merging them would change a message that may have been sent already; a server
 * that insists on alternation is a quirk to be learned, not the rule.
 */

import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolCall, ToolResult, UserMessage } from '../../../protocol/message.ts';
import type { Fragment, ToolSpec } from '../../../protocol/model.ts';
import { type CallIds, callIdsFor } from '../call-ids.ts';
import { systemJson, toolsJson } from '../chat-form.ts';
import type { Endpoint } from '../endpoint.ts';
import { GrowingBody, inList } from '../growing.ts';
import { kept } from '../kept.ts';
import { plainName, sentInput, sentResult } from '../sent.ts';
import { soundJson } from '../sound-json.ts';
import { returnedReasoning } from './reasoning.ts';

const tail = Buffer.from(']}');

/** Makes bodies for one endpoint, each as pieces to be sent one after the other. */
export function bodyBuilder(endpoint: Endpoint): (request: ModelRequest) => readonly Uint8Array[] {
  const { modelId, model, dialect, quirks = {} } = endpoint;
  const sending: Sending = { model, ids: callIdsFor(endpoint), needsReasoning: quirks.reasoning === 'all' };
  const messages = new WeakMap<Message, string>();
  const prompts = new WeakMap<readonly Fragment[], string>();
  const tools = new WeakMap<readonly ToolSpec[], string>();
  const body = new GrowingBody<boolean>();
  const json = (message: Message) => kept(messages, message, (made) => soundJson(messageJson(made, sending)));
  return (request) => {
    const { maxOutputTokens, temperature, effort } = request;
    const isStreamed = dialect.streams && request.isStreamed !== false;
    const settings: Record<string, unknown> = {
      model: modelId,
      ...(isStreamed ? { stream: true } : {}),
      ...(isStreamed && dialect.asksForUsage ? { stream_options: { include_usage: true } } : {}),
      ...(maxOutputTokens === undefined ? {} : { [dialect.capField]: maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(effort === undefined ? {} : { reasoning_effort: effort }),
    };
    const system = kept(prompts, request.system, (system) => soundJson(systemJson(system)));
    for (const field of quirks.omits ?? []) delete settings[field];
    const start = `${JSON.stringify(settings).slice(0, -1)}${kept(tools, request.tools, (specs) => soundJson(toolsJson(specs)))}`;
    const head = { text: `${start},"messages":[${system}`, state: system !== '' };
    return [body.take(head, request.messages, inList(json)).bytes, tail];
  };
}

interface Sending {
  readonly model: string;
  readonly ids: CallIds;
  /** Every earlier reply must carry a reasoning field, if only an empty one. */
  readonly needsReasoning: boolean;
}

/** One message as JSON; several, joined by commas, for tool results; nothing for a reply that says nothing. */
function messageJson(message: Message, sending: Sending): string {
  switch (message.from) {
    case 'user':
      return userJson(message);
    case 'model':
      return replyJson(message, sending);
    case 'tools':
      return message.results.map((result) => resultJson(result, sending)).join(',');
    default:
      return message satisfies never;
  }
}

function userJson({ text, images = [] }: UserMessage): string {
  if (images.length === 0) return JSON.stringify({ role: 'user', content: text });
  const pictures = images.map(({ mediaType, base64 }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${base64}` },
  }));
  return JSON.stringify({ role: 'user', content: [...(text ? [{ type: 'text', text }] : []), ...pictures] });
}

/** Servers refuse an assistant message without content and calls, so an empty reply is left out. */
function replyJson({ text, calls, native }: Reply, { model, ids, needsReasoning }: Sending): string {
  if (text === '' && calls.length === 0) return '';
  const isOwn = native?.wire === 'chat' && native.model === model;
  return JSON.stringify({
    role: 'assistant',
    content: text,
    ...(needsReasoning ? { reasoning_content: '' } : {}),
    ...(isOwn ? returnedReasoning(native.content) : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map((call) => callJson(call, ids)) } : {}),
  });
}

const callJson = (call: ToolCall, ids: CallIds) => ({
  id: ids(call.id, call.name),
  type: 'function',
  function: { name: sentName(call.name), arguments: soundJson(JSON.stringify(sentInput(call))) },
});

/** A name that the model made up may hold anything, and servers check it. */
const sentName = (name: string): string => (/^[\w.-]{1,64}$/.test(name) ? name : plainName(name, 64));

const resultJson = (result: ToolResult, { ids }: Sending): string =>
  JSON.stringify({ role: 'tool', tool_call_id: ids(result.callId), content: sentResult(result) });
