import { execFileSync } from 'node:child_process';
import { chown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EnvironmentOptions, gatherEnvironment } from './environment.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'smew-notes-')));
  await mkdir(join(folder, 'home', 'ws', '.git'), { recursive: true });
  await mkdir(join(folder, 'home', 'ws', 'pkg'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, 'home', path);
async function write(path: string, text: string | Uint8Array) {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}
const gather = (more: Partial<EnvironmentOptions> = {}) =>
  gatherEnvironment({
    cwd: at('ws/pkg'),
    workspaceRoot: at('ws'),
    configDir: at('.config/smew'),
    homeDir: at(''),
    isTrusted: true,
    maxNoteBytes: 16_384,
    ...more,
  });
const textsOf = (more: Partial<EnvironmentOptions> = {}) => gather(more).notes.map(({ text }) => text);

describe('project notes', () => {
  test('come from the config folder, the top level and the folders below it, the nearest last', async () => {
    await write('.config/smew/AGENTS.md', 'mine');
    await write('ws/AGENTS.md', 'top');
    await write('ws/pkg/AGENT.md', 'here');
    await write('AGENTS.md', 'above the repository');
    const { notes, notices } = gather();
    expect(notes).toEqual([
      { file: at('.config/smew/AGENTS.md'), text: 'mine' },
      { file: at('ws/AGENTS.md'), text: 'top' },
      { file: 'AGENT.md', text: 'here' },
    ]);
    expect(notices).toEqual([]);
  });

  test('are the first of AGENTS.md, AGENT.md and CLAUDE.md in each folder', async () => {
    await write('ws/CLAUDE.md', 'third');
    expect(textsOf()).toEqual(['third']);
    await write('ws/AGENT.md', 'second');
    expect(textsOf()).toEqual(['second']);
    await write('ws/AGENTS.md', 'first');
    expect(textsOf()).toEqual(['first']);
  });

  test('outside a repository come from the home folder down', async () => {
    await rm(at('ws/.git'), { recursive: true });
    await write('AGENTS.md', 'home');
    await write('ws/AGENTS.md', 'parent');
    await write('ws/pkg/AGENTS.md', 'here');
    await writeFile(join(folder, 'AGENTS.md'), 'above home');
    expect(textsOf({ workspaceRoot: at('ws/pkg') })).toEqual(['home', 'parent', 'here']);
  });

  test("of another user's folder above the workspace are left out", async (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a file away');
    await rm(at('ws/.git'), { recursive: true });
    await write('ws/AGENTS.md', 'planted');
    await chown(at('ws/AGENTS.md'), 4242, 4242);
    const { notes, notices } = gather({ workspaceRoot: at('ws/pkg') });
    expect(notes).toEqual([]);
    expect(notices).toEqual([`${at('ws/AGENTS.md')} was left out: it belongs to another user.`]);
  });

  test.each(['@../AGENTS.md', '# Rules\n\nSee ../AGENTS.md.\n', 'See `../AGENTS.md`'])(
    'that only point to others (%j) are not said twice',
    async (pointer) => {
      await write('ws/AGENTS.md', 'top');
      await write('ws/pkg/CLAUDE.md', pointer);
      expect(textsOf()).toEqual(['top']);
    },
  );

  test('that point to a file which is not loaded otherwise bring that file', async () => {
    await write('ws/AGENTS.md', '@docs/rules.md');
    await write('ws/docs/rules.md', 'the rules');
    expect(gather().notes).toEqual([{ file: at('ws/docs/rules.md'), text: 'the rules' }]);
  });

  test('that point to each other end', async () => {
    await write('ws/AGENTS.md', '@CLAUDE.md');
    await write('ws/CLAUDE.md', '@AGENTS.md');
    expect(textsOf()).toEqual([]);
  });

  test('with the same words or behind a link to the same file are said once', async () => {
    await write('ws/AGENTS.md', 'same');
    await symlink('../AGENTS.md', at('ws/pkg/AGENTS.md'));
    expect(textsOf()).toEqual(['same']);
    await write('.config/smew/AGENTS.md', 'same');
    expect(textsOf()).toEqual(['same']);
  });

  test('that lead outside the workspace, by link or by word, are left out with a notice', async () => {
    await write('secret.md', 'secret');
    await symlink(at('secret.md'), at('ws/AGENTS.md'));
    await write('ws/pkg/AGENTS.md', '@../../secret.md');
    const { notes, notices } = gather();
    expect(notes).toEqual([]);
    expect(notices).toEqual([
      `${at('ws/pkg/AGENTS.md')} was left out: it leads outside the workspace.`,
      `${at('ws/AGENTS.md')} was left out: it leads outside the workspace.`,
    ]);
  });

  test('of the user may be links to wherever the user keeps them', async () => {
    await write('dotfiles/agents.md', 'mine');
    await mkdir(at('.config/smew'), { recursive: true });
    await symlink(at('dotfiles/agents.md'), at('.config/smew/AGENTS.md'));
    expect(textsOf()).toEqual(['mine']);
  });

  test.each<[string, Uint8Array, string]>([
    ['a NUL byte', new Uint8Array([65, 0, 66]), 'it is not a text file'],
    ['bytes that are not UTF-8', new Uint8Array([65, 0xff, 0xfe, 66]), 'it is not a text file in UTF-8'],
  ])('with %s are left out', async (_, bytes, reason) => {
    await write('ws/AGENTS.md', bytes);
    expect(gather()).toMatchObject({ notes: [], notices: [`${at('ws/AGENTS.md')} was left out: ${reason}.`] });
  });

  test('that are a folder or a pipe are left out', async () => {
    await mkdir(at('ws/AGENTS.md'));
    execFileSync('mkfifo', [at('ws/pkg/AGENTS.md')]);
    const { notes, notices } = gather();
    expect(notes).toEqual([]);
    expect(notices).toHaveLength(2);
    expect(notices[0]).toContain('it is not a regular file');
  });

  test('that are empty say nothing', async () => {
    await write('ws/AGENTS.md', ' \n');
    expect(gather()).toMatchObject({ notes: [], notices: [] });
  });
});

describe('the size of all notes together', () => {
  test('is capped: the head is kept up to a line, model and user are told', async () => {
    await write('ws/AGENTS.md', `${'line of text\n'.repeat(100)}`);
    const { notes, notices } = gather({ maxNoteBytes: 30 });
    expect(notes[0]?.text).toBe(
      'line of text\nline of text\n[cut: the file has 1300 bytes; read it where you need the rest]',
    );
    expect(notices).toEqual([`${at('ws/AGENTS.md')} was cut: 25 of 1300 bytes were read (instructions.maxBytes).`]);
  });

  test('is used by the nearest folder first', async () => {
    await write('ws/AGENTS.md', 'far\n'.repeat(10));
    await write('ws/pkg/AGENTS.md', 'near\n'.repeat(5));
    const { notes, notices } = gather({ maxNoteBytes: 28 });
    expect(notes.map(({ text }) => text.split('\n')[0])).toEqual(['far', 'near']);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(at('ws/AGENTS.md'));
  });

  test('never divides a character', async () => {
    await write('ws/AGENTS.md', '\u00e9'.repeat(50));
    expect(gather({ maxNoteBytes: 7 }).notes[0]?.text).toMatch(/^\u00e9{3}\n\[cut/);
  });
});

describe('a folder that is not trusted', () => {
  test('gives no notes and names what was ignored', async () => {
    await write('.config/smew/AGENTS.md', 'mine');
    await write('ws/AGENTS.md', 'top');
    await write('ws/.smew/config.yaml', 'model: a/b');
    const { notes, ignored } = gather({ isTrusted: false });
    expect(notes.map(({ text }) => text)).toEqual(['mine']);
    expect(ignored).toEqual(['AGENTS.md', '.smew/config.yaml']);
  });

  test('that holds nothing of the kind is not named', () => {
    expect(gather({ isTrusted: false }).ignored).toEqual([]);
  });
});

test('branch and first level are gathered, trusted or not', async () => {
  await write('ws/.git/HEAD', 'ref: refs/heads/main\n');
  await write('ws/pkg/a.txt', '');
  expect(gather({ isTrusted: false })).toMatchObject({ branch: 'main', tree: 'a.txt' });
});
