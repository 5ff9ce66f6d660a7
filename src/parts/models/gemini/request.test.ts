import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { List } from '../../../base/list.ts';
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Message, Reply, ToolCall } from '../../../protocol/message.ts';
import { asking, endpointAt, said } from '../testing/asking.ts';
import { methodUrl } from './address.ts';
import { bodyBuilder } from './request.ts';

const endpointOf = (modelId: string) => ({
  ...endpointAt('http://h/v1beta'),
  wire: 'gemini' as const,
  modelId,
  model: `gemini/${modelId}`,
});
const builderOf = (modelId = 'gemini-2.5-flash') => {
  const pieces = bodyBuilder(endpointOf(modelId));
  return (request: ModelRequest) => Buffer.concat(pieces(request)).toString('utf8');
};
const build = (messages: readonly Message[], more: Partial<ModelRequest> = {}, modelId?: string) =>
  JSON.parse(builderOf(modelId)(asking(messages, more)));
const replied = (reply: Partial<Reply>): Reply => ({ from: 'model', text: '', calls: [], ...reply });
const call = (more: Partial<ToolCall>): ToolCall => ({ id: 'c', name: 'read', input: {}, ...more });
const results = (...results: { callId: string; ok: boolean; text: string }[]): Message => ({ from: 'tools', results });

describe('the request body', () => {
  it('holds prompt, tools, settings and contents in the words of the wire', () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false };
    const tools = [
      { name: 'read', description: 'Read a file.', parameters },
      { name: 'list', description: 'List.', parameters: { type: 'object', properties: {} } },
    ];
    expect(build([said('hi')], { tools, maxOutputTokens: 100, temperature: 0, effort: 'low' })).toEqual({
      systemInstruction: { parts: [{ text: 'You are a test.' }] },
      tools: [
        {
          functionDeclarations: [
            {
              name: 'read',
              description: 'Read a file.',
              parameters: { type: 'object', properties: { path: { type: 'string' } } },
            },
            { name: 'list', description: 'List.' },
          ],
        },
      ],
      generationConfig: {
        maxOutputTokens: 100,
        temperature: 0,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 },
      },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    });
  });

  it('sends images beside the text, and no empty part', () => {
    const images = [{ mediaType: 'image/png', base64: 'AAAA' }];
    const { contents } = build([
      { from: 'user', text: 'see', images },
      { from: 'user', text: '', images },
      replied({}),
    ]);
    const inlineData = { mimeType: 'image/png', data: 'AAAA' };
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'see' }, { inlineData }] },
      { role: 'user', parts: [{ inlineData }] },
    ]);
  });

  it('sends all results of a step as one content, each with the name of its function', () => {
    const { contents } = build([
      said('go'),
      replied({ text: 'looking', calls: [call({ id: 'a', input: { path: 'x' } }), call({ id: 'b', name: 'list' })] }),
      results({ callId: 'b', ok: false, text: '' }, { callId: 'a', ok: true, text: 'one' }),
    ]);
    expect(contents.slice(1)).toEqual([
      {
        role: 'model',
        parts: [
          { text: 'looking' },
          { functionCall: { name: 'read', args: { path: 'x' } } },
          { functionCall: { name: 'list', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'list', response: { error: '(no output)' } } },
          { functionResponse: { name: 'read', response: { output: 'one' } } },
        ],
      },
    ]);
  });

  it('shows arguments that were no object', () => {
    const { contents } = build([replied({ calls: [call({ input: '{"path": "x', unreadable: 'it ends early' })] })]);
    expect(contents[0].parts[0].functionCall.args).toEqual({ unreadable: '{"path": "x' });
  });

  it('sends no half characters, which many a parser refuses', () => {
    expect(builderOf()(asking([said('a\ud83d b')]))).toContain('a\\ufffd b');
  });

  it('begins with the bytes of the request before it, whatever is said next', () => {
    const message = fc.oneof(
      fc.string({ unit: 'grapheme' }).map(said),
      fc.string().map((text) => replied({ text, calls: [call({ id: text, input: { text } })] })),
      fc.string().map((text) => results({ callId: text, ok: true, text })),
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

describe('a reply that goes back to the model that said it', () => {
  const model = 'gemini/gemini-3-flash';
  const parts = [
    { text: 'hm', thought: true },
    { text: 'I ' },
    { text: 'read.', thoughtSignature: 's1' },
    { functionCall: { name: 'read', id: 'srv1' }, thoughtSignature: 's2' },
    { functionCall: { name: 'list' } },
    { text: '', thoughtSignature: 's3' },
  ];
  const native = { wire: 'gemini', model, content: { parts } };
  const calls = [call({ id: 'srv1', input: { path: 'x' } }), call({ id: 'call_7', name: 'list' })];
  const whole = replied({ text: 'I read.', calls, native });
  const contentsOf = (messages: Message[], modelId = 'gemini-3-flash') => build(messages, {}, modelId).contents;

  it('carries each signature on the part where it came, and ids only where the server gave one', () => {
    const answered = results({ callId: 'srv1', ok: true, text: '1' }, { callId: 'call_7', ok: true, text: '2' });
    expect(contentsOf([whole, answered])).toEqual([
      {
        role: 'model',
        parts: [
          ...parts.slice(0, 3),
          { functionCall: { id: 'srv1', name: 'read', args: { path: 'x' } }, thoughtSignature: 's2' },
          { functionCall: { name: 'list', args: {} } },
          parts[5],
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'srv1', name: 'read', response: { output: '1' } } },
          { functionResponse: { name: 'list', response: { output: '2' } } },
        ],
      },
    ]);
  });

  it('keeps signatures of calls that were mended, and takes the text and calls as they are now', () => {
    const mended = replied({
      text: 'I read it.',
      calls: [call({ id: 'x', name: 'read_file', input: { path: 'y' } }), call({ id: 'z', name: 'bash' })],
      native: { ...native, content: { parts: [parts[0], { text: 'I ' }, parts[3]] } },
    });
    expect(contentsOf([mended])[0].parts).toEqual([
      { text: 'hm', thought: true },
      { text: 'I read it.' },
      { functionCall: { id: 'srv1', name: 'read_file', args: { path: 'y' } }, thoughtSignature: 's2' },
      { functionCall: { name: 'bash', args: {} } },
    ]);
  });

  it('sends no call that the reply no longer makes', () => {
    expect(contentsOf([replied({ text: 'I read.', native })])[0].parts).toEqual([...parts.slice(0, 3), parts[5]]);
  });

  it.each([
    ['another model', { ...native, model: 'gemini/gemini-2.5-pro' }],
    ['another wire', { ...native, wire: 'chat' }],
  ])('leaves signatures of %s out, and says so where one is demanded', (_, foreign) => {
    const reply = replied({ text: 'I read.', calls, native: foreign });
    const bare = [
      { name: 'read', args: { path: 'x' } },
      { name: 'list', args: {} },
    ];
    expect(contentsOf([reply])[0].parts).toEqual([
      { text: 'I read.' },
      { functionCall: bare[0], thoughtSignature: 'skip_thought_signature_validator' },
      { functionCall: bare[1] },
    ]);
    expect(contentsOf([reply], 'gemini-2.5-flash')[0].parts).toEqual([
      { text: 'I read.' },
      ...bare.map((functionCall) => ({ functionCall })),
    ]);
  });
});

describe('the address of a call', () => {
  it.each([
    ['http://h/v1beta/models/gemini-x', true, 'http://h/v1beta/models/gemini-x:streamGenerateContent?alt=sse'],
    ['http://h/v1beta/models/gemini-x', false, 'http://h/v1beta/models/gemini-x:generateContent'],
    ['http://h/v1beta/models/models/x:generateContent', false, 'http://h/v1beta/models/x:generateContent'],
    ['http://h/v1/models/x:generateContent?a=b', true, 'http://h/v1/models/x:streamGenerateContent?a=b&alt=sse'],
  ])('%s, streamed: %s', (url, isStreamed, address) => expect(methodUrl(url, isStreamed)).toBe(address));
});
