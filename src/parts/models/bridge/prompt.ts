/** Our request in the words of the AI SDK. */
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolCall, UserMessage } from '../../../protocol/message.ts';
import { isObject, listOf, loose, textOf } from '../loose.ts';
import { type NativePart, partsInOrder, type ReplyPart } from '../parts.ts';
import { sentInput, sentResult } from '../sent.ts';
import type { CallOptions, PromptMessage, SdkModel } from './spec.ts';

/** `model` is ours, `provider/model`: only its own replies carry back what the provider attached to them. */
export function callOptions(request: ModelRequest, sdk: SdkModel, signal: AbortSignal): CallOptions {
  const { system, tools, maxOutputTokens, temperature, effort } = request;
  const [name = 'sdk'] = sdk.provider.split('.');
  const prompt = system.map(({ text }) => text).join('\n\n');
  return {
    prompt: [...(prompt ? [{ role: 'system' as const, content: prompt }] : []), ...promptMessages(request)],
    ...(tools.length > 0 ? { tools: tools.map(toolOf) } : {}),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(effort === undefined ? {} : { providerOptions: { [name]: { reasoningEffort: effort } } }),
    abortSignal: signal,
    includeRawChunks: false,
  };
}

const toolOf = ({ name, description, parameters }: ModelRequest['tools'][number]): object => ({
  type: 'function',
  name,
  description,
  inputSchema: parameters,
});

function promptMessages({ messages, model }: ModelRequest): PromptMessage[] {
  const names = new Map<string, string>();
  return [...messages].flatMap((message) => {
    if (message.from === 'model') for (const { id, name } of message.calls) names.set(id, name);
    const content = contentOf(message, { model, names });
    return content.length === 0 ? [] : [{ role: roles[message.from], content }];
  });
}

const roles = { user: 'user', model: 'assistant', tools: 'tool' } as const;

interface Surroundings {
  readonly model: string;
  readonly names: ReadonlyMap<string, string>;
}

function contentOf(message: Message, { model, names }: Surroundings): object[] {
  switch (message.from) {
    case 'user':
      return userContent(message);
    case 'model':
      return replyContent(message, model);
    case 'tools':
      return message.results.map((result) => ({
        type: 'tool-result',
        toolCallId: result.callId,
        toolName: names.get(result.callId) ?? 'unknown',
        output: { type: result.ok ? 'text' : 'error-text', value: sentResult(result) },
      }));
    default:
      return message satisfies never;
  }
}

const userContent = ({ text, images = [] }: UserMessage): object[] => [
  ...(text ? [{ type: 'text', text }] : []),
  ...images.map(({ mediaType, base64 }) => ({ type: 'file', mediaType, data: base64 })),
];

function replyContent(reply: Reply, model: string): object[] {
  const { native } = reply;
  const isOwn = native?.wire === 'sdk' && native.model === model;
  const parts = isOwn ? listOf(loose<'parts'>(native.content).parts).filter(isObject).map(nativePart) : [];
  return partsInOrder(reply, parts).flatMap(partContent);
}

type PartField = 'type' | 'text' | 'toolCallId' | 'providerOptions';

function nativePart(value: object): NativePart {
  const { type, text, toolCallId } = loose<PartField>(value);
  if (type === 'text') return { kind: 'text', text: textOf(text), value };
  if (type === 'tool-call') return { kind: 'call', id: textOf(toolCallId), value };
  return { kind: 'opaque', value };
}

function partContent(part: ReplyPart): object[] {
  if (part.kind === 'opaque') return [part.value];
  const { providerOptions } = loose<PartField>(part.value);
  const attached = providerOptions === undefined ? {} : { providerOptions };
  if (part.kind === 'call') return [{ ...callContent(part.call), ...attached }];
  return part.text === '' ? [] : [{ type: 'text', text: part.text, ...attached }];
}

const callContent = (call: ToolCall): object => ({
  type: 'tool-call',
  toolCallId: call.id,
  toolName: call.name,
  input: sentInput(call),
});
