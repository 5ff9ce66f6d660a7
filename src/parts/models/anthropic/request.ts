/**
 * The request body. Roles must alternate, so what follows in the same role goes into the same message: its list of
 * blocks stays open at the end of the growing bytes, and is closed by what comes after them. Earlier bytes never change.
 *
 * Cache marks are not part of what the server compares. They are cut in at the places where they are due, between bytes
 * that stay the same: at the end of the system prompt (which covers the tools before it), after the user's turn before
 * the last reply, and at the end. The second finds what the request before wrote: a server looks back only 20 blocks
 * from a mark, and a reply of a dozen calls with their results is longer than that.
 */
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolCall, ToolResult, UserMessage } from '../../../protocol/message.ts';
import type { Fragment, ToolSpec } from '../../../protocol/model.ts';
import type { Endpoint } from '../endpoint.ts';
import { type Append, GrowingBody } from '../growing.ts';
import { kept } from '../kept.ts';
import { partsInOrder, type ReplyPart } from '../parts.ts';
import { plainName, sentInput, sentResult } from '../sent.ts';
import { nativeParts } from './native.ts';
import { type OutputCap, outputSettings } from './thinking.ts';

type Role = 'user' | 'assistant';

interface Growth {
  /** Whose message is open. */
  readonly role: Role | undefined;
  /** Where the last block of the user's latest finished message ends. */
  readonly userEnd: number | undefined;
}

const mark = '"cache_control":{"type":"ephemeral"}';
/** Stands after the last field of a block, whose closing brace follows. */
const markBytes = Buffer.from(`,${mark}`);
const idLength = 256;
const nameLength = 128;

/** Makes bodies for one endpoint, each as pieces to be sent one after the other. */
export function bodyBuilder(
  { modelId, model, dialect }: Endpoint,
  cap: OutputCap = { tokens: undefined },
): (request: ModelRequest) => readonly Uint8Array[] {
  const messages = new WeakMap<Message, string>();
  const prompts = new WeakMap<readonly Fragment[], string>();
  const tools = new WeakMap<readonly ToolSpec[], string>();
  const body = new GrowingBody<Growth>();
  const append = appending((message) => kept(messages, message, (made) => blocksJson(made, model)));
  return (request) => {
    const settings = {
      model: modelId,
      ...outputSettings(modelId, { ...request, capTokens: cap.tokens }),
      ...(dialect.streams && request.isStreamed !== false ? { stream: true } : {}),
    };
    const system = kept(prompts, request.system, systemJson);
    const offered = kept(tools, request.tools, (specs) => toolsJson(specs, system === ''));
    const text = `${JSON.stringify(settings).slice(0, -1)}${offered}${system},"messages":[`;
    const { bytes, state } = body.take(
      { text, state: { role: undefined, userEnd: undefined } },
      request.messages,
      append,
    );
    return marked(bytes, state);
  };
}

const systemJson = (fragments: readonly Fragment[]): string => {
  const text = fragments.map((fragment) => fragment.text).join('\n\n');
  return text.trim() === '' ? '' : `,"system":[{"type":"text","text":${JSON.stringify(text)},${mark}}]`;
};

function toolsJson(specs: readonly ToolSpec[], isMarked: boolean): string {
  if (specs.length === 0) return '';
  const list = JSON.stringify(
    specs.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
  );
  return `,"tools":${isMarked ? `${list.slice(0, -2)},${mark}}]` : list}`;
}

/** The marks in their places, and the brackets that the growing bytes leave open. */
function marked(bytes: Uint8Array, { role, userEnd }: Growth): Uint8Array[] {
  const ends = [userEnd, role === 'user' ? bytes.length : undefined].filter((end) => end !== undefined);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const end of ends) {
    pieces.push(bytes.subarray(from, end - 1), markBytes);
    from = end - 1;
  }
  return [...pieces, bytes.subarray(from), Buffer.from(role === undefined ? ']}' : ']}]}')];
}

/** Blocks follow in the open message where they have its role, and open another where they have not. */
const appending =
  (blocks: (message: Message) => string): Append<Growth> =>
  (message, { state, length }) => {
    const json = blocks(message);
    const role: Role = message.from === 'model' ? 'assistant' : 'user';
    if (json === '') return { text: '', state };
    if (role === state.role) return { text: `,${json}`, state };
    const start = `{"role":"${role}","content":[`;
    if (state.role === undefined) return { text: start + json, state: { role, userEnd: undefined } };
    const userEnd = state.role === 'user' ? length : state.userEnd;
    return { text: `]},${start}${json}`, state: { role, userEnd } };
  };

/** The blocks of one message, joined by commas; nothing for a reply that says nothing. */
function blocksJson(message: Message, model: string): string {
  const blocks = blocksOf(message, model).map((block) => JSON.stringify(block));
  return blocks.join(',');
}

function blocksOf(message: Message, model: string): object[] {
  switch (message.from) {
    case 'user':
      return userBlocks(message);
    case 'model':
      return replyBlocks(message, model);
    case 'tools':
      return message.results.map(resultBlock);
    default:
      return message satisfies never;
  }
}

/** Blank texts are refused. */
function userBlocks({ text, images = [] }: UserMessage): object[] {
  const pictures = images.map(({ mediaType, base64 }) => ({
    type: 'image',
    source: { type: 'base64', media_type: mediaType, data: base64 },
  }));
  if (text.trim() !== '') return [{ type: 'text', text }, ...pictures];
  return pictures.length > 0 ? pictures : [{ type: 'text', text: '(empty message)' }];
}

/** Thinking goes back to the model that thought it, in its place; another model's is left out. */
function replyBlocks(reply: Reply, model: string): object[] {
  const { native } = reply;
  const isOwn = native?.wire === 'anthropic' && native.model === model;
  const parts = partsInOrder(reply, isOwn ? nativeParts(native.content) : []).filter(isSaid);
  // Thinking alone is no message.
  if (parts.every((part) => part.kind === 'opaque')) return [];
  return parts.map(replyBlock);
}

const isSaid = (part: ReplyPart): boolean => part.kind !== 'text' || part.text.trim() !== '';

function replyBlock(part: ReplyPart): object {
  switch (part.kind) {
    case 'opaque':
      return part.value;
    case 'text':
      return { type: 'text', text: part.text };
    case 'call':
      return callBlock(part.call);
    default:
      return part satisfies never;
  }
}

const callBlock = (call: ToolCall) => ({
  type: 'tool_use',
  id: plainName(call.id, idLength),
  name: plainName(call.name, nameLength),
  input: sentInput(call),
});

const resultBlock = (result: ToolResult) => ({
  type: 'tool_result',
  tool_use_id: plainName(result.callId, idLength),
  content: sentResult(result),
  ...(result.ok ? {} : { is_error: true }),
});
