import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../base/result.ts';
import { startGuard } from './guard.ts';
import { guardPlaces, makeGuardDirectory, pruneGuardDirectories } from './guard-place.ts';
import { shellSession, within } from './testing/session.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guard-place-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['/nonexistent/tmp', 'relative', '/dev/null'])('commands run where TMPDIR is %s', async (place) => {
  vi.stubEnv('TMPDIR', place);
  expect(guardPlaces(folder)).toEqual([...(place === 'relative' ? [] : [place]), '/tmp', folder]);
  const directory = '/';
  await using session = shellSessionIn(directory);
  expect((await session.run('echo works', { cwd: directory })).text).toBe('works\n');
});

/** The helper makes its own folder, for which the system's must be good. */
function shellSessionIn(ownFolder: string) {
  const broken = process.env['TMPDIR'];
  vi.stubEnv('TMPDIR', '/tmp');
  const session = shellSession({ ownFolder });
  vi.stubEnv('TMPDIR', broken);
  return session;
}

test('a place that fills up is left clean, and the next is tried, at last the own folder', async () => {
  vi.stubEnv('TMPDIR', folder);
  const own = join(folder, 'own');
  const asked: string[] = [];
  const guard = await startGuard(process.env, {
    ownFolder: own,
    furnish: (directory) => {
      asked.push(directory);
      return directory.startsWith(own) ? ok(undefined) : { ok: false, fault: 'ENOSPC: no space left' };
    },
  });
  expect(guard.ok && guard.value.directory.startsWith(`${own}/smew-shell-`)).toBe(true);
  expect(asked).toHaveLength(3);
  expect(await within(3000, () => asked.slice(0, 2).every((directory) => !existsSync(directory)))).toBe(true);
  if (guard.ok) guard.value.close();
  expect(await within(3000, () => readdirSync(own).length === 0)).toBe(true);
});

test('a directory that is cleared away meanwhile is made anew', async () => {
  vi.stubEnv('TMPDIR', folder);
  await using session = shellSession();
  expect((await session.run('echo one')).text).toBe('one\n');
  for (const name of readdirSync(folder).filter((name) => name.startsWith('smew-shell-')))
    rmSync(join(folder, name), { recursive: true });
  expect((await session.run('echo two')).text).toBe('two\n');
});

test('where no place will do, it is said what to do', async () => {
  vi.stubEnv('TMPDIR', folder);
  const guard = await startGuard(process.env, { furnish: () => ({ ok: false, fault: 'ENOSPC: no space left' }) });
  expect(guard).toMatchObject({ ok: false, fault: expect.stringMatching(/ENOSPC.*point TMPDIR to a folder/) });
  expect(await within(3000, () => readdirSync(folder).length === 0)).toBe(true);
});

test('what a killed Smew left is removed once it is old; what lives, is young or is not known stays', () => {
  const made = makeGuardDirectory(folder);
  const mine = made.ok ? made.value : '';
  const space = /-(\d+)-\w+$/.exec(mine)?.[1];
  const gone = 4_194_305; // above the highest process id of Linux
  const names = {
    stale: `smew-shell-${gone}-${space}-aaaaaa`,
    young: `smew-shell-${gone}-${space}-bbbbbb`,
    elsewhere: `smew-shell-${gone}-1${space}-cccccc`,
    other: 'smew-shell-dddddd',
  };
  for (const name of Object.values(names)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'prelude'), '');
    if (name !== names.young) utimesSync(join(folder, name), 1, 1);
  }
  utimesSync(mine, 1, 1);
  pruneGuardDirectories(folder);
  expect(readdirSync(folder).sort()).toEqual(
    [names.young, names.elsewhere, names.other, mine.split('/').at(-1)].sort(),
  );
});
