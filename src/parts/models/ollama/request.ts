/**
 * The body of Ollama's own chat. It asks the server neither to cut a prompt that does not fit nor to drop its beginning
 * while answering: both happen in silence, and a model that lost its task does harm. Servers before these fields cut.
 */

import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolCall, ToolResult, UserMessage } from '../../../protocol/message.ts';
import type { Fragment, ToolSpec } from '../../../protocol/model.ts';
import { systemJson, toolsJson } from '../chat-form.ts';
import type { Endpoint } from '../endpoint.ts';
import { GrowingBody, inList } from '../growing.ts';
import { kept } from '../kept.ts';
import { loose, textOf } from '../loose.ts';
import { sentInput, sentResult } from '../sent.ts';
import { soundJson } from '../sound-json.ts';

const tail = Buffer.from(']}');

/** Makes bodies for one endpoint, each as pieces to be sent one after the other. */
export function bodyBuilder(endpoint: Endpoint): (request: ModelRequest) => readonly Uint8Array[] {
  const prompts = new WeakMap<readonly Fragment[], string>();
  const tools = new WeakMap<readonly ToolSpec[], string>();
  const body = new GrowingBody<boolean>();
  const json = messageWriter(endpoint.model);
  return (request) => {
    const system = kept(prompts, request.system, (fragments) => soundJson(systemJson(fragments)));
    const settings = JSON.stringify(settingsOf(endpoint, request)).slice(0, -1);
    const start = `${settings}${kept(tools, request.tools, (specs) => soundJson(toolsJson(specs)))}`;
    const head = { text: `${start},"messages":[${system}`, state: system !== '' };
    return [body.take(head, request.messages, inList(json)).bytes, tail];
  };
}

function settingsOf({ modelId, dialect, contextTokens, keepAlive }: Endpoint, request: ModelRequest): object {
  const { maxOutputTokens, temperature, effort, isStreamed } = request;
  const options = {
    ...(contextTokens === undefined ? {} : { num_ctx: contextTokens }),
    ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
  return {
    model: modelId,
    // Ollama streams where nothing is said.
    stream: dialect.streams && isStreamed !== false,
    truncate: false,
    shift: false,
    ...(effort === undefined ? {} : { think: thinkOf(effort) }),
    ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
}

const levels: Readonly<Record<string, string | boolean>> = {
  none: false,
  off: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'max',
};

/** A model that only knows thinking and not thinking takes any level for thinking. */
const thinkOf = (effort: string): string | boolean => levels[effort] ?? true;

/** Writes each message once. Results name their tool, so the calls before them are remembered by id. */
function messageWriter(model: string): (message: Message) => string {
  const written = new WeakMap<Message, string>();
  const names = new Map<string, string>();
  return (message) => {
    if (message.from === 'model') for (const { id, name } of message.calls) names.set(id, name);
    return kept(written, message, (made) => soundJson(messageJson(made, { model, names })));
  };
}

interface Surroundings {
  readonly model: string;
  readonly names: ReadonlyMap<string, string>;
}

/** One message as JSON; several, joined by commas, for tool results; nothing for a reply that says nothing. */
function messageJson(message: Message, { model, names }: Surroundings): string {
  switch (message.from) {
    case 'user':
      return userJson(message);
    case 'model':
      return replyJson(message, model);
    case 'tools':
      return message.results.map((result) => resultJson(result, names)).join(',');
    default:
      return message satisfies never;
  }
}

const userJson = ({ text, images = [] }: UserMessage): string =>
  JSON.stringify({
    role: 'user',
    content: text,
    ...(images.length > 0 ? { images: images.map(({ base64 }) => base64) } : {}),
  });

function replyJson({ text, calls, native }: Reply, model: string): string {
  if (text === '' && calls.length === 0) return '';
  const isOwn = native?.wire === 'ollama' && native.model === model;
  const thinking = isOwn ? textOf(loose<'thinking'>(native.content).thinking) : '';
  return JSON.stringify({
    role: 'assistant',
    content: text,
    ...(thinking ? { thinking } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map(callOf) } : {}),
  });
}

const callOf = (call: ToolCall) => ({ id: call.id, function: { name: call.name, arguments: sentInput(call) } });

function resultJson(result: ToolResult, names: ReadonlyMap<string, string>): string {
  const name = names.get(result.callId);
  return JSON.stringify({
    role: 'tool',
    content: sentResult(result),
    ...(name === undefined ? {} : { tool_name: name }),
    tool_call_id: result.callId,
  });
}
