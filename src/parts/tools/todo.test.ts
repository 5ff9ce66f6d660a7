import { expect, test } from 'vitest';
import { Shells } from '../shell/shells.ts';
import { bashTool } from './bash.ts';
import { editTool } from './edit.ts';
import { createSeenFiles } from './seen.ts';
import { shellDirectory } from './shell-directory.ts';
import { todoTool } from './todo.ts';
import { createWorkspace } from './workspace.ts';
import { writeTool } from './write.ts';

const io = { callId: 'c1', signal: new AbortController().signal, emit: () => {} };

test('the list is echoed with its state and kept in the result', async () => {
  const items = [
    { text: 'read', status: 'done' },
    { text: 'edit', status: 'active' },
    { text: 'test', status: 'pending' },
  ];
  const prepared = todoTool().prepare({ items });
  expect(prepared.ok && (await prepared.value.run(io))).toEqual({
    ok: true,
    text: '1 of 3 done.\n[x] read\n[>] edit\n[ ] test',
    data: { items },
  });
});

test('an unknown status is refused', () => {
  expect(todoTool().prepare({ items: [{ text: 'x', status: 'doing' }] }).ok).toBe(false);
});

test('what a model is told of edit, write, bash and todo fits its share of the first request', () => {
  const workspace = createWorkspace({ cwd: '/', roots: ['/'] });
  const seen = createSeenFiles();
  const bash = {
    shells: new Shells({ env: {} }),
    directory: shellDirectory({ cwd: '/', roots: ['/'] }),
    ...{ spillDir: '/', defaultTimeoutMs: 120_000, maxTimeoutMs: 600_000, platform: 'linux', hiddenVariables: [] },
  };
  const tools = [editTool({ workspace, seen }), writeTool({ workspace, seen }), bashTool(bash), todoTool()];
  const bytes = tools.map(({ spec }) => Buffer.byteLength(JSON.stringify({ type: 'function', function: spec })));
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(2250);
});
