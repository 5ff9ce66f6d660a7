/** Rows of the fault corpus about what is sent: histories from broken sessions, in the words of chat completions. */
import { describe, expect, it } from 'vitest';
import { List } from '../src/base/list.ts';
import { advance, conversationOf, newConversation } from '../src/loop/conversation.ts';
import { roomy } from '../src/loop/fakes.ts';
import { bodyBuilder } from '../src/parts/models/chat/request.ts';
import { soundHistory } from '../src/parts/models/history.ts';
import { asking, endpointAt } from '../src/parts/models/testing/asking.ts';
import type { Event, Recorded } from '../src/protocol/event.ts';
import type { Message, Reply } from '../src/protocol/message.ts';

interface Sent {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

const endpoint = endpointAt('http://localhost/v1');
const sentBy = (builder: ReturnType<typeof bodyBuilder>, messages: Iterable<Message>): Sent[] => {
  const body: { messages: Sent[] } = JSON.parse(Buffer.concat([...builder(asking([...messages]))]).toString());
  return body.messages.slice(1);
};
const sent = (messages: Iterable<Message>, more: Partial<typeof endpoint> = {}) =>
  sentBy(bodyBuilder({ ...endpoint, ...more }), messages);

const calls = (...all: Reply['calls']): Reply => ({ from: 'model', text: '', calls: all });
const user = (text: string): Message => ({ from: 'user', text });
const result = (callId: string): Message => ({ from: 'tools', results: [{ callId, ok: true, text: 'r' }] });

/** What every server checks before it answers. */
function expectLegal(messages: readonly Sent[]): void {
  const seen = new Set<string>();
  let open: string[] = [];
  for (const { role, content, tool_calls: made = [], tool_call_id: answers } of messages) {
    if (role === 'tool') {
      expect(open).toContain(answers);
      open = open.filter((id) => id !== answers);
      continue;
    }
    expect(open).toEqual([]);
    if (role === 'assistant') expect(content !== '' || made.length > 0).toBe(true);
    for (const {
      id,
      function: { arguments: text },
    } of made) {
      expect(seen.has(id)).toBe(false);
      seen.add(id);
      const input: unknown = JSON.parse(text);
      expect(typeof input === 'object' && input !== null && !Array.isArray(input)).toBe(true);
    }
    open = made.map(({ id }) => id);
  }
  expect(open).toEqual([]);
}

describe('a history', () => {
  it.each([
    [
      'A006: arguments cut by a marker',
      { id: 'a', name: 'write_file', input: '{"path":"a","content":"aaaa...[truncated]', unreadable: 'cut' },
    ],
    ['A013: a string of a string', { id: 'a', name: 'read', input: '{"filepath":"a.ts"}' }],
    ['arguments that are a list', { id: 'a', name: 'read', input: [1] }],
    ['a name that no server takes', { id: 'a', name: 'assistant<|channel|>x', input: {} }],
    ['half a character and NUL', { id: 'a', name: 'read', input: { path: 'x\ud800\u0000"\\ud800' } }],
  ])('with %s is sent in a legal form', (_, call) => {
    const body = sent([user('u'), calls(call), result('a')]);
    expectLegal(body);
    const text = body[1]?.tool_calls?.[0]?.function.arguments ?? '';
    expect(/(?<!\\)(?:\\\\)*\\u(?:0000|d800)/.test(text)).toBe(false);
  });

  it('A065, G014: one id again and again, results without calls, no results: folds to a legal one', () => {
    const at = (event: Event, seq: number): Recorded => ({ seq, at: 0, agent: 'main', event });
    const same = (): Event => ({
      type: 'replied',
      reply: calls({ id: 'run_shell_command:0', name: 'bash', input: {} }),
    });
    const answer: Event = { type: 'answered', result: { callId: 'run_shell_command:0', ok: true, text: 'r' } };
    const events: Event[] = [
      { type: 'prompted', text: 'go' },
      same(),
      answer,
      { type: 'answered', result: { callId: 't9', ok: true, text: '?' } },
      same(),
    ];
    const folded = conversationOf(events.map(at), roomy);
    const stopped = advance(folded, { type: 'stopped', reason: 'crashed' });
    expectLegal(sent(stopped.messages));
    expect(stopped.messages.length).toBe(5);
    expect(newConversation(roomy).messages.length).toBe(0);
  });

  it('A067: has ids in the vendor own form, counted through', () => {
    const body = sent(
      [
        user('u'),
        calls({ id: 'call_1', name: 'read', input: {} }, { id: 'x', name: 'list', input: {} }),
        {
          from: 'tools',
          results: [
            { callId: 'call_1', ok: true, text: 'r' },
            { callId: 'x', ok: true, text: 's' },
          ],
        },
      ],
      { modelId: 'moonshotai/kimi-k2' },
    );
    expect(body[1]?.tool_calls?.map(({ id }) => id)).toEqual(['functions.read:0', 'functions.list:1']);
    expect(body.slice(2).map((one) => one.tool_call_id)).toEqual(['functions.read:0', 'functions.list:1']);
    expectLegal(body);
    expect(
      sent([user('u'), calls({ id: 'call_1', name: 'read', input: {} }), result('call_1')], { provider: 'mistral' })[1]
        ?.tool_calls?.[0]?.id,
    ).toMatch(/^[a-zA-Z0-9]{9}$/);
  });

  it('E025, E030, E031: results stand behind their calls, orphans go, the last word is not the model own', () => {
    const mixed = soundHistory([
      user('u'),
      calls({ id: 'c1', name: 'read', input: {} }),
      user('hook text'),
      result('c1'),
      result('t9'),
      { from: 'model', text: 'half', calls: [] },
    ]);
    const body = sent(mixed);
    expectLegal(body);
    expect(body.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant', 'user']);
  });

  it('E034: begins with the bytes of the one before it', () => {
    const builder = bodyBuilder(endpoint);
    let messages = List.of<Message>(user('u'));
    let before = '';
    for (let turn = 0; turn < 5; turn++) {
      const [bytes = new Uint8Array()] = builder({ ...asking(), system: [], tools: [], messages });
      const text = Buffer.from(bytes).toString();
      expect(text.startsWith(before)).toBe(true);
      before = text;
      messages = messages.append(calls({ id: `c${turn}`, name: 'read', input: {} })).append(result(`c${turn}`));
    }
  });

  it('B048: holds no prose in the place of a call', () => {
    const text = JSON.stringify(sent([user('u'), calls({ id: 'a', name: 'read_file', input: {} }), result('a')]));
    expect(text).not.toMatch(/\[used|\[Tool|<tool_call>/i);
  });
});
