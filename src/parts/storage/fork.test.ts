import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { describeDamage } from './damage.ts';
import { forkSession } from './fork.ts';
import { openJournal, readJournal } from './journal.ts';
import { journalPath, projectAt } from './project.ts';
import { listSessions } from './sessions.ts';
import {
  messageOfFault,
  opened,
  said,
  temporaryDirectory,
  tickingClock,
  unwrap,
  writeJournal,
} from './testing/samples.ts';

const one = '20261130-174502-0one';
const two = '20261130-174502-0two';
const events: Event[] = [opened(one), said('first'), { type: 'released' }, said('second'), { type: 'released' }];

function source() {
  const project = unwrap(projectAt(temporaryDirectory(), temporaryDirectory()));
  mkdirSync(project.directory, { recursive: true });
  const from = journalPath(project, one);
  writeJournal(from, events);
  return { project, from };
}

describe('forking a session', () => {
  it('copies everything under a new id and leaves the first as it was', async () => {
    const { project, from } = source();
    const before = readFileSync(from);
    const path = unwrap(await forkSession(project, { from, id: two }));
    const journal = unwrap(await openJournal({ path, clock: tickingClock() }));
    expect(journal.past.map(({ event }) => event)).toEqual([
      { ...opened(two), forkOf: { sessionId: one, seq: 5 } },
      ...events.slice(1),
    ]);
    expect(journal.past.map(({ at }) => at)).toEqual([1000, 2000, 3000, 4000, 5000]);
    expect(journal.append(said('third'), 'main')).toMatchObject({ ok: true, value: { seq: 6 } });
    await journal.close();
    expect(readFileSync(from)).toEqual(before);
    expect(unwrap(listSessions(project)).sessions.find(({ id }) => id === two)).toMatchObject({
      forkOf: one,
      turns: 3,
    });
  });

  it('copies up to a record', async () => {
    const { project, from } = source();
    const path = unwrap(await forkSession(project, { from, id: two, upTo: 3 }));
    const { past } = unwrap(await readJournal(path));
    expect(past).toHaveLength(3);
    expect(past[0]?.event).toMatchObject({ forkOf: { sessionId: one, seq: 3 } });
  });

  it('heals gaps and leaves damage behind', async () => {
    const { project, from } = source();
    const lines = readFileSync(from, 'utf8').split('\n');
    lines[1] = 'damaged';
    writeFileSync(from, `${lines.join('\n')}{"torn`);
    const { past, damage } = unwrap(await readJournal(unwrap(await forkSession(project, { from, id: two }))));
    expect(past.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(describeDamage(damage)).toEqual([]);
  });

  it('never writes over a session, and needs an opening record', async () => {
    const { project, from } = source();
    expect(messageOfFault(await forkSession(project, { from, id: one }))).toContain('exists already');
    expect(unwrap(await readJournal(from)).past).toHaveLength(5);
    writeJournal(from, [said('no opening')]);
    expect(messageOfFault(await forkSession(project, { from, id: two }))).toContain('no whole opening record');
    expect(messageOfFault(await forkSession(project, { from: journalPath(project, 'none'), id: two }))).toContain(
      'ENOENT',
    );
    expect(readdirSync(project.directory)).toEqual([`${one}.jsonl`]);
  });
});
