/**
 * The request body: settings, tools and instructions first, then the input items, which only grow. Nothing is stored on
 * the server, so that a session can be kept, forked and cut here; reasoning therefore comes sealed and goes back.
 */
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolCall, ToolResult, UserMessage } from '../../../protocol/message.ts';
import type { Fragment, ToolSpec } from '../../../protocol/model.ts';
import type { Endpoint } from '../endpoint.ts';
import { GrowingBody, inList } from '../growing.ts';
import { kept } from '../kept.ts';
import { loose, textOf } from '../loose.ts';
import { partsInOrder, type ReplyPart } from '../parts.ts';
import { plainName, sentInput, sentResult } from '../sent.ts';
import { nativeParts } from './native.ts';

const tail = Buffer.from(']}');
/** Of ids and names, in characters. */
const longest = 64;

/** Makes bodies for one endpoint, each as pieces to be sent one after the other; without what `leftOut` names by then. */
export function bodyBuilder(
  { modelId, model, dialect }: Endpoint,
  leftOut: ReadonlySet<string> = new Set(),
): (request: ModelRequest) => readonly Uint8Array[] {
  const messages = new WeakMap<Message, string>();
  const prompts = new WeakMap<readonly Fragment[], string>();
  const tools = new WeakMap<readonly ToolSpec[], string>();
  const body = new GrowingBody<boolean>();
  const json = (message: Message) => kept(messages, message, (made) => itemsJson(made, model));
  return (request) => {
    const isStreamed = dialect.streams && request.isStreamed !== false;
    const settings = { model: modelId, ...(isStreamed ? { stream: true } : {}), ...settingsOf(request, leftOut) };
    const start = JSON.stringify(settings).slice(0, -1);
    const text = `${start}${kept(tools, request.tools, toolsJson)}${kept(prompts, request.system, systemJson)},"input":[`;
    return [body.take({ text, state: false }, request.messages, inList(json)).bytes, tail];
  };
}

function settingsOf({ maxOutputTokens, temperature, effort }: ModelRequest, leftOut: ReadonlySet<string>) {
  const summary = leftOut.has('summary') ? {} : { summary: 'auto' };
  return {
    store: false,
    ...(leftOut.has('include') ? {} : { include: ['reasoning.encrypted_content'] }),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(effort === undefined ? {} : { reasoning: { effort, ...summary } }),
  };
}

const systemJson = (fragments: readonly Fragment[]): string =>
  fragments.length === 0
    ? ''
    : `,"instructions":${JSON.stringify(fragments.map((fragment) => fragment.text).join('\n\n'))}`;

/** Strict is the default here, and would make every optional field of a tool a required one. */
const toolsJson = (specs: readonly ToolSpec[]): string =>
  specs.length === 0
    ? ''
    : `,"tools":${JSON.stringify(
        specs.map(({ name, description, parameters }) => ({
          type: 'function',
          name,
          description,
          parameters,
          strict: false,
        })),
      )}`;

/** The items of one message, joined by commas; nothing for a reply that says nothing. */
function itemsJson(message: Message, model: string): string {
  const items = itemsOf(message, model).map((item) => JSON.stringify(item));
  return items.join(',');
}

function itemsOf(message: Message, model: string): object[] {
  switch (message.from) {
    case 'user':
      return [userItem(message)];
    case 'model':
      return replyItems(message, model);
    case 'tools':
      return message.results.map(resultItem);
    default:
      return message satisfies never;
  }
}

function userItem({ text, images = [] }: UserMessage): object {
  if (images.length === 0) return { role: 'user', content: text };
  const pictures = images.map(({ mediaType, base64 }) => ({
    type: 'input_image',
    image_url: `data:${mediaType};base64,${base64}`,
  }));
  return { role: 'user', content: [...(text ? [{ type: 'input_text', text }] : []), ...pictures] };
}

/** Reasoning goes back to the model that reasoned, in its place; another model's is left out. */
function replyItems(reply: Reply, model: string): object[] {
  const { native } = reply;
  const isOwn = native?.wire === 'responses' && native.model === model;
  const parts = partsInOrder(reply, isOwn ? nativeParts(native.content) : []).filter(isSaid);
  // Reasoning must be followed by what it led to.
  return parts.every((part) => part.kind === 'opaque') ? [] : parts.map(replyItem);
}

const isSaid = (part: ReplyPart): boolean => part.kind !== 'text' || part.text !== '';

function replyItem(part: ReplyPart): object {
  switch (part.kind) {
    case 'opaque':
      return part.value;
    case 'text': {
      const phase = textOf(loose<'phase'>(part.value).phase);
      return { role: 'assistant', content: part.text, ...(phase ? { phase } : {}) };
    }
    case 'call':
      return callItem(part.call);
    default:
      return part satisfies never;
  }
}

const callItem = (call: ToolCall) => ({
  type: 'function_call',
  call_id: plainName(call.id, longest),
  name: plainName(call.name, longest),
  arguments: JSON.stringify(sentInput(call)),
});

const resultItem = (result: ToolResult) => ({
  type: 'function_call_output',
  call_id: plainName(result.callId, longest),
  output: sentResult(result),
});
