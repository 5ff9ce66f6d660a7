/** The body of generateContent. What stays the same stands first; the model's name is in the address. */
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolResult, UserMessage } from '../../../protocol/message.ts';
import type { Fragment, ToolSpec } from '../../../protocol/model.ts';
import type { Endpoint } from '../endpoint.ts';
import { GrowingBody, inList } from '../growing.ts';
import { kept } from '../kept.ts';
import { plainName, sentResult } from '../sent.ts';
import { soundJson } from '../sound-json.ts';
import { nameLength, ownContent, plainContent, type ReturnedContent } from './parts.ts';
import { geminiSchema } from './schema.ts';
import { demandsSignatures, thinkingConfig } from './thinking.ts';

const tail = Buffer.from(']}');

/** By our call id: what a result must name. */
type Asked = Map<string, { readonly name: string; readonly id?: string }>;

/** Makes bodies for one endpoint, each as pieces to be sent one after the other. */
export function bodyBuilder({ modelId, model }: Endpoint): (request: ModelRequest) => readonly Uint8Array[] {
  const prompts = new WeakMap<readonly Fragment[], string>();
  const tools = new WeakMap<readonly ToolSpec[], string>();
  const body = new GrowingBody<boolean>();
  const json = messageWriter(modelId, model);
  return (request) => {
    const system = kept(prompts, request.system, (fragments) => soundJson(systemJson(fragments)));
    const start = `{${system}${kept(tools, request.tools, (specs) => soundJson(toolsJson(specs)))}${settingsJson(request, modelId)}`;
    const head = { text: `${start}"contents":[`, state: false };
    return [body.take(head, request.messages, inList(json)).bytes, tail];
  };
}

const systemJson = (fragments: readonly Fragment[]): string =>
  fragments.length === 0
    ? ''
    : `"systemInstruction":${JSON.stringify({ parts: [{ text: fragments.map(({ text }) => text).join('\n\n') }] })},`;

const toolsJson = (specs: readonly ToolSpec[]): string =>
  specs.length === 0 ? '' : `"tools":${JSON.stringify([{ functionDeclarations: specs.map(declaration) }])},`;

function declaration({ name, description, parameters: schema }: ToolSpec): object {
  const parameters = geminiSchema(schema);
  return { name, description, ...(parameters ? { parameters } : {}) };
}

function settingsJson({ maxOutputTokens, temperature, effort }: ModelRequest, modelId: string): string {
  const thinking = thinkingConfig(modelId, effort);
  const settings = {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(thinking ? { thinkingConfig: thinking } : {}),
  };
  return Object.keys(settings).length === 0 ? '' : `"generationConfig":${JSON.stringify(settings)},`;
}

/** Writes each message once. Results name their function, so the calls before them are remembered. */
function messageWriter(modelId: string, model: string): (message: Message) => string {
  const written = new WeakMap<Message, string>();
  const contents = new WeakMap<Reply, ReturnedContent>();
  const asked: Asked = new Map();
  const contentOf = (reply: Reply): ReturnedContent => {
    const known = contents.get(reply);
    if (known) return known;
    const { native } = reply;
    const isOwn = native?.wire === 'gemini' && native.model === model;
    const made = isOwn ? ownContent(reply, native.content) : plainContent(reply, demandsSignatures(modelId));
    contents.set(reply, made);
    return made;
  };
  return (message) => {
    if (message.from === 'model') {
      for (const { call, id } of contentOf(message).calls) {
        asked.set(call.id, { name: call.name, ...(id === undefined ? {} : { id }) });
      }
    }
    return kept(written, message, (made) => soundJson(contentJson(made, { contentOf, asked })));
  };
}

interface Surroundings {
  readonly asked: Asked;
  contentOf(reply: Reply): ReturnedContent;
}

/** One message as JSON; nothing for one that says nothing: contents without parts are refused. */
function contentJson(message: Message, { asked, contentOf }: Surroundings): string {
  switch (message.from) {
    case 'user':
      return content('user', userParts(message));
    case 'model':
      return content('model', contentOf(message).parts);
    case 'tools':
      return content(
        'user',
        message.results.map((result) => resultPart(result, asked)),
      );
    default:
      return message satisfies never;
  }
}

const content = (role: 'user' | 'model', parts: readonly object[]): string =>
  parts.length === 0 ? '' : JSON.stringify({ role, parts });

const userParts = ({ text, images = [] }: UserMessage): object[] => [
  ...(text ? [{ text }] : []),
  ...images.map(({ mediaType, base64 }) => ({ inlineData: { mimeType: mediaType, data: base64 } })),
];

function resultPart(result: ToolResult, asked: Asked): object {
  const call = asked.get(result.callId);
  return {
    functionResponse: {
      ...(call?.id === undefined ? {} : { id: call.id }),
      name: plainName(call?.name ?? 'unknown', nameLength),
      response: { [result.ok ? 'output' : 'error']: sentResult(result) },
    },
  };
}
