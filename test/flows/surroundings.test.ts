/** The program where its surroundings are broken: no working directory, nowhere to write. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environment, launcher, temporary } from './program.ts';

/** Runs a line of shell in which `smew` is the program. */
function shell(line: string, home: string) {
  const env = environment({ cwd: home, home });
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', `smew() { "${process.execPath}" "${launcher}" "$@"; }; ${line}`],
    {
      cwd: home,
      env,
      encoding: 'utf8',
    },
  );
  return { code: status, stdout, stderr };
}

const lost = 'mkdir gone && cd gone && rmdir ../gone';

test.each(['--help', '--version', 'version', 'help run'])('in a directory that is gone, smew %s answers', (args) => {
  using home = temporary('smew-home-');
  expect(shell(`${lost} && smew ${args}`, home.path)).toMatchObject({ code: 0, stderr: '' });
});

test.each(['run task', 'sessions list', 'tools list'])('in a directory that is gone, smew %s says so', (args) => {
  using home = temporary('smew-home-');
  const { code, stderr } = shell(`${lost} && smew ${args}`, home.path);
  expect(code).toBe(2);
  expect(stderr).toBe('smew: The directory in which smew was started does not exist any more. Go to one that does.\n');
});

test.skipIf(!existsSync('/dev/full'))('what cannot be written ends with 1 and one line that says why', () => {
  using home = temporary('smew-home-');
  execFileSync('git', ['init', '--quiet'], { cwd: home.path });
  for (const args of ['--version', '--help', 'sessions list', 'tools list']) {
    const { code, stderr } = shell(`smew ${args} > /dev/full`, home.path);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^smew: standard output cannot be written: ENOSPC[^\n]*\n$/);
  }
});

test('a reader that leaves early is no failure', () => {
  using home = temporary('smew-home-');
  for (const args of ['--version', '--help', 'tools list']) {
    expect(shell(`{ smew ${args}; echo $? >&2; } | true`, home.path)).toMatchObject({ code: 0, stderr: '0\n' });
  }
});
