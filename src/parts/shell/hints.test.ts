import { expect, test } from 'vitest';
import { type Failure, hintFor, unansweredRemark } from './hints.ts';

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
  ['git config NAME VALUE', failure('git config --edit', 'No editor can be opened here: pass the text by an option')],
  ['look like a question', failure('npm init', 'Press ^C at any time to quit.\npackage name: (x) ')],
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
  failure('visudo', 'bash: line 1: visudo: command not found'),
  failure('cat set.ts', 'cat: set.ts: No such file or directory'),
])('a failure that speaks for itself gets no hint: $command', (seen) => {
  expect(hintFor(seen)).toBeUndefined();
});

test.each([
  "rm: remove regular file 'a'? ",
  "cp: overwrite 'b'? ",
  'diff --git a/a b/a\n+x\n(1/1) Stage this hunk [y,n,q,a,d,e,p,P,?]? \n',
  '1) a\n2) b\n#? ',
  'Continue? [y/N] ',
  'Do you want to proceed (yes/no): ',
  'Enter passphrase (empty for no passphrase): ',
])('a question that got no answer is told, though all ended well: %j', (text) => {
  expect(unansweredRemark(text)).toContain('-y');
});

test.each([
  '',
  'done\n',
  'Is it done?\n',
  'Total:',
  'usage: x [a|b]\n',
  'coverage (a,b)',
  'What?\nNothing. ',
  'cp: overwrite?\ndone\n',
])('%j is no question', (text) => {
  expect(unansweredRemark(text)).toBeUndefined();
});
