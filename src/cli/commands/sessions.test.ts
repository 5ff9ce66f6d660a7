import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { journalPath, projectAt } from '../../parts/storage/project.ts';
import { opened, said, unwrap, writeJournal } from '../../parts/storage/testing/samples.ts';
import type { Event } from '../../protocol/event.ts';
import { runProgram } from '../program.ts';

const [first, second] = ['20261130-174502-aaaa', '20261130-174503-bbbb'] as const;
const named = (name: string): Event => ({ type: 'noted', by: 'session', kind: 'named', data: { name } });

const raw = { text: 'Done.', calls: [], finish: 'stop' as const, isCut: false };
const answer: readonly Event[] = [
  { type: 'heard', model: 'local/small', raw, requestBytes: 100, totalMs: 10 },
  { type: 'replied', reply: { from: 'model', text: 'Done.', calls: [] } },
];

/** Two folders and a home; sessions on disk, the program in this process. */
function desk() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'smew-cli-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [here, there] = [join(base, 'here'), join(base, 'there')];
  for (const folder of [here, there]) mkdirSync(folder);
  const add = (folder: string, id: string, events: readonly Event[] = []) => {
    const project = unwrap(projectAt(join(base, 'home', 'data'), folder));
    mkdirSync(project.directory, { recursive: true });
    writeJournal(journalPath(project, id), [
      opened(id, folder),
      said('task'),
      ...answer,
      { type: 'released' },
      ...events,
    ]);
  };
  const smew = async (args: readonly string[], out?: Writable) => {
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const clock = { now: () => Date.UTC(2026, 10, 30, 18) };
    const env = { SMEW_HOME: join(base, 'home') };
    const world = { env, home: base, cwd: here, platform: 'linux', version: '0.1.0', clock, random: Math.random };
    const terminal = { in: Readable.from([]), out: out ?? output, err: errors, signals: new EventEmitter() };
    const code = await runProgram(args, { world, terminal });
    return { code, out: String(output.read() ?? ''), err: String(errors.read() ?? '') };
  };
  return { here, there, add, smew };
}

const failing = (code: string) =>
  new Writable({ write: (_, __, done) => done(Object.assign(new Error(`${code}: no`), { code })) });

describe('the list of sessions', () => {
  it('counts one turn as one, and keeps a name on its line', async () => {
    const { here, add, smew } = desk();
    add(here, first, [named('two\nlines')]);
    add(here, second, [said('more'), { type: 'released' }]);
    const lines = (await smew(['sessions', 'list'])).out.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines.find((line) => line.includes(first))).toMatch(/ 1 turn {3}released.* "two lines"$/);
    expect(lines.find((line) => line.includes(second))).toContain(' 2 turns  released');
  });
});

describe('what cannot be written', () => {
  it.each([['sessions'], ['--help'], ['tools', 'list'], ['sessions', 'export', first]])(
    'to standard output fails "smew %s", with the reason',
    async (...args) => {
      const { here, add, smew } = desk();
      add(here, first);
      const { code, err } = await smew(args, failing('ENOSPC'));
      expect(code).toBe(1);
      expect(err).toBe('smew: standard output cannot be written: ENOSPC: no\n');
    },
  );

  it('because the reader left is no failure', async () => {
    const { here, add, smew } = desk();
    add(here, first);
    expect(await smew(['sessions'], failing('EPIPE'))).toMatchObject({ code: 0, err: '' });
  });
});

describe('the name of a session', () => {
  it('stays with the first when it is copied', async () => {
    const { here, add, smew } = desk();
    add(here, first, [named('foo')]);
    const copy = (await smew(['sessions', 'fork', 'foo'])).out.trim();
    expect((await smew(['sessions', 'show', 'foo', '--json'])).out).toContain(first);
    expect(JSON.parse((await smew(['sessions', 'show', copy, '--json'])).out)).not.toHaveProperty('name');
    const other = (await smew(['sessions', 'fork', 'foo', '--name', 'bar'])).out.trim();
    expect(JSON.parse((await smew(['sessions', 'show', 'bar', '--json'])).out)).toMatchObject({ id: other });
  });

  it.each([
    [['sessions', 'fork', second, '--name', 'Foo']],
    [['sessions', 'name', second, 'Foo']],
    [['run', '--name', 'Foo', 'task']],
    [['run', '-r', second, '--name', 'Foo', 'task']],
    [['run', '-r', first, '--fork', '--name', 'Foo', 'task']],
  ])('is refused where another bears it: smew %s', async (args) => {
    const { here, add, smew } = desk();
    add(here, first, [named('foo')]);
    add(here, second);
    const { code, err } = await smew(args);
    expect(code).toBe(2);
    expect(err).toContain(`Session ${first} is named "Foo" already.`);
    expect((await smew(['sessions', 'list'])).out.trimEnd().split('\n')).toHaveLength(2);
  });

  it('can be given again to the session that bears it', async () => {
    const { here, add, smew } = desk();
    add(here, first, [named('foo')]);
    expect((await smew(['sessions', 'name', first, 'Foo'])).code).toBe(0);
  });
});

describe('a session of a folder that is gone', () => {
  it('is shown, exported, copied and replayed from here, with a notice', async () => {
    const { there, add, smew } = desk();
    add(there, first);
    expect((await smew(['sessions', 'show', first])).err).toContain(`Session ${first} belongs to ${there}.`);
    rmSync(there, { recursive: true });
    const notice = `smew: Session ${first} was last in ${there}, which does not exist any more.\n`;
    for (const args of [
      ['sessions', 'show', first],
      ['sessions', 'export', first],
      ['replay', first],
      ['sessions', 'fork', first],
    ]) {
      expect(await smew(args)).toMatchObject({ code: 0, err: notice });
    }
  });
});
