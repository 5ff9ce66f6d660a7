import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { List } from '../../../base/list.ts';
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolCall } from '../../../protocol/message.ts';
import type { Endpoint } from '../endpoint.ts';
import { asking, endpointAt, said } from '../testing/asking.ts';
import { bodyBuilder } from './request.ts';

const endpoint: Endpoint = {
  ...endpointAt('http://h'),
  wire: 'ollama',
  modelId: 'qwen3:8b',
  model: 'ollama/qwen3:8b',
  contextTokens: 16_384,
};
const builderOf = (at = endpoint) => {
  const bodies = bodyBuilder(at);
  return (request: ModelRequest) => Buffer.concat(bodies(request)).toString('utf8');
};
const build = (messages: readonly Message[], more: Partial<ModelRequest> = {}) =>
  JSON.parse(builderOf()(asking(messages, more)));
const replied = (reply: Partial<Reply>): Message => ({ from: 'model', text: '', calls: [], ...reply });
const call = (more: Partial<ToolCall>): ToolCall => ({ id: 'c', name: 'read', input: {}, ...more });

describe('the request body', () => {
  it('opens the window, forbids cutting, and holds settings, tools and messages', () => {
    const tools = [{ name: 'read', description: 'Read a file.', parameters: { type: 'object' } }];
    expect(build([said('hi')], { tools, maxOutputTokens: 100, temperature: 0, effort: 'high' })).toEqual({
      model: 'qwen3:8b',
      stream: true,
      truncate: false,
      shift: false,
      think: 'high',
      options: { num_ctx: 16_384, num_predict: 100, temperature: 0 },
      tools: [{ type: 'function', function: tools[0] }],
      messages: [
        { role: 'system', content: 'You are a test.' },
        { role: 'user', content: 'hi' },
      ],
    });
  });

  it('says nothing of what is not known, and asks for one piece where a stream was damaged', () => {
    const { contextTokens: _, ...plain } = endpoint;
    const body = JSON.parse(builderOf({ ...plain, keepAlive: '30m' })(asking([], { isStreamed: false })));
    expect(Object.keys(body)).toEqual(['model', 'stream', 'truncate', 'shift', 'keep_alive', 'messages']);
    expect([body.stream, body.keep_alive]).toEqual([false, '30m']);
  });

  it.each([
    ['none', false],
    ['minimal', 'low'],
    ['xhigh', 'high'],
    ['max', 'max'],
    ['a lot', true],
  ])('thinks with effort %s as %s', (effort, think) => expect(build([], { effort }).think).toBe(think));

  it('sends images as a list of base64, arguments as objects, and results with the name of their tool', () => {
    const { messages } = build([
      { from: 'user', text: 'see', images: [{ mediaType: 'image/png', base64: 'AAAA' }] },
      replied({ text: 'looking', calls: [call({ id: 'a', input: { path: 'x' } }), call({ id: 'b', name: 'list' })] }),
      {
        from: 'tools',
        results: [
          { callId: 'a', ok: true, text: 'one' },
          { callId: 'b', ok: false, text: '' },
        ],
      },
    ]);
    expect(messages.slice(1)).toEqual([
      { role: 'user', content: 'see', images: ['AAAA'] },
      {
        role: 'assistant',
        content: 'looking',
        tool_calls: [
          { id: 'a', function: { name: 'read', arguments: { path: 'x' } } },
          { id: 'b', function: { name: 'list', arguments: {} } },
        ],
      },
      { role: 'tool', content: 'one', tool_name: 'read', tool_call_id: 'a' },
      { role: 'tool', content: '(no output)', tool_name: 'list', tool_call_id: 'b' },
    ]);
  });

  it('shows arguments that were no object, and leaves out a reply that says nothing', () => {
    const { messages } = build([replied({}), replied({ calls: [call({ input: '{"p', unreadable: 'early' })] })]);
    expect(messages[1].tool_calls[0].function.arguments).toEqual({ unreadable: '{"p' });
  });

  it('returns thinking to the model that thought it, and to no other', () => {
    const native = { wire: 'ollama', model: 'ollama/qwen3:8b', content: { thinking: ' hm\n' } };
    const thinkingOf = (more: object) =>
      build([replied({ text: 't', native: { ...native, ...more } })]).messages[1].thinking;
    expect([thinkingOf({}), thinkingOf({ model: 'ollama/other' }), thinkingOf({ wire: 'chat' })]).toEqual([
      ' hm\n',
      undefined,
      undefined,
    ]);
  });

  it('sends no half characters, which many a parser refuses', () => {
    expect(builderOf()(asking([said('a\ud83d b')]))).toContain('a\\ufffd b');
  });

  it('begins with the bytes of the request before it, whatever is said next', () => {
    const message = fc.oneof(
      fc.string({ unit: 'grapheme' }).map(said),
      fc.string().map((text) => replied({ text, calls: [call({ id: text, input: { text } })] })),
      fc.string().map((text): Message => ({ from: 'tools', results: [{ callId: text, ok: true, text }] })),
    );
    fc.assert(
      fc.property(fc.array(message, { minLength: 1 }), (messages) => {
        const builder = builderOf();
        let list = List.of<Message>();
        let before = builder(asking([]));
        for (const next of messages) {
          list = list.append(next);
          const body = builder({ ...asking([]), messages: list });
          expect(body.startsWith(before.slice(0, -2))).toBe(true);
          before = body;
        }
        expect(before).toBe(builderOf()(asking(messages)));
      }),
      { numRuns: 100 },
    );
  });
});
