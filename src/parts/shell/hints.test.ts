import { expect, test } from 'vitest';
import { type Failure, hintFor } from './hints.ts';

const failure = (command: string, text: string, more: Partial<Failure> = {}): Failure => ({
  command,
  text,
  exitCode: 1,
  platform: 'linux',
  shell: '/bin/bash',
  isInputClosed: true,
  ...more,
});

test.each([
  ['PowerShell', failure('Get-ChildItem -Recurse src', 'bash: line 1: Get-ChildItem: command not found')],
  ['PowerShell', failure('$env:CI = "1"', 'bash: line 1: :CI: command not found')],
  ['Windows command prompt', failure('dir /b src', "dir: cannot access '/b': No such file or directory")],
  ['Windows command prompt', failure('type src\\a.ts', 'bash: line 1: type: srca.ts: not found')],
  ['fish', failure('set -gx A 1; and ls', "bash: line 1: syntax error near unexpected token `;'")],
  ['no bash here', failure('[[ -f a ]]', 'sh: 1: [[: not found', { shell: '/bin/sh' })],
  ['sed of macOS', failure("sed -i 's/a/b/' f", 'sed: 1: "f": invalid command code f', { platform: 'darwin' })],
  ['sed of Linux', failure("sed -i '' 's/a/b/' f", "sed: can't read s/a/b/: No such file or directory")],
  ['version 3.2', failure('declare -A a', 'bash: declare: -A: invalid option', { platform: 'darwin' })],
  ['timeout parameter', failure('timeout 5 ls', 'bash: timeout: command not found', { platform: 'darwin' })],
  ['python3', failure('python x.py', 'bash: line 1: python: command not found')],
  ['No password', failure('sudo ls', 'sudo: a terminal is required to read the password')],
  ['commit -m', failure('git commit', 'No editor can be opened here: pass the text by an option, such as -m.')],
  ['credentials', failure('git push', "fatal: could not read Username for 'https://x': terminal prompts disabled")],
  ['wanted input', failure('python3 ask.py', 'Name: EOFError: EOF when reading a line')],
  ['look like a question', failure('./setup', 'Project name: ')],
])('%s is recognised and helped', (words, seen) => {
  expect(hintFor(seen)).toContain(words);
});

test.each([
  failure('npm test', 'FAIL src/a.test.ts\n  expected 1 to be 2\n'),
  failure('grep -n x src', ''),
  failure('ls missing', "ls: cannot access 'missing': No such file or directory\n"),
  failure('./ask', 'Name: ', { isInputClosed: false }),
  failure('cat set.ts', 'cat: set.ts: No such file or directory'),
])('a failure that speaks for itself gets no hint: $command', (seen) => {
  expect(hintFor(seen)).toBeUndefined();
});
