import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
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
import { findSession } from './find.ts';
import { takeLock } from './lock.ts';
import { journalPath, type Project, projectAt } from './project.ts';
import { newSessionId } from './session-id.ts';
import { allSessions, deleteSession, latestSession, listSessions } from './sessions.ts';
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

const isRoot = process.getuid?.() === 0;

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
const listed = (project: Project) => unwrap(listSessions(project)).sessions;
const idsOf = (project: Project) => listed(project).map(({ id }) => id);

/** An id that ends in `name`, as far as there is room. */
const sid = (name: string) => `20261130-174502-${name.padStart(4, '0').slice(-4)}`;

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
    expect(listed(project)).toEqual([]);
    expect(unwrap(latestSession(project))).toBeUndefined();
  });

  it('shows what each was about, newest first', () => {
    const project = newProject();
    addSession(project, sid('old'), { at: 10 });
    const path = journalPath(project, sid('new'));
    const events: Event[] = [
      opened(sid('new'), project.root),
      said(`fix\n  the   ${'very '.repeat(40)}long bug`),
      said('and hurry'),
      { type: 'stopped', reason: 'interrupted' },
      named('first name'),
      named('bug hunt'),
      said('again'),
    ];
    writeJournal(path, events, 20_000);
    const [newest, oldest] = listed(project);
    expect(newest).toMatchObject({
      id: sid('new'),
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
    expect(oldest).toMatchObject({ id: sid('old'), turns: 1, ending: 'released' });
  });

  it('leaves sub-agents out of turns and endings', () => {
    const project = newProject();
    const path = addSession(project, sid('a'));
    const record = { seq: 4, at: 9000, agent: 'helper', parentCall: 'call_1', event: said('inner task') };
    appendFileSync(path, Buffer.concat(linesOf([record])));
    expect(listed(project)).toMatchObject([{ turns: 1, ending: 'released', lastAt: 9000 }]);
  });

  it('survives damage, foreign lines, empty files and a broken index', () => {
    const project = newProject();
    addSession(project, sid('good'), { at: 10 });
    writeFileSync(journalPath(project, sid('empty')), '');
    writeFileSync(journalPath(project, sid('foreign')), '{"a":1}\nnonsense\n\0\0\0');
    mkdirSync(journalPath(project, sid('directory')));
    writeFileSync(join(project.directory, 'index.json'), '{"version":1,"entries":{"good":5}}');
    expect(new Set(idsOf(project))).toEqual(new Set([sid('good'), sid('foreign')]));
    expect(listed(project).find(({ id }) => id === sid('foreign'))?.lastAt).toBeGreaterThan(1_000_000);
  });

  it('counts a turn whose first word is damaged by its reply, and -c finds it', () => {
    const project = newProject();
    const path = journalPath(project, sid('a'));
    const replied: Event = { type: 'replied', reply: { from: 'model', text: 'Done.', calls: [] } };
    writeJournal(path, [opened(sid('a'), project.root), said('fix it'), replied, { type: 'released' }]);
    writeFileSync(path, readFileSync(path, 'utf8').replace('fix it', 'fix IT'));
    expect(listed(project)).toMatchObject([{ turns: 1, ending: 'released' }]);
    expect(unwrap(latestSession(project))).toMatchObject({ id: sid('a') });
  });

  it('reads a journal with the line ends of another system, and one that lost a line end', () => {
    const project = newProject();
    for (const [id, from, to] of [
      ['crlf', '\n', '\r\n'],
      ['glued', '\n{', '{'],
    ] as const) {
      const path = addSession(project, sid(id), { events: [named('kept')] });
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
      expect(listed(project).find((session) => session.id === sid(id))).toMatchObject({
        turns: 1,
        ending: 'released',
        name: 'kept',
        firstPrompt: `task of ${sid(id)}`,
      });
      expect(unwrap(latestSession(project))?.id).toBe(sid(id));
    }
  });

  it('holds nothing that Smew did not write: other names, links, journals without a byte', () => {
    const project = newProject();
    const path = addSession(project, sid('good'));
    writeFileSync(journalPath(project, 'foo'), readFileSync(path));
    symlinkSync(path, journalPath(project, sid('link')));
    writeFileSync(journalPath(project, sid('full')), '');
    expect(idsOf(project)).toEqual([sid('good')]);
    expect(unwrap(latestSession(project))?.id).toBe(sid('good'));
  });

  it('leaves no draft of its index where that cannot be put in place', () => {
    const project = newProject();
    addSession(project, sid('good'));
    mkdirSync(join(project.directory, 'index.json', 'in the way'), { recursive: true });
    expect(idsOf(project)).toEqual([sid('good')]);
    expect(readdirSync(project.directory).sort()).toEqual([`${sid('good')}.jsonl`, 'index.json']);
  });

  it.skipIf(isRoot && !existsSync('/usr/bin/setpriv'))('tells which journals it may not read, and so does -c', () => {
    const data = temporaryDirectory();
    const project = newProject(data);
    const [path, hidden] = [sid('good'), sid('hid')].map((id, index) => addSession(project, id, { at: index + 1 }));
    chmodSync(hidden ?? '', 0o000);
    if (isRoot) for (const file of [data, project.directory, path ?? '', hidden ?? '']) chownSync(file, 65534, 65534);
    const script = `
      import { allSessions, latestSession, listSessions } from ${JSON.stringify(join(import.meta.dirname, 'sessions.ts'))};
      import { findSession } from ${JSON.stringify(join(import.meta.dirname, 'find.ts'))};
      const project = ${JSON.stringify(project)};
      const found = [listSessions(project), latestSession(project), findSession(project, 'hid'), findSession(project, '0hid')];
      console.log(JSON.stringify([...found, allSessions(project)]));`;
    const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', script];
    const command = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...node] : node;
    const [list, latest, byName, byId, all] = JSON.parse(
      execFileSync(command[0] ?? '', command.slice(1), { encoding: 'utf8' }),
    );
    const message = expect.stringContaining(`${hidden}: permission denied`);
    const listing = { sessions: [{ id: sid('good') }], unread: [{ id: sid('hid'), fault: { message } }] };
    expect(list).toMatchObject({ ok: true, value: listing });
    expect(all).toMatchObject(listing);
    expect(latest).toMatchObject({ ok: false, fault: { message } });
    expect(byName).toMatchObject({ ok: false, fault: { message: expect.stringContaining('No session') } });
    expect(byId).toMatchObject({ ok: false, fault: { message } });
  });

  it('follows a session that grows, shrinks or goes, with its index and without', () => {
    const project = newProject();
    const path = addSession(project, sid('a'));
    expect(listed(project)).toMatchObject([{ turns: 1 }]);
    const more = linesOf(recordsOf([opened(sid('a')), said('x'), { type: 'released' }, said('more'), named('grown')]));
    appendFileSync(path, Buffer.concat(more.slice(3)).subarray(0, -5));
    expect(listed(project)).toMatchObject([{ turns: 2, ending: 'unfinished' }]);
    appendFileSync(path, Buffer.concat(more.slice(3)).subarray(-5));
    const grown = listed(project);
    expect(grown).toMatchObject([{ turns: 2, name: 'grown' }]);
    rmSync(join(project.directory, 'index.json'));
    expect(listed(project)).toEqual(grown);
    addSession(project, sid('a'), { at: 2 });
    expect(listed(project)).toMatchObject([{ turns: 1 }]);
    rmSync(path);
    expect(idsOf(project)).toEqual([]);
    expect(JSON.parse(readFileSync(join(project.directory, 'index.json'), 'utf8')).entries).toEqual({});
  });

  it('can be of all projects', () => {
    const data = temporaryDirectory();
    expect(allSessions({ sessionsDirectory: join(data, 'sessions') })).toEqual({ sessions: [], unread: [] });
    const projects = [newProject(data), newProject(data)];
    for (const [index, project] of projects.entries()) addSession(project, sid(`of${index}`), { at: index + 1 });
    writeFileSync(join(data, 'sessions', 'a-file'), '');
    const { sessions, unread } = allSessions(projects[0] ?? newProject(data));
    expect(sessions.map(({ id }) => id)).toEqual([sid('of1'), sid('of0')]);
    expect(unread).toEqual([]);
  });

  it('of 500 sessions is there at once', () => {
    const project = newProject();
    const turn: Event[] = Array.from({ length: 20 }, (_, index) =>
      index % 2
        ? said(`word ${index}`)
        : { type: 'answered', result: { callId: 'c', ok: true, text: 'x'.repeat(2000) } },
    );
    for (let index = 0; index < 500; index++) addSession(project, sid(`${index}`), { at: index + 1, events: turn });
    // Computing time, not the clock on the wall: other tests run at the same time.
    const timed = (work: () => unknown) => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    expect(idsOf(project)).toHaveLength(500);
    expect(timed(() => listSessions(project))).toBeLessThan(3000);
    expect(timed(() => latestSession(project))).toBeLessThan(1000);
    expect(unwrap(latestSession(project))?.id).toBe(sid('499'));
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
  const found = (project: Project, wanted: string) => unwrap(findSession(project, wanted)).info.id;

  it('takes an id, its beginning, its last part, a name or the beginning of one', () => {
    const project = filled();
    expect(found(project, '20261130-174502-k3f9')).toBe(ids[0]);
    expect(found(project, '20261201')).toBe(ids[2]);
    expect(found(project, 'm2')).toBe(ids[1]);
    expect(found(project, 'work 1')).toBe(ids[1]);
  });

  it('prefers a whole name to the beginning of another', () => {
    const project = filled();
    addSession(project, sid('x'), { at: 9, events: [named('work')] });
    expect(found(project, 'work')).toBe(sid('x'));
  });

  it('prefers a whole id to a name', () => {
    const project = filled();
    addSession(project, sid('b'), { at: 8, events: [named(ids[0] ?? '')] });
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

  it('takes a session whose folder is gone, and says so; afterwards it belongs to where it went on', () => {
    const data = temporaryDirectory();
    const [here, there] = [newProject(data), newProject(data)];
    const path = addSession(there, ids[0] ?? '');
    rmSync(there.root, { recursive: true });
    const { info, notices } = unwrap(findSession(here, 'k3f9'));
    expect(info.path).toBe(path);
    expect(notices).toEqual([`Session ${ids[0]} was last in ${there.root}, which does not exist any more.`]);
    addSession(there, ids[0] ?? '', { events: [opened(ids[0] ?? '', join(here.root, 'src'))] });
    mkdirSync(join(here.root, 'src'));
    expect(unwrap(findSession(here, 'k3f9'))).toMatchObject({ info: { path }, notices: [] });
    expect(messageOfFault(findSession(newProject(data), 'k3f9'))).toContain(`belongs to ${here.root}/src`);
  });

  it('says so where there is none, and takes no path for an id', () => {
    const project = filled();
    for (const wanted of ['nothing', '', ' ', '../../etc/passwd', `../${basename(project.directory)}/${ids[0]}`]) {
      expect(messageOfFault(findSession(project, wanted))).toContain(`No session "${wanted}"`);
    }
  });

  it('takes for the latest the one used last in which something was said', () => {
    const project = filled();
    writeJournal(journalPath(project, sid('silent')), [opened(sid('silent'))], 99_000);
    expect(unwrap(latestSession(project))?.id).toBe(ids[2]);
    utimesSync(journalPath(project, ids[0] ?? ''), 50, 50);
    expect(unwrap(latestSession(project))?.id).toBe(ids[0]);
  });
});

describe('deleting a session', () => {
  it('removes what belongs to it and nothing else', () => {
    const project = newProject();
    const path = addSession(project, sid('a'));
    addSession(project, sid('a2'));
    unwrap(takeLock(path)).release();
    mkdirSync(join(project.directory, `${sid('a')}.spill`));
    writeFileSync(join(project.directory, `${sid('a')}.spill`, 'call_1.txt'), 'long output');
    writeFileSync(join(project.directory, `${sid('a')}.torn-1`), 'torn');
    unwrap(deleteSession(path));
    expect(readdirSync(project.directory)).toEqual([`${sid('a2')}.jsonl`]);
  });

  it('is refused while the session is in use', () => {
    const project = newProject();
    const path = addSession(project, sid('a'));
    const lock = unwrap(takeLock(path));
    expect(messageOfFault(deleteSession(path))).toContain(`Session ${sid('a')} is in use`);
    expect(idsOf(project)).toEqual([sid('a')]);
    lock.release();
  });
});
