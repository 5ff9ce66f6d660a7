import { expect, test } from 'vitest';
import { type PromptFacts, renderPrompt } from './render.ts';

const facts: PromptFacts = {
  cwd: '/home/somebody/projects/webshop',
  workspaceRoot: '/home/somebody/projects/webshop',
  platform: 'linux',
  date: '2026-01-31',
  branch: 'main',
  tree: 'src/ test/ .gitignore README.md package.json tsconfig.json',
  notes: [],
  mode: 'default',
};
const names = (more: Partial<PromptFacts>) => renderPrompt({ ...facts, ...more }).map(({ name }) => name);
const textOf = (more: Partial<PromptFacts>) =>
  renderPrompt({ ...facts, ...more })
    .map(({ text }) => text)
    .join('\n\n');

test('the prompt of a small repository takes at most 2,150 bytes on the wire', () => {
  expect(Buffer.byteLength(JSON.stringify(textOf({})))).toBeLessThanOrEqual(2150);
});

test('the same facts give the same bytes', () => {
  expect(textOf({})).toBe(textOf({}));
});

test('fragments come in a fixed order, and only those that say something', () => {
  const core = ['identity', 'work', 'constraints', 'environment'];
  expect(names({})).toEqual(core);
  expect(names({ appended: ' \n' })).toEqual(core);
  expect(names({ mode: 'plan', notes: [{ file: 'AGENTS.md', text: 'x' }], appended: 'y' })).toEqual([
    ...core,
    'plan',
    'notes',
    'appended',
  ]);
});

test('directory, platform, date, branch and files can be answered without a tool call', () => {
  const text = textOf({});
  for (const fact of [facts.cwd, 'linux', '2026-01-31', 'Git branch: main', 'src/ test/']) expect(text).toContain(fact);
  expect(textOf({ branch: undefined })).toContain('Git branch: none');
  expect(textOf({})).not.toContain('Workspace:');
  expect(textOf({ workspaceRoot: '/home/somebody' })).toContain('Workspace: /home/somebody\n');
});

test('notes stand with their files, the nearest last', () => {
  const notes = [
    { file: '/home/somebody/.config/smew/AGENTS.md', text: 'Far.' },
    { file: 'AGENTS.md', text: 'Near.' },
  ];
  const text = textOf({ notes });
  expect(text).toContain('[/home/somebody/.config/smew/AGENTS.md]\nFar.\n\n[AGENTS.md]\nNear.');
  expect(text).toContain('a later one outranks an earlier one');
});
