import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { takeLock } from './lock.ts';
import { journalPath, type Project, projectAt } from './project.ts';
import { newSessionId } from './session-id.ts';
import { allSessions, deleteSession, findSession, latestSession, listSessions } from './sessions.ts';
import {
  linesOf,
  messageOfFault,
  opened,
  recordsOf,
  said,
  temporaryDirectory,
  unwrap,
  writeJournal,
} from './testing/samples.ts';

function newProject(data = temporaryDirectory(), folder = temporaryDirectory()): Project {
  const project = unwrap(projectAt(data, folder));
  mkdirSync(project.directory, { recursive: true });
  return project;
}

/** A session with one turn; `at` is the time of its first event in seconds, and of the file. */
function addSession(project: Project, id: string, { at = 1, events = [] as Event[] } = {}): string {
  const path = journalPath(project, id);
  writeJournal(path, [opened(id, project.root), said(`task of ${id}`), { type: 'released' }, ...events], at * 1000);
  utimesSync(path, at, at);
  return path;
}

const named = (name: string): Event => ({ type: 'noted', by: 'session', kind: 'named', data: { name } });
const idsOf = (project: Project) => unwrap(listSessions(project)).map(({ id }) => id);

describe('a project', () => {
  it('is the git top level, found from any folder inside, and through links', () => {
    const data = temporaryDirectory();
    const folder = temporaryDirectory();
    mkdirSync(join(folder, 'src', 'deep'), { recursive: true });
    mkdirSync(join(folder, '.git'));
    symlinkSync(join(folder, 'src'), join(data, 'link'));
    const project = unwrap(projectAt(data, folder));
    expect(unwrap(projectAt(data, join(folder, 'src', 'deep')))).toEqual(project);
    expect(unwrap(projectAt(data, join(data, 'link')))).toEqual(project);
    expect(project.key).toMatch(/^smew-storage-[a-z0-9-]+-[0-9a-f]{8}$/);
  });

  it('is the working tree where .git is a file, and the folder where there is none', () => {
    const data = temporaryDirectory();
    const folder = temporaryDirectory();
    mkdirSync(join(folder, 'tree', 'src'), { recursive: true });
    expect(unwrap(projectAt(data, join(folder, 'tree', 'src'))).root).toBe(join(folder, 'tree', 'src'));
    writeFileSync(join(folder, 'tree', '.git'), 'gitdir: elsewhere\n');
    expect(unwrap(projectAt(data, join(folder, 'tree', 'src'))).root).toBe(join(folder, 'tree'));
  });

  it('has its own key though another folder bears the same name', () => {
    const data = temporaryDirectory();
    const folder = temporaryDirectory();
    const keys = ['a', 'b'].map((parent) => {
      mkdirSync(join(folder, parent, 'Über App'), { recursive: true });
      return unwrap(projectAt(data, join(folder, parent, 'Über App'))).key;
    });
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[0]).toMatch(/^ber-app-/);
  });
});

describe('a session id', () => {
  const clock = { now: () => Date.UTC(2026, 10, 30, 17, 45, 2) };

  it('bears time and chance, and never that of another session', () => {
    const project = newProject();
    const draws = [0, 0, 0, 0, 0, 0, 0, 0.999];
    const source = { clock, random: () => draws.shift() ?? 0.5 };
    const first = newSessionId(project, source);
    expect(first).toBe('20261130-174502-2222');
    addSession(project, first);
    draws.unshift(0, 0, 0, 0);
    expect(newSessionId(project, source)).toBe('20261130-174502-222z');
  });
});

describe('the list of sessions', () => {
  it('is empty where there are none', () => {
    const project = unwrap(projectAt(temporaryDirectory(), temporaryDirectory()));
    expect(unwrap(listSessions(project))).toEqual([]);
    expect(unwrap(latestSession(project))).toBeUndefined();
  });

  it('shows what each was about, newest first', () => {
    const project = newProject();
    addSession(project, 'old', { at: 10 });
    const path = journalPath(project, 'new');
    const events: Event[] = [
      opened('new', project.root),
      said(`fix\n  the   ${'very '.repeat(40)}long bug`),
      said('and hurry'),
      { type: 'stopped', reason: 'interrupted' },
      named('first name'),
      named('bug hunt'),
      said('again'),
    ];
    writeJournal(path, events, 20_000);
    const [newest, oldest] = unwrap(listSessions(project));
    expect(newest).toMatchObject({
      id: 'new',
      path,
      name: 'bug hunt',
      startedAt: 20_000,
      lastAt: 26_000,
      turns: 2,
      model: 'local/small',
      cwd: project.root,
      ending: 'unfinished',
    });
    expect(newest?.firstPrompt).toMatch(/^fix the very very .*\.\.\.$/);
    expect(newest?.firstPrompt?.length).toBeLessThanOrEqual(100);
    expect(newest?.bytes).toBe(readFileSync(path).length);
    expect(oldest).toMatchObject({ id: 'old', turns: 1, ending: 'released' });
  });

  it('leaves sub-agents out of turns and endings', () => {
    const project = newProject();
    const path = addSession(project, 'a');
    const record = { seq: 4, at: 9000, agent: 'helper', parentCall: 'call_1', event: said('inner task') };
    appendFileSync(path, Buffer.concat(linesOf([record])));
    expect(unwrap(listSessions(project))).toMatchObject([{ turns: 1, ending: 'released', lastAt: 9000 }]);
  });

  it('survives damage, foreign lines, empty files and a broken index', () => {
    const project = newProject();
    addSession(project, 'good', { at: 10 });
    writeFileSync(journalPath(project, 'empty'), '');
    writeFileSync(journalPath(project, 'foreign'), '{"a":1}\nnonsense\n\0\0\0');
    mkdirSync(journalPath(project, 'directory'));
    writeFileSync(join(project.directory, 'index.json'), '{"version":1,"entries":{"good":5}}');
    expect(idsOf(project)).toEqual(['good', 'foreign', 'empty']);
  });

  it('counts a turn whose first word is damaged by its reply, and -c finds it', () => {
    const project = newProject();
    const path = journalPath(project, 'a');
    const replied: Event = { type: 'replied', reply: { from: 'model', text: 'Done.', calls: [] } };
    writeJournal(path, [opened('a', project.root), said('fix it'), replied, { type: 'released' }]);
    writeFileSync(path, readFileSync(path, 'utf8').replace('fix it', 'fix IT'));
    expect(unwrap(listSessions(project))).toMatchObject([{ turns: 1, ending: 'released' }]);
    expect(unwrap(latestSession(project))).toMatchObject({ id: 'a' });
  });

  it('reads a journal with the line ends of another system, and one that lost a line end', () => {
    const project = newProject();
    for (const [id, from, to] of [
      ['crlf', '\n', '\r\n'],
      ['glued', '\n{', '{'],
    ] as const) {
      const path = addSession(project, id, { events: [named('kept')] });
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
      expect(unwrap(listSessions(project)).find((session) => session.id === id)).toMatchObject({
        turns: 1,
        ending: 'released',
        name: 'kept',
        firstPrompt: `task of ${id}`,
      });
      expect(unwrap(latestSession(project))?.id).toBe(id);
    }
  });

  it('follows a session that grows, shrinks or goes, with its index and without', () => {
    const project = newProject();
    const path = addSession(project, 'a');
    expect(unwrap(listSessions(project))).toMatchObject([{ turns: 1 }]);
    const more = linesOf(recordsOf([opened('a'), said('x'), { type: 'released' }, said('more'), named('grown')]));
    appendFileSync(path, Buffer.concat(more.slice(3)).subarray(0, -5));
    expect(unwrap(listSessions(project))).toMatchObject([{ turns: 2, ending: 'unfinished' }]);
    appendFileSync(path, Buffer.concat(more.slice(3)).subarray(-5));
    const grown = unwrap(listSessions(project));
    expect(grown).toMatchObject([{ turns: 2, name: 'grown' }]);
    rmSync(join(project.directory, 'index.json'));
    expect(unwrap(listSessions(project))).toEqual(grown);
    addSession(project, 'a', { at: 2 });
    expect(unwrap(listSessions(project))).toMatchObject([{ turns: 1 }]);
    rmSync(path);
    expect(idsOf(project)).toEqual([]);
    expect(JSON.parse(readFileSync(join(project.directory, 'index.json'), 'utf8')).entries).toEqual({});
  });

  it('can be of all projects', () => {
    const data = temporaryDirectory();
    expect(unwrap(allSessions({ sessionsDirectory: join(data, 'sessions') }))).toEqual([]);
    const projects = [newProject(data), newProject(data)];
    for (const [index, project] of projects.entries()) addSession(project, `of-${index}`, { at: index + 1 });
    writeFileSync(join(data, 'sessions', 'a-file'), '');
    expect(unwrap(allSessions(projects[0] ?? newProject(data))).map(({ id }) => id)).toEqual(['of-1', 'of-0']);
  });

  it('of 500 sessions is there at once', () => {
    const project = newProject();
    const turn: Event[] = Array.from({ length: 20 }, (_, index) =>
      index % 2
        ? said(`word ${index}`)
        : { type: 'answered', result: { callId: 'c', ok: true, text: 'x'.repeat(2000) } },
    );
    for (let index = 0; index < 500; index++) addSession(project, `session-${index}`, { at: index + 1, events: turn });
    // Computing time, not the clock on the wall: other tests run at the same time.
    const timed = (work: () => unknown) => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    expect(idsOf(project)).toHaveLength(500);
    expect(timed(() => listSessions(project))).toBeLessThan(300);
    expect(timed(() => latestSession(project))).toBeLessThan(100);
    expect(unwrap(latestSession(project))?.id).toBe('session-499');
  });
});

describe('finding a session', () => {
  const ids = ['20261130-174502-k3f9', '20261130-174502-m2p7', '20261201-080000-k3zz'];
  const filled = () => {
    const project = newProject();
    for (const [index, id] of ids.entries()) {
      addSession(project, id, { at: index + 1, events: [named(`Work ${index}`)] });
    }
    return project;
  };
  const found = (project: Project, wanted: string) => unwrap(findSession(project, wanted)).id;

  it('takes an id, its beginning, its last part, a name or the beginning of one', () => {
    const project = filled();
    expect(found(project, '20261130-174502-k3f9')).toBe(ids[0]);
    expect(found(project, '20261201')).toBe(ids[2]);
    expect(found(project, 'm2')).toBe(ids[1]);
    expect(found(project, 'work 1')).toBe(ids[1]);
  });

  it('prefers a whole name to the beginning of another', () => {
    const project = filled();
    addSession(project, 'x', { at: 9, events: [named('work')] });
    expect(found(project, 'work')).toBe('x');
  });

  it('prefers a whole id to the beginning of another, and to a name', () => {
    const project = filled();
    addSession(project, `${ids[0]}-b`, { at: 8, events: [named(ids[0] ?? '')] });
    expect(found(project, ids[0] ?? '')).toBe(ids[0]);
  });

  it('lists the candidates where there are several', () => {
    const message = messageOfFault(findSession(filled(), 'k3'));
    expect(message).toContain('"k3" fits 2 sessions');
    expect(message).toContain(`${ids[0]}  Work 0`);
    expect(message).toContain(`${ids[2]}  Work 2`);
    expect(message).not.toContain(ids[1]);
  });

  it('tells where a session of another project is', () => {
    const data = temporaryDirectory();
    const [here, there] = [newProject(data), newProject(data)];
    addSession(there, ids[0] ?? '');
    expect(messageOfFault(findSession(here, 'k3f9'))).toBe(
      `Session ${ids[0]} belongs to ${there.root}. Go there, or use -C ${there.root}.`,
    );
  });

  it('says so where there is none, and takes no path for an id', () => {
    const project = filled();
    for (const wanted of ['nothing', '', ' ', '../../etc/passwd', `../${basename(project.directory)}/${ids[0]}`]) {
      expect(messageOfFault(findSession(project, wanted))).toContain(`No session "${wanted}"`);
    }
  });

  it('takes for the latest the one used last in which something was said', () => {
    const project = filled();
    writeJournal(journalPath(project, 'silent'), [opened('silent')], 99_000);
    expect(unwrap(latestSession(project))?.id).toBe(ids[2]);
    utimesSync(journalPath(project, ids[0] ?? ''), 50, 50);
    expect(unwrap(latestSession(project))?.id).toBe(ids[0]);
  });
});

describe('deleting a session', () => {
  it('removes what belongs to it and nothing else', () => {
    const project = newProject();
    const path = addSession(project, 'a');
    addSession(project, 'a2');
    unwrap(takeLock(path)).release();
    mkdirSync(join(project.directory, 'a.spill'));
    writeFileSync(join(project.directory, 'a.spill', 'call_1.txt'), 'long output');
    writeFileSync(join(project.directory, 'a.torn-1'), 'torn');
    unwrap(deleteSession(path));
    expect(readdirSync(project.directory)).toEqual(['a2.jsonl']);
  });

  it('is refused while the session is in use', () => {
    const project = newProject();
    const path = addSession(project, 'a');
    const lock = unwrap(takeLock(path));
    expect(messageOfFault(deleteSession(path))).toContain('Session a is in use');
    expect(idsOf(project)).toEqual(['a']);
    lock.release();
  });
});
