import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { List } from '../../../base/list.ts';
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolCall } from '../../../protocol/message.ts';
import { asking, endpointAt, said } from '../testing/asking.ts';
import { bodyBuilder } from './request.ts';

const endpoint = { ...endpointAt('http://127.0.0.1:1/v1'), wire: 'anthropic' as const };
const builder = (modelId = endpoint.modelId) => {
  const pieces = bodyBuilder({ ...endpoint, modelId });
  return (request: ModelRequest) => Buffer.concat(pieces(request)).toString('utf8');
};
const build = (messages: readonly Message[], more = {}, modelId?: string) =>
  JSON.parse(builder(modelId)(asking(messages, more)));
const replied = (reply: Partial<Reply>): Message => ({ from: 'model', text: '', calls: [], ...reply });
const call = (more: Partial<ToolCall>): ToolCall => ({ id: 'c', name: 'read', input: {}, ...more });
const result = (callId: string, text = 'seen', ok = true) => ({ callId, ok, text });
const marks = (body: string): number => body.split('"cache_control"').length - 1;
const withoutMarks = (body: string): string => body.replaceAll(',"cache_control":{"type":"ephemeral"}', '');
const ephemeral = { cache_control: { type: 'ephemeral' } };

describe('the request body', () => {
  it('holds model, cap, tools, system and messages in the words of the wire, marked at the ends', () => {
    const tools = [{ name: 'read', description: 'Read a file.', parameters: { type: 'object' } }];
    expect(build([said('hi')], { tools, maxOutputTokens: 100, temperature: 0 })).toEqual({
      model: 'small/one',
      max_tokens: 100,
      temperature: 0,
      stream: true,
      tools: [{ name: 'read', description: 'Read a file.', input_schema: { type: 'object' } }],
      system: [{ type: 'text', text: 'You are a test.', ...ephemeral }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...ephemeral }] }],
    });
  });

  it('marks the last tool where there is no system prompt', () => {
    const tool = { name: 'read', description: '', parameters: {} };
    const { tools, system } = build([said('hi')], { system: [], tools: [tool, { ...tool, name: 'list' }] });
    expect(system).toBeUndefined();
    expect(tools).toEqual([
      { name: 'read', description: '', input_schema: {} },
      { name: 'list', description: '', input_schema: {}, ...ephemeral },
    ]);
  });

  it('puts what follows in the same role into one message, results first', () => {
    const { messages } = build([
      said('go'),
      said('and look'),
      replied({ text: 'looking', calls: [call({ id: 'a', input: { path: 'x' } }), call({ id: 'b' })] }),
      { from: 'tools', results: [result('a', 'one'), result('b', '', false)] },
      said('go on'),
    ]);
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'go' },
          { type: 'text', text: 'and look', ...ephemeral },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'looking' },
          { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } },
          { type: 'tool_use', id: 'b', name: 'read', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'one' },
          { type: 'tool_result', tool_use_id: 'b', content: '(no output)', is_error: true },
          { type: 'text', text: 'go on', ...ephemeral },
        ],
      },
    ]);
  });

  it('sends images as base64 beside the text, and no blank text', () => {
    const images = [{ mediaType: 'image/png', base64: 'AAAA' }];
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    expect(build([{ from: 'user', text: 'see', images }]).messages[0].content).toEqual([
      { type: 'text', text: 'see' },
      { type: 'image', source, ...ephemeral },
    ]);
    expect(build([{ from: 'user', text: ' ', images }]).messages[0].content).toHaveLength(1);
    expect(build([said(' \n')]).messages[0].content[0].text).toMatch(/\S/);
  });

  it('leaves out a reply that says nothing, and the roles still alternate', () => {
    const { messages } = build([said('a'), replied({ text: ' ' }), said('b')]);
    expect(messages).toHaveLength(1);
    expect(messages[0].content).toHaveLength(2);
  });

  it('writes ids and names of other wires in allowed characters, the same in call and result', () => {
    const id = 'functions.read:0|ü';
    const { messages } = build([
      said('go'),
      replied({ calls: [call({ id, name: 'no such tool!' })] }),
      { from: 'tools', results: [result(id)] },
    ]);
    const [{ id: sent, name }] = messages[1].content;
    expect(sent).toMatch(/^[\w-]+$/);
    expect(name).toMatch(/^[\w-]{1,128}$/);
    expect(messages[2].content[0].tool_use_id).toBe(sent);
  });

  it('sends arguments that were no object back as one that shows them', () => {
    const bad = call({ input: '{"path": "x', unreadable: 'it ends early' });
    expect(build([said('a'), replied({ calls: [bad] })]).messages[1].content[0].input).toEqual({
      unreadable: '{"path": "x',
    });
  });
});

describe('thinking', () => {
  const blocks = [
    { type: 'thinking', thinking: ' a\n', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'b3Bh' },
    { type: 'text', text: 'one' },
    { type: 'tool_use', id: 'call_1' },
    { type: 'thinking', thinking: 'b', signature: 'c2ln2' },
    { type: 'tool_use', id: 'call_2' },
  ];
  const native = { wire: 'anthropic', model: 'local/small/one', content: { blocks } };
  const reply = (more: Partial<Reply>): Message =>
    replied({ text: 'one', calls: [call({ id: 'call_1' }), call({ id: 'call_2' })], native, ...more });
  const sent = (message: Message) => build([said('go'), message]).messages[1].content;

  it('goes back word for word and in its place, calls under the ids of the session', () => {
    const renamed = [call({ id: 'call_1_7' }), call({ id: 'call_2_8', input: { a: 1 } })];
    expect(sent(reply({ calls: renamed }))).toEqual([
      blocks[0],
      blocks[1],
      { type: 'text', text: 'one' },
      { type: 'tool_use', id: 'call_1_7', name: 'read', input: {} },
      blocks[4],
      { type: 'tool_use', id: 'call_2_8', name: 'read', input: { a: 1 } },
    ]);
  });

  it('stays where the reply was changed: dropped and added calls, another text', () => {
    const kinds = (message: Message) => sent(message).map(({ type, id }: { type: string; id?: string }) => id ?? type);
    expect(kinds(reply({ calls: [call({ id: 'call_2' })] }))).toEqual([
      'thinking',
      'redacted_thinking',
      'text',
      'thinking',
      'call_2',
    ]);
    const more = [call({ id: 'call_1' }), call({ id: 'call_2' }), call({ id: 'found' })];
    expect(kinds(reply({ calls: more })).slice(3)).toEqual(['call_1', 'thinking', 'call_2', 'found']);
    expect(sent(reply({ text: 'other' }))[2]).toEqual({ type: 'text', text: 'other' });
  });

  it('is left out for another wire and another model, and where nothing else was said', () => {
    for (const other of [
      { ...native, model: 'other/one' },
      { ...native, wire: 'chat' },
    ]) {
      expect(sent(reply({ native: other })).map(({ type }: { type: string }) => type)).toEqual([
        'text',
        'tool_use',
        'tool_use',
      ]);
    }
    for (const text of ['', ' \n']) {
      expect(build([said('a'), reply({ text, calls: [] }), said('b')]).messages).toHaveLength(1);
    }
  });
});

describe('the growing body', () => {
  const steps = fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }).map((text) => [said(text)]),
      fc.string().map((text) => [replied({ text })]),
      fc
        .uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 })
        .map((ids): Message[] => [
          replied({ calls: ids.map((id) => call({ id })) }),
          { from: 'tools', results: ids.map((id) => result(id)) },
        ]),
    ),
    { minLength: 1, maxLength: 12 },
  );

  it('begins with the bytes of the request before it, marks aside, and has at most three marks', () => {
    fc.assert(
      fc.property(steps, (said) => {
        const make = builder();
        let list = List.of<Message>();
        let before = withoutMarks(make({ ...asking([]), messages: list })).slice(0, -2);
        for (const next of said) {
          for (const message of next) list = list.append(message);
          const body = make({ ...asking([]), messages: list });
          expect(() => JSON.parse(body)).not.toThrow();
          expect(marks(body)).toBeLessThanOrEqual(3);
          const bare = withoutMarks(body);
          expect(bare.startsWith(before)).toBe(true);
          before = bare.slice(0, bare.endsWith(']}]}') ? -4 : -2);
        }
        expect(make({ ...asking([]), messages: list })).toBe(builder()(asking([...list])));
      }),
      { numRuns: 100 },
    );
  });

  it('marks again where the request before ended, so that a long step is still found in the cache', () => {
    const calls = Array.from({ length: 12 }, (_, n) => call({ id: `c${n}` }));
    const results = calls.map(({ id }) => result(id));
    const { messages } = build([said('go'), replied({ calls }), { from: 'tools', results }]);
    expect(messages[0].content.at(-1)).toHaveProperty('cache_control');
    expect(messages[2].content.at(-1)).toHaveProperty('cache_control');
    expect(messages[2].content.slice(0, -1).some((block: object) => 'cache_control' in block)).toBe(false);
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
    const make = builder();
    make(asking([message]));
    const once = reads;
    for (let step = 0; step < 5; step++) make(asking([message]));
    expect(reads).toBe(once);
  });
});
