/** A server that refuses until it gets what it wants, over the wire of chat completions. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../protocol/message.ts';
import { createHttp } from '../http.ts';
import { adaptingWire } from '../open.ts';
import { asking, ear, endpointAt, said } from '../testing/asking.ts';
import type { QuirkStore } from './memory.ts';
import { memoryQuirks } from './memory.ts';
import { quirkStore } from './store.ts';

type Body = Readonly<Record<string, unknown>>;
interface Refusal {
  when(body: Body): boolean;
  readonly says: string;
  readonly status?: number;
}

const reply = (content: string): string =>
  JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] });

async function picky(refusals: readonly Refusal[], quirks: QuirkStore = memoryQuirks()) {
  const bodies: Body[] = [];
  const server = createServer(async (asked, answer) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of asked) pieces.push(piece);
    const body = JSON.parse(Buffer.concat(pieces).toString()) as Body; // our own request
    bodies.push(body);
    const refusal = refusals.find(({ when }) => when(body));
    answer.writeHead(refusal ? (refusal.status ?? 400) : 200, { 'content-type': 'application/json' });
    answer.end(refusal ? JSON.stringify({ error: { message: refusal.says } }) : reply('well'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP
  const http = createHttp();
  const textTools = {
    toolsAsText: () => ({ name: 'tools', text: 'TOOLS' }),
    callAsText: ({ name }: { name: string }) => `CALL ${name}`,
    resultsAsText: (results: readonly { text: string }[]) => results.map(({ text }) => `RESULT ${text}`).join('\n'),
  };
  const open = () => adaptingWire(endpointAt(`http://127.0.0.1:${port}/v1`), { http, clock: Date, quirks, textTools });
  return {
    wire: open(),
    open,
    bodies,
    async [Symbol.asyncDispose]() {
      http.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const has = (text: string) => (body: Body) => JSON.stringify(body).includes(text);
const settings = { maxOutputTokens: 5000, temperature: 0, effort: 'low' };
const tools = [
  {
    name: 'good',
    description: '',
    parameters: { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { type: 'string' } } },
  },
  { name: 'bad', description: '', parameters: { type: 'object', properties: { b: { type: 'string' } } } },
];
const called: readonly Message[] = [
  said('go'),
  {
    from: 'model',
    text: '',
    calls: [{ id: 'c1', name: 'good', input: { a: 'x' } }],
    native: { wire: 'chat', model: 'local/small/one', content: { reasoning_content: 'signed' } },
  },
  { from: 'tools', results: [{ callId: 'c1', ok: true, text: 'ok' }] },
];
const pictured: readonly Message[] = [
  { from: 'user', text: 'see', images: [{ mediaType: 'image/png', base64: 'QUJD' }] },
];

const cases: [string, Refusal[], Parameters<typeof asking>, string[]][] = [
  [
    'parameters, one after the other',
    [
      { when: has('"max_tokens"'), says: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." },
      { when: has('"temperature"'), says: "Unsupported value: 'temperature' does not support 0 with this model." },
      { when: has('"reasoning_effort"'), says: 'Unknown parameter: reasoning_effort' },
      { when: has('stream_options'), says: 'stream_options: Extra inputs are not permitted' },
    ],
    [[said('x')], settings],
    ['parameter_renamed', 'parameter_dropped', 'parameter_dropped', 'usage_not_asked'],
  ],
  [
    'a cap',
    [{ when: has('5000'), says: 'max_tokens is too large: 5000. This model supports at most 4096 completion tokens.' }],
    [[said('x')], settings],
    ['cap_lowered'],
  ],
  [
    'a schema feature',
    [{ when: has('$ref'), says: 'Invalid schema for function good: $ref is not supported' }],
    [[said('x')], { tools }],
    ['schemas_simplified'],
  ],
  [
    'a tool that no form can save',
    [{ when: has('"bad"'), says: "Invalid schema for function 'bad': must be something else" }],
    [[said('x')], { tools }],
    ['schemas_simplified', 'schemas_flattened', 'tool_dropped'],
  ],
  [
    'tools at all',
    [{ when: has('"tools"'), says: 'small/one does not support tools' }],
    [called, { tools }],
    ['tools_as_text'],
  ],
  [
    'images',
    [{ when: has('image_url'), says: 'This model does not support image input' }],
    [pictured, {}],
    ['image_stripped'],
  ],
  ['a bad image', [{ when: has('image_url'), says: 'Could not process image' }], [pictured, {}], ['image_stripped']],
  [
    'replies without reasoning',
    [
      {
        when: (body) => has('tool_calls')(body) && !has('reasoning_content')(body),
        says: 'Missing `reasoning_content` field in the assistant message',
      },
    ],
    [called.map((one) => (one.from === 'model' ? { ...one, native: undefined } : one)) as Message[], { tools }], // without a field
    ['reasoning_returned'],
  ],
  [
    'signatures',
    [{ when: has('signed'), says: 'messages.1.content.0: Invalid `signature` in `thinking` block' }],
    [called, { tools }],
    ['signatures_stripped'],
  ],
  [
    'a system role',
    [{ when: has('"system"'), says: 'System role not supported', status: 500 }],
    [[said('x')], {}],
    ['system_moved'],
  ],
  [
    'two messages of one role',
    [
      {
        when: (body) => /"role":"user"[^{}]*\},\{"role":"user"/.test(JSON.stringify(body)),
        says: 'Conversation roles must alternate user/assistant/user/assistant/...',
        status: 500,
      },
    ],
    [[said('x'), said('y')], {}],
    ['roles_alternated'],
  ],
  [
    'ids of nine characters',
    [{ when: has('"c1"'), says: 'Tool call id was c1 but must be a-z, A-Z, 0-9, with a length of 9.' }],
    [called, { tools }],
    ['ids_renamed'],
  ],
  [
    'streams',
    [{ when: has('"stream":true'), says: 'Streaming is not supported for this model' }],
    [[said('x')], {}],
    ['stream_dropped'],
  ],
];

describe('a server that refuses', () => {
  it.each(cases)('%s gets the request as it wants it, and is remembered', async (_, refusals, request, changes) => {
    await using server = await picky(refusals);
    const listener = ear();
    expect(await server.wire(asking(...request), listener.io)).toMatchObject({ ok: true, value: { text: 'well' } });
    const adapted = listener.of('noted').filter(({ kind }) => kind === 'adapted');
    expect(adapted.map(({ data }) => data?.['change'])).toEqual(changes);
    const before = server.bodies.length;
    expect(before).toBe(changes.length + 1);
    await server.wire(asking(...request), ear().io);
    expect(server.bodies.length).toBe(before + 1);
  });

  it('for a reason without a repair is asked once', async () => {
    await using server = await picky([{ when: () => true, says: 'Unknown parameter: parallel_tool_calls' }]);
    expect(await server.wire(asking([said('x')], settings), ear().io)).toMatchObject({
      ok: false,
      fault: { kind: 'refused' },
    });
    expect(server.bodies).toHaveLength(1);
  });

  it('whatever is changed gives up, and begins as before the next time', async () => {
    const store = memoryQuirks();
    await using server = await picky([{ when: () => true, says: 'small/one does not support tools' }], store);
    expect(await server.wire(asking([said('x')], { tools }), ear().io)).toMatchObject({ ok: false });
    expect(server.bodies).toHaveLength(2);
    expect(JSON.stringify(server.bodies.at(-1))).toContain('TOOLS');
    await server.wire(asking([said('x')], { tools }), ear().io);
    expect(server.bodies[2]).toEqual(server.bodies[0]);
  });

  it('tools is told of calls and results in text', async () => {
    await using server = await picky([{ when: has('"tools"'), says: 'does not support tools' }]);
    await server.wire(asking(called, { tools }), ear().io);
    expect(server.bodies.at(-1)).toMatchObject({
      messages: [
        { role: 'system' },
        { role: 'user', content: 'go' },
        { role: 'assistant', content: 'CALL good' },
        { role: 'user', content: 'RESULT ok' },
      ],
    });
  });
});

describe('the file of quirks', () => {
  const place = () => {
    const dir = mkdtempSync(join(tmpdir(), 'smew-quirks-'));
    return { path: join(dir, 'cache', 'quirks.json'), [Symbol.dispose]: () => rmSync(dir, { recursive: true }) };
  };

  it('is read by the next session, private, and can be edited', async () => {
    using file = place();
    await using server = await picky(
      [{ when: has('"stream":true'), says: 'Streaming is not supported' }],
      quirkStore(file.path),
    );
    await server.wire(asking(), ear().io);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    const stored = JSON.parse(readFileSync(file.path, 'utf8'));
    const [key] = Object.keys(stored.quirks);
    expect(stored.quirks[key ?? '']).toEqual({ streams: false });
    expect(quirkStore(file.path).of((key ?? '').split(' ')[0] ?? '', 'small/one')).toEqual({ streams: false });
  });

  it.each(['', '{', '[]', '{"quirks":{"http://h m":7}}', '{"quirks":{"http://h m":{"streams":"x"}}}'])(
    'that holds %j counts as empty and is replaced',
    (text) => {
      using file = place();
      const store = quirkStore(file.path);
      store.keep('http://h', 'other', { usage: false });
      writeFileSync(file.path, text);
      const again = quirkStore(file.path);
      expect(again.of('http://h', 'm')).toEqual({});
      again.keep('http://h', 'm', { streams: false });
      expect(quirkStore(file.path).of('http://h', 'm')).toEqual({ streams: false });
    },
  );

  it('holds no password of an address', () => {
    using file = place();
    quirkStore(file.path).keep('http://me:passw0rd@h/v1?key=hidden', 'm', { streams: false });
    expect(readFileSync(file.path, 'utf8')).not.toMatch(/passw0rd|hidden/);
    expect(quirkStore(file.path).of('http://me:another@h/v1', 'm')).toEqual({ streams: false });
  });

  it('that cannot be written costs nothing but the memory', () => {
    const store = quirkStore('/dev/null/none/quirks.json');
    store.keep('http://h', 'm', { streams: false });
    expect(store.of('http://h', 'm')).toEqual({ streams: false });
  });
});
