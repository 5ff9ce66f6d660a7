import { expect, test } from 'vitest';
import { needsTerminal } from './interactive.ts';

test.each([
  ['vim src/a.ts', 'edit or write'],
  ['cd src && vi a.ts', 'edit or write'],
  ['sudo nano /etc/hosts', 'edit or write'],
  ['TERM=xterm /usr/bin/emacs a', 'edit or write'],
  ['top', 'top -b -n1'],
  ['htop; echo done', 'ps aux'],
  ["watch -n 1 'ls -l'", 'once'],
  ['if true; then tmux; fi', 'background: true'],
])('%s is not run, with what to do instead', (command, words) => {
  expect(needsTerminal(command)).toContain(words);
  expect(needsTerminal(command)).toContain('terminal: true');
});

test.each([
  'vim --version',
  'vim -es -c "%s/a/b/" -c wq a.txt',
  'emacs --batch -l x.el',
  'top -b -n1 | head',
  'top -bn1',
  'echo :q | vim',
  'vim < keys',
  "echo 'a; vim b'",
  'which vim; git log # vim x',
  "cat > a <<'E'\nvim x\nE",
  'npm run watch',
  './watch',
  'view() { echo; }; view a',
  'tmux ls',
  'watch --help',
  'git commit -m "top; nano"',
  'vimdiff-report a',
  'apt-get install -y vim nano',
  'for top in a b; do echo $top; done',
  'docker run x top',
])('%s runs', (command) => {
  expect(needsTerminal(command)).toBeUndefined();
});
