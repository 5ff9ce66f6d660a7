import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { List } from '../../../base/list.ts';
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolCall } from '../../../protocol/message.ts';
import type { Endpoint } from '../endpoint.ts';
import { asking, endpointAt, said } from '../testing/asking.ts';
import { bodyBuilder } from './request.ts';

const endpoint = endpointAt('http://127.0.0.1:1/v1');
const builderOf = (at: Endpoint) => {
  const pieces = bodyBuilder(at);
  return (request: ModelRequest) => Buffer.concat(pieces(request)).toString('utf8');
};
const build = (messages: readonly Message[], more = {}) => JSON.parse(builderOf(endpoint)(asking(messages, more)));
const replied = (reply: Partial<Reply>): Message => ({ from: 'model', text: '', calls: [], ...reply });
const call = (more: Partial<ToolCall>): ToolCall => ({ id: 'c', name: 'read', input: {}, ...more });

describe('the request body', () => {
  it('holds model, settings, tools and messages in the words of the wire', () => {
    const tools = [{ name: 'read', description: 'Read a file.', parameters: { type: 'object' } }];
    const body = build([said('hi')], { tools, maxOutputTokens: 100, temperature: 0, effort: 'low' });
    expect(body).toEqual({
      model: 'small/one',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      temperature: 0,
      reasoning_effort: 'low',
      tools: [{ type: 'function', function: tools[0] }],
      messages: [
        { role: 'system', content: 'You are a test.' },
        { role: 'user', content: 'hi' },
      ],
    });
  });

  it('speaks the dialect of the endpoint', () => {
    const other = endpointAt('http://h/v1', { capField: 'max_completion_tokens', streams: false });
    const body = JSON.parse(builderOf(other)(asking([], { maxOutputTokens: 5 })));
    expect(Object.keys(body)).toEqual(['model', 'max_completion_tokens', 'messages']);
  });

  it('sends images as data URLs beside the text', () => {
    const body = build([{ from: 'user', text: 'see', images: [{ mediaType: 'image/png', base64: 'AAAA' }] }]);
    expect(body.messages[1].content).toEqual([
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ]);
  });

  it('sends calls and their results, each result a message, an empty one with words', () => {
    const { messages } = build([
      said('go'),
      replied({ text: 'looking', calls: [call({ id: 'a', input: { path: 'x' } }), call({ id: 'b' })] }),
      {
        from: 'tools',
        results: [
          { callId: 'a', ok: true, text: 'one' },
          { callId: 'b', ok: false, text: '' },
        ],
      },
    ]);
    expect(messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: 'looking',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } },
          { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: '(no output)' },
    ]);
  });

  it.each([
    ['unreadable text', call({ input: '{"path": "x', unreadable: 'it ends early' }), { unreadable: '{"path": "x' }],
    ['a list', call({ input: [1, 2] }), { unreadable: [1, 2] }],
    ['null', call({ input: null }), { unreadable: null }],
    ['a text', call({ input: 'x' }), { unreadable: 'x' }],
  ])('sends arguments that were %s back as an object that shows them', (_, bad, shown) => {
    const { messages } = build([replied({ calls: [bad] })]);
    expect(JSON.parse(messages[1].tool_calls[0].function.arguments)).toEqual(shown);
  });

  it('returns reasoning word for word to the model that said it, and to no other', () => {
    const content = { reasoning_content: ' a\n', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] };
    const native = { wire: 'chat', model: 'local/small/one', content };
    expect(build([replied({ text: 't', native })]).messages[1]).toEqual({
      role: 'assistant',
      content: 't',
      ...content,
    });
    const foreign = [
      { ...native, model: 'other/one' },
      { ...native, wire: 'gemini' },
    ];
    for (const other of foreign) {
      expect(build([replied({ text: 't', native: other })]).messages[1]).toEqual({ role: 'assistant', content: 't' });
    }
  });

  it('leaves out a reply that says nothing, which servers refuse', () => {
    expect(build([said('a'), replied({}), said('b')]).messages).toHaveLength(3);
  });

  it('begins with the bytes of the request before it, whatever is said next', () => {
    const message = fc.oneof(
      fc.string({ unit: 'grapheme' }).map(said),
      fc.string().map((text) => replied({ text })),
      fc.string().map((text): Message => ({ from: 'tools', results: [{ callId: 'c', ok: true, text }] })),
    );
    fc.assert(
      fc.property(fc.array(message, { minLength: 1 }), (messages) => {
        const builder = builderOf(endpoint);
        let list = List.of<Message>();
        let before = builder(asking([]));
        for (const next of messages) {
          list = list.append(next);
          const body = builder({ ...asking([]), messages: list });
          expect(body.startsWith(before.slice(0, -2))).toBe(true);
          before = body;
        }
        expect(before).toBe(builderOf(endpoint)(asking(messages)));
      }),
      { numRuns: 100 },
    );
  });

  it('is right after a compaction, a branch and another model setting, whatever was sent before', () => {
    const words = ['a', 'ü', '世', 'd'].map(said);
    const builder = builderOf(endpoint);
    const requests = [
      asking(words.slice(0, 3)),
      asking(words),
      asking([...words.slice(0, 1), said('other'), ...words.slice(2)]),
      asking(words.slice(2)),
      asking(words),
      asking(words.slice(0, 1)),
      asking(words, { effort: 'low' }),
      asking([...words.slice(0, 2), said('other'), ...words.slice(3)]),
    ];
    for (const request of requests) expect(builder(request)).toBe(builderOf(endpoint)(request));
  });

  it('leaves the bytes of an earlier request alone', () => {
    const builder = bodyBuilder(endpoint);
    const list = List.of(said('one'));
    const first = builder({ ...asking([]), messages: list });
    const before = Buffer.concat(first).toString();
    builder({ ...asking([]), messages: list.append(said('two')) });
    builder(asking([said('else')]));
    expect(Buffer.concat(first).toString()).toBe(before);
  });

  it('makes the text of a message once', () => {
    let reads = 0;
    const message: Message = {
      from: 'user',
      get text() {
        reads++;
        return 'counted';
      },
    };
    const builder = builderOf(endpoint);
    for (let step = 0; step < 5; step++) builder(asking([message]));
    expect(reads).toBe(1);
  });
});
