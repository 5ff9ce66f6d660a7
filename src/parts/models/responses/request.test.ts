import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { List } from '../../../base/list.ts';
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolCall } from '../../../protocol/message.ts';
import { asking, endpointAt, said } from '../testing/asking.ts';
import { bodyBuilder } from './request.ts';

const endpoint = { ...endpointAt('http://127.0.0.1:1/v1'), wire: 'responses' as const };
const builder = (streams = true) => {
  const pieces = bodyBuilder({ ...endpoint, dialect: { ...endpoint.dialect, streams } });
  return (request: ModelRequest) => Buffer.concat(pieces(request)).toString('utf8');
};
const build = (messages: readonly Message[], more = {}) => JSON.parse(builder()(asking(messages, more)));
const replied = (reply: Partial<Reply>): Message => ({ from: 'model', text: '', calls: [], ...reply });
const call = (more: Partial<ToolCall>): ToolCall => ({ id: 'c', name: 'read', input: {}, ...more });

describe('the request body', () => {
  it('holds settings, tools, instructions and input in the words of the wire, and stores nothing', () => {
    const tools = [{ name: 'read', description: 'Read a file.', parameters: { type: 'object' } }];
    expect(build([said('hi')], { tools, maxOutputTokens: 100, temperature: 0, effort: 'low' })).toEqual({
      model: 'small/one',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 100,
      temperature: 0,
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [{ type: 'function', ...tools[0], strict: false }],
      instructions: 'You are a test.',
      input: [{ role: 'user', content: 'hi' }],
    });
  });

  it('asks for one piece where the endpoint or the request wants it', () => {
    expect(JSON.parse(builder(false)(asking()))).not.toHaveProperty('stream');
    expect(build([said('hi')], { isStreamed: false })).not.toHaveProperty('stream');
  });

  it('sends images as data URLs beside the text', () => {
    const images = [{ mediaType: 'image/png', base64: 'AAAA' }];
    expect(build([{ from: 'user', text: 'see', images }]).input[0].content).toEqual([
      { type: 'input_text', text: 'see' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
    ]);
  });

  it('sends calls and results as items, with ids that fit', () => {
    const long = `call_${'x'.repeat(80)}`;
    const { input } = build([
      said('go'),
      replied({ text: 'looking', calls: [call({ id: 'a', input: { path: 'x' } }), call({ id: long })] }),
      {
        from: 'tools',
        results: [
          { callId: 'a', ok: true, text: 'one' },
          { callId: long, ok: false, text: '' },
        ],
      },
    ]);
    const short = input[3].call_id;
    expect(short).toMatch(/^[\w-]{1,64}$/);
    expect(input.slice(1)).toEqual([
      { role: 'assistant', content: 'looking' },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"x"}' },
      { type: 'function_call', call_id: short, name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'one' },
      { type: 'function_call_output', call_id: short, output: '(no output)' },
    ]);
  });

  it('leaves out a reply that says nothing', () => {
    expect(build([said('a'), replied({}), said('b')]).input).toHaveLength(2);
  });
});

describe('reasoning', () => {
  const sealed = { type: 'reasoning', id: 'rs_1', encrypted_content: 'c2Vh', summary: [] };
  const items = [
    sealed,
    { type: 'message', phase: 'commentary', text: 'one' },
    { type: 'function_call', call_id: 'call_1' },
  ];
  const native = { wire: 'responses', model: 'local/small/one', content: { items } };
  const reply = (more: Partial<Reply>): Message =>
    replied({ text: 'one', calls: [call({ id: 'call_1_9' })], native, ...more });
  const sent = (message: Message) => build([said('go'), message]).input.slice(1);

  it('goes back sealed and in its place, without ids that nobody stored, calls under the ids of the session', () => {
    expect(sent(reply({}))).toEqual([
      { type: 'reasoning', encrypted_content: 'c2Vh', summary: [] },
      { role: 'assistant', content: 'one', phase: 'commentary' },
      { type: 'function_call', call_id: 'call_1_9', name: 'read', arguments: '{}' },
    ]);
  });

  it('that is open goes back whole, a mere summary not at all', () => {
    const open = { type: 'reasoning', id: 'r', content: [{ type: 'reasoning_text', text: 'hm' }], summary: [] };
    const summary = { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }] };
    const first = (item: object) =>
      sent(reply({ native: { ...native, content: { items: [item, ...items.slice(1)] } } }))[0];
    expect(first(open)).toEqual(open);
    expect(first(summary)).toHaveProperty('role', 'assistant');
  });

  it('is left out for another wire and another model, and where nothing else was said', () => {
    for (const other of [
      { ...native, model: 'other/one' },
      { ...native, wire: 'chat' },
    ]) {
      expect(sent(reply({ native: other }))).toEqual([
        { role: 'assistant', content: 'one' },
        { type: 'function_call', call_id: 'call_1_9', name: 'read', arguments: '{}' },
      ]);
    }
    expect(sent(reply({ text: '', calls: [] }))).toEqual([]);
  });
});

it('begins with the bytes of the request before it, whatever is said next', () => {
  const message = fc.oneof(
    fc.string({ unit: 'grapheme' }).map(said),
    fc.string().map((text) => replied({ text })),
    fc.string().map((id) => replied({ calls: [call({ id })] })),
    fc.string().map((text): Message => ({ from: 'tools', results: [{ callId: 'c', ok: true, text }] })),
  );
  fc.assert(
    fc.property(fc.array(message, { minLength: 1 }), (messages) => {
      const make = builder();
      let list = List.of<Message>();
      let before = make(asking([]));
      for (const next of messages) {
        list = list.append(next);
        const body = make({ ...asking([]), messages: list });
        expect(body.startsWith(before.slice(0, -2))).toBe(true);
        before = body;
      }
      expect(before).toBe(builder()(asking(messages)));
    }),
    { numRuns: 100 },
  );
});
