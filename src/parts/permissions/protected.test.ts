import { expect, test } from 'vitest';
import type { Mode } from '../../protocol/permission.ts';
import { decide } from './decide.ts';
import { protection } from './protected.ts';

/** Calls of edit and write that the corpus of permissions judges by the path alone. */
const asked = [
  '.git/hooks/pre-commit',
  '.git/config',
  '.gitmodules',
  '.gitattributes',
  '.vscode/tasks.json',
  '.vscode/launch.json',
  'proj.code-workspace',
  '.idea/workspace.xml',
  '.cursor/mcp.json',
  '.mcp.json',
  '.claude/settings.json',
  '.claude/hooks/x.sh',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.smew/hooks/x.sh',
  'AGENTS.md',
  '.cursorrules',
  '.husky/pre-commit',
  '.npmrc',
  '.yarnrc.yml',
  '.devcontainer/devcontainer.json',
  '.envrc',
  '.github/workflows/ci.yml',
  '/home/dev/.bashrc',
  '/home/dev/.zshenv',
  '/home/dev/.profile',
  '/home/dev/.ssh/config',
  '/home/dev/.ssh/authorized_keys',
  '/home/dev/.gitconfig',
];
const further = [
  '.git',
  '.GIT/Config',
  '.g\u200cit/config',
  'vendor/lib/.git/hooks/post-checkout',
  '.git/modules/lib/config',
  '.smew/config.yaml',
  'packages/web/.envrc',
  'docs/agents.md',
  'AGENT.md',
  'Claude.md',
  'packages/web/.npmrc',
  '.pnpmfile.cjs',
  '.pre-commit-config.yaml',
  '/home/dev/.config/fish/config.fish',
];
const ordinary = [
  '.gitignore',
  'README.md',
  'docs/.vscode-notes.md',
  'src/git/config',
  'github/workflows/ci.yml',
  '.github/ISSUE_TEMPLATE.md',
  'agents.md.bak',
  'src/agents.ts',
  'package.json',
];

const rules = [
  { text: 'write', tool: 'write' },
  { text: 'edit', tool: 'edit' },
];
const verdictOn = (subject: string, mode: Mode, tool = 'write') =>
  decide({ tool, effect: 'writes', subject }, { mode, rules, sessionAllows: new Set() });

test.each([...asked, ...further])('%j is asked about, whatever rules and accept-edits mode allow', (path) => {
  for (const mode of ['default', 'accept-edits', 'auto'] as const) {
    expect(verdictOn(path, mode), mode).toMatchObject({ verdict: 'ask', by: 'protected' });
    expect(verdictOn(path, mode, 'edit').verdict, mode).toBe('ask');
  }
  expect(verdictOn(path, 'bypass').verdict).toBe('allow');
  expect(verdictOn(path, 'plan').verdict).toBe('deny');
});

test.each(ordinary)('%j is ordinary', (path) => {
  expect(verdictOn(path, 'accept-edits').verdict).toBe('allow');
});

test('to read a protected file, or to name it in a command, is no change of it', () => {
  const policies = {
    mode: 'default' as const,
    rules: [{ text: 'bash', tool: 'bash' }],
    sessionAllows: new Set<string>(),
  };
  expect(decide({ tool: 'read', effect: 'reads', subject: '.git/config' }, policies).verdict).toBe('allow');
  expect(decide({ tool: 'bash', effect: 'executes', subject: '.envrc' }, policies).verdict).toBe('allow');
});

test('a person may allow a protected file for the session', () => {
  const facts = { tool: 'write', effect: 'writes', subject: 'AGENTS.md' } as const;
  const sessionAllows = new Set([JSON.stringify(['write', 'AGENTS.md'])]);
  expect(decide(facts, { mode: 'default', rules, sessionAllows }).verdict).toBe('allow');
});

test('the reason names the file and what it could do', () => {
  expect(verdictOn('sub/.envrc', 'accept-edits').reason).toBe(
    'sub/.envrc is protected (direnv runs it), so a person is asked, whatever rules and accept-edits mode allow',
  );
  expect(protection('a.ts')).toBeUndefined();
});
