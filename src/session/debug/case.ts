/** One recorded reply as `smew debug reply` takes it: what was offered and sent, and what came back. */
import * as z from 'zod/mini';
import { attemptSync, messageOf } from '../../base/attempt.ts';
import { List } from '../../base/list.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { ModelRequest } from '../../loop/ports.ts';
import type { WireName } from '../../parts/models/endpoint.ts';
import type { Message, ToolCall } from '../../protocol/message.ts';

const Tool = z.object({
  name: z.string(),
  description: z._default(z.string(), ''),
  parameters: z._default(z.record(z.string(), z.unknown()), { type: 'object' }),
});

export const ReplyCase = z.object({
  id: z._default(z.union([z.string(), z.number()]), ''),
  wire: z._default(z.string(), 'chat'),
  tools: z._default(z.array(Tool), []),
  /** The body that was sent, or parts of it. */
  request: z.optional(z.record(z.string(), z.unknown())),
  status: z.optional(z.number()),
  headers: z.optional(z.record(z.string(), z.string())),
  /** Messages in the words of chat completions. */
  history: z.optional(z.array(z.record(z.string(), z.unknown()))),
  /** The whole answer: JSON, or the text of it. */
  body: z.optional(z.unknown()),
  /** The lines of a stream as they came. `<connection closed>` and `<idle 600 s>` are events of the transport. */
  sse: z.optional(z.array(z.string())),
  /** The bytes of each packet, in hexadecimal digits. */
  packets_hex: z.optional(z.array(z.string())),
});
export type ReplyCase = z.infer<typeof ReplyCase>;

/** Reads a line; fails with a sentence. */
export function readCase(line: string): Result<ReplyCase, string> {
  const parsed = attemptSync(() => JSON.parse(line) as unknown, messageOf);
  if (!parsed.ok) return fail(`is no JSON: ${parsed.fault}`);
  const read = ReplyCase.safeParse(parsed.value);
  if (read.success) return ok(read.data);
  return fail(read.error.issues.map(({ path, message }) => `${path.join('.') || 'the line'}: ${message}`).join('; '));
}

const wires: Readonly<Record<string, WireName>> = {
  chat: 'chat',
  'chat-completions': 'chat',
  openai: 'chat',
  'openai-chat': 'chat',
  responses: 'responses',
  'openai-responses': 'responses',
  anthropic: 'anthropic',
  messages: 'anthropic',
  gemini: 'gemini',
  google: 'gemini',
  ollama: 'ollama',
};

export const wireOf = (name: string): WireName | undefined =>
  Object.hasOwn(wires, name.toLowerCase()) ? wires[name.toLowerCase()] : undefined;

export function requestOf({ tools, request = {}, history = [] }: ReplyCase): ModelRequest {
  const cap = [request['max_tokens'], request['max_completion_tokens'], request['max_output_tokens']].find(isNumber);
  const sent = Array.isArray(request['messages']) && history.length === 0 ? request['messages'] : history;
  return {
    model: typeof request['model'] === 'string' ? request['model'] : 'debug/model',
    system: [],
    tools,
    messages: List.from(sent.flatMap(messageOfChat)),
    ...(cap === undefined ? {} : { maxOutputTokens: cap }),
    ...(isNumber(request['temperature']) ? { temperature: request['temperature'] } : {}),
    ...(typeof request['reasoning_effort'] === 'string' ? { effort: request['reasoning_effort'] } : {}),
  };
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

const ChatMessage = z.object({
  role: z.string(),
  content: z.optional(z.unknown()),
  tool_call_id: z.optional(z.string()),
  tool_calls: z.optional(z.array(z.object({ id: z.optional(z.string()), name: z.optional(z.string()) }))),
});

function messageOfChat(value: unknown): Message[] {
  const read = ChatMessage.safeParse(value);
  if (!read.success) return [];
  const { role, content, tool_call_id: callId = '', tool_calls: calls = [] } = read.data;
  const text = typeof content === 'string' ? content : '';
  const images = Array.isArray(content) && content.some((part) => /image/.test(JSON.stringify(part) ?? ''));
  if (role === 'user')
    return [{ from: 'user', text, ...(images ? { images: [{ mediaType: 'image/png', base64: '' }] } : {}) }];
  if (role === 'tool') return [{ from: 'tools', results: [{ callId, ok: true, text }] }];
  const made = calls.map(({ id = '', name = '' }): ToolCall => ({ id, name, input: {} }));
  return role === 'assistant' ? [{ from: 'model', text, calls: made }] : [];
}
