import { describe, expect, it } from 'vitest';
import { wireCalls } from './calls.ts';
import { repliesIn } from './chat.ts';
import { startScriptedServer } from './server.ts';
import { type ScriptedCall, turnAfter } from './turn.ts';

const tool = (name: string, properties: object) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties } },
});
const inWords = (calls: readonly ScriptedCall[], tools: readonly object[]) =>
  wireCalls(calls, 0, tools).map(({ name, arguments: text }) => [name, JSON.parse(text)]);
const edit: ScriptedCall = { op: 'edit', path: 'a', old: 'x', new: 'y' };

describe('neutral calls', () => {
  it('take the words of the tools that are offered', () => {
    const tools = [
      tool('read_file', { file_path: {} }),
      tool('edit', { path: {}, edits: { type: 'array', items: { properties: { old: {}, new: {} } } } }),
      tool('run_shell_command', { command: {}, description: {} }),
    ];
    expect(inWords([{ op: 'read', path: 'a' }, edit, { op: 'bash', command: 'ls' }], tools)).toEqual([
      ['read_file', { file_path: 'a' }],
      ['edit', { path: 'a', edits: [{ old: 'x', new: 'y' }] }],
      ['run_shell_command', { command: 'ls' }],
    ]);
    expect(inWords([edit], [tool('replace', { file_path: {}, old_string: {}, new_string: {} })])).toEqual([
      ['replace', { file_path: 'a', old_string: 'x', new_string: 'y' }],
    ]);
  });

  it('keep their own words where no tool fits, and raw calls stay raw', () => {
    expect(inWords([{ op: 'list' }], [])).toEqual([['list', {}]]);
    expect(wireCalls([{ op: 'raw', name: 'x', rawArguments: '{', id: 'me' }], 3, [])).toEqual([
      { id: 'me', name: 'x', arguments: '{' },
    ]);
  });
});

describe('the turn that a history asks for', () => {
  const user = { role: 'user', content: 'u' };
  const assistant = (...ids: string[]) => ({ role: 'assistant', tool_calls: ids.map((id) => ({ id })) });
  it.each([
    ['an empty one', [], 0],
    ['a first word', [user], 0],
    ['a text reply', [user, { role: 'assistant', content: 'a' }, user], 1],
    ['calls of the second turn, after a compaction', [user, assistant('turn2_1', 'turn2_2')], 2],
    ['an id that was made unique', [user, assistant('turn1_1_2')], 1],
    ['a text after calls', [assistant('turn3_1'), { role: 'assistant' }], 4],
    ['ids of another maker', [assistant('call_9'), assistant('call_10')], 2],
    ['nonsense', 'x', 0],
  ])('%s', (_, messages, turn) => expect(turnAfter(repliesIn(messages))).toBe(turn));
});

describe('the scripted server', () => {
  it('logs every request, and says clearly when the script is over or the address is wrong', async () => {
    const server = await startScriptedServer({ turns: [] });
    const post = (path: string) =>
      fetch(`${server.url}${path}`, { method: 'POST', body: '{"messages":[]}' }).then((answer) => answer.text());
    expect(await post('/chat/completions')).toContain('the script has 0 turns, this request asks for number 1');
    expect(await post('/other')).toContain('no such address');
    expect(server.requests.map(({ path, raw }) => [path, raw.toString()])).toEqual([
      ['/v1/chat/completions', '{"messages":[]}'],
      ['/v1/other', '{"messages":[]}'],
    ]);
    await server.close();
  });
});
