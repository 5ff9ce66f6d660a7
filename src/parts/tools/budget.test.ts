import { expect, test } from 'vitest';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { listTool } from './list.ts';
import { readTool } from './read.ts';
import { createSeenFiles } from './seen.ts';
import { createWorkspace } from './workspace.ts';

const deps = {
  workspace: createWorkspace({ cwd: '/', roots: ['/'] }),
  seen: createSeenFiles(),
  findRipgrep: () => undefined,
};

test('the four tools that look take at most 1,750 bytes of every request', () => {
  const tools = [readTool(deps), listTool(deps), globTool(deps), grepTool(deps)];
  const sent = tools.map(({ spec }) => ({ type: 'function', function: spec }));
  expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThanOrEqual(1750);
  for (const { effect } of tools) expect(effect).toBe('reads');
});
