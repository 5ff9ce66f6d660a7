/** Replies of small models through the built program: leaked, mended, announced, damaged, cut, refused. The work gets done. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScriptedTurn } from '../../src/parts/models/scripted/turn.ts';
import { type Scene, scene } from './scene.ts';

const leak =
  '<tool_call>\n<function=edit>\n<parameter=path>\na.txt\n</parameter>\n<parameter=edits>\n[{"old":"one","new":"two"}]\n</parameter>\n</function>\n</tool_call>';
const reply = (message: object, finish = 'stop'): string =>
  JSON.stringify({ choices: [{ message, finish_reason: finish }], usage: { prompt_tokens: 9, completion_tokens: 40 } });
const native = (name: string, text: string) => ({
  content: '',
  tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: text } }],
});
const stream = (...chunks: object[]): string =>
  `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
const once = (bytes: string, more: Partial<ScriptedTurn> = {}): ScriptedTurn => ({
  ...more,
  fault: { kind: 'raw', bytes, times: 1 },
});
const edit: ScriptedTurn = { calls: [{ op: 'edit', path: 'a.txt', old: 'one', new: 'two' }] };

const faults: [string, ScriptedTurn[]][] = [
  ['leaked into the text', [{ text: `I change it.\n${leak}` }]],
  ['leaked into the thinking', [{ reasoning: `Hm.\n${leak}` }]],
  ['announced and then made', [{ text: 'Now I will edit the file.' }, edit]],
  ['after an empty reply', [once(reply({ content: '' }), edit)]],
  ['after thinking alone', [once(reply({ content: '', reasoning_content: 'I should edit.' }), edit)]],
  [
    'with a tool name in another case and a trailing comma',
    [once(reply(native('Edit', '{"path":"a.txt","edits":[{"old":"one","new":"two"},]}'), 'tool_calls'))],
  ],
  [
    'with its list as text and another name for the path',
    [
      once(
        reply(
          native('edit', '{"file_path":"a.txt","edits":"[{\\"old\\":\\"one\\",\\"new\\":\\"two\\"}]"}'),
          'tool_calls',
        ),
      ),
    ],
  ],
  ['cut in the arguments', [once(reply(native('edit', '{"path":"a.txt","edits":[{"old":"on'), 'stop'), edit)]],
  [
    'lost in the stream',
    [
      once(
        stream({
          choices: [
            {
              index: 0,
              delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'edit', arguments: '' } }] },
              finish_reason: 'tool_calls',
            },
          ],
        }),
        edit,
      ),
    ],
  ],
  [
    'behind a 500 that quotes nothing',
    [
      {
        ...edit,
        fault: {
          kind: 'status',
          status: 500,
          body: '{"error":{"message":"Failed to parse tool call arguments as JSON"}}',
          times: 1,
        },
      },
    ],
  ],
  [
    'after a refusal of the stream options',
    [
      {
        ...edit,
        fault: {
          kind: 'status',
          status: 400,
          body: '{"error":{"message":"Unknown parameter: stream_options"}}',
          times: 1,
        },
      },
    ],
  ],
];

const quirksIn = (home: string): string | undefined =>
  readdirSync(home, { recursive: true, encoding: 'utf8' }).find((file) => file.endsWith('quirks.json'));

describe('an edit', () => {
  test.each(faults)('%s is done', (_, turns) =>
    scene(
      [{ calls: [{ op: 'read', path: 'a.txt' }] }, ...turns, { text: 'Changed.' }],
      async ({ dir, run, journal }: Scene) => {
        writeFileSync(join(dir, 'a.txt'), 'one\n');
        const { code, stdout } = await run(['run', 'change one to two in a.txt', '--yolo', '--output-format', 'json']);
        expect({ code, text: readFileSync(join(dir, 'a.txt'), 'utf8') }).toEqual({ code: 0, text: 'two\n' });
        const { result, replies } = JSON.parse(stdout);
        expect(result).toBe('Changed.');
        expect(replies.accepted - replies.wellFormed).toBe(1);
        expect(JSON.stringify(await journal())).toMatch(/"by":"(?:replies|unfinished|models)"/);
      },
    ),
  );
});

test('a damaged stream is remembered for the next session, and the replay knows every step', () =>
  scene(
    [
      once(
        stream({
          choices: [
            {
              index: 0,
              delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'read', arguments: '' } }] },
              finish_reason: 'tool_calls',
            },
          ],
        }),
        { calls: [{ op: 'read', path: 'a.txt' }] },
      ),
      { text: 'Now I will read it again.' },
      { text: 'It says one.' },
    ],
    async ({ dir, home, run, server }) => {
      writeFileSync(join(dir, 'a.txt'), 'one\n');
      expect((await run(['run', 'read a.txt'])).code).toBe(0);
      const file = quirksIn(home);
      expect(readFileSync(join(home, file ?? ''), 'utf8')).toContain('"streams": false');
      const shown = await run([
        'sessions',
        'show',
        (await run(['sessions', 'list', '--json'])).stdout.match(/"id": "([^"]+)"/)?.[1] ?? '',
        '--repairs',
      ]);
      expect(shown.stdout).toMatch(/resampled[\s\S]*nudged[\s\S]*3? ?replies/);
      const id = (await run(['sessions', 'list', '--json'])).stdout.match(/"id": "([^"]+)"/)?.[1] ?? '';
      const replayed = await run(['replay', id, '--json']);
      expect(JSON.parse(replayed.stdout).differences).toEqual([]);
      await run(['run', 'read a.txt']);
      expect(server.requests.at(-1)?.body).not.toHaveProperty('stream');
    },
  ));

test('a model that gives no answer time after time is a failure, and the replay knows it', () =>
  scene(
    Array.from({ length: 14 }, () => ({ text: '', usage: { inputTokens: 9, outputTokens: 3 } })),
    async ({ run, server }) => {
      const { code, stdout, stderr } = await run(['run', 'read a.txt']);
      expect([code, stdout, server.requests.length]).toEqual([5, '', 4]);
      expect(stderr).toContain('gave no answer 4 times in a row');
      const id = (await run(['sessions', 'list', '--json'])).stdout.match(/"id": "([^"]+)"/)?.[1] ?? '';
      expect(JSON.parse((await run(['replay', id, '--json'])).stdout).differences).toEqual([]);
    },
  ));
