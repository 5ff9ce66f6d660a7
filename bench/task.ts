/** The small task that everything is measured on: a repository with one failing test, and how it is mended. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const prompt = 'The test fails. Fix calc.sh and run sh ./test.sh.';
export const wrongLine = '  echo $(($1 - $2))';
export const rightLine = '  echo $(($1 + $2))';

const files = {
  'calc.sh': `# A tiny library.\nadd() {\n${wrongLine}\n}\n`,
  'test.sh':
    '#!/bin/sh\n. ./calc.sh\nsum=$(add 2 3)\n[ "$sum" = 5 ] && echo "ok: add" && exit 0\necho "not ok: add gave $sum"\nexit 1\n',
  'README.md': '# Sums\n\nAdds numbers. Run `sh ./test.sh`.\n',
  'src/first.js': 'export const first = 1;\n',
  'src/second.js': 'export const second = 2;\n',
} as const;

/** Makes the repository anew in `folder`. */
export function makeRepository(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', ...args], { cwd: folder });
  git('init', '-q', '-b', 'main', '.');
  git('add', '.');
  git('commit', '-q', '-m', 'A failing test');
}

export function isMended(folder: string): boolean {
  const script = 'sh ./test.sh >/dev/null && echo mended || echo broken';
  return execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' }).trim() === 'mended';
}
