import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { advance, newConversation } from '../../loop/conversation.ts';
import { historyFaults } from '../../loop/history.ts';
import type { Event, Recorded } from '../../protocol/event.ts';
import { makeChecksum } from './checksum.ts';
import { forkSession } from './fork.ts';
import { createJournal, openJournal, readJournal } from './journal.ts';
import { journalPath, projectAt } from './project.ts';
import {
  linesOf,
  messageOfFault,
  opened,
  said,
  startWriter,
  temporaryDirectory,
  tickingClock,
  unwrap,
  writeJournal,
} from './testing/samples.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly trigger: { readonly jsonl?: string };
  readonly expect: { readonly records?: number };
}

const corpus = new URL('../../../test/fixtures/corpus/faults-storage.jsonl', import.meta.url);
const rows: Row[] = readFileSync(corpus, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

function row(id: string): Row {
  const found = rows.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`the corpus has no row ${id}`);
  return found;
}

/** The row's log in our own form: each JSON line becomes the data of a record, a broken line the beginning of one. */
function inOurForm(jsonl: string): Buffer {
  const pieces = jsonl.split('\n').map((line, index) => {
    const isWhole = /^\{.*\}$/s.test(line);
    if (line === '') return Buffer.alloc(0);
    const data = isWhole ? JSON.parse(line) : {};
    const [bytes = Buffer.alloc(0)] = linesOf([{ seq: index + 1, at: 1, agent: 'main', event: noted(data) }]);
    if (isWhole) return rawSeparators(bytes);
    const nuls = Buffer.from(line.slice(line.indexOf('\0')));
    return Buffer.concat([bytes.subarray(0, 50), nuls]);
  });
  return Buffer.concat(pieces);
}

const noted = (data: Record<string, unknown>): Event => ({ type: 'noted', by: 'corpus', kind: 'row', data });

/** As a writer that does not escape U+2028 would have written it. */
function rawSeparators(line: Buffer): Buffer {
  const body = line.toString().slice(18, -1).replaceAll('\\u2028', '\u2028');
  return Buffer.from(`{"sum":"${makeChecksum()(Buffer.from(body))}",${body}\n`);
}

const place = () => ({ path: join(temporaryDirectory(), 's.jsonl'), clock: tickingClock() });

describe('the corpus of storage faults', () => {
  it.each(['G001', 'G002'])('%s: every whole record is read and the next one is not glued', async (id) => {
    const { trigger, expect: expected } = row(id);
    const at = place();
    writeFileSync(at.path, inOurForm(trigger.jsonl ?? ''));
    const journal = unwrap(await openJournal(at));
    expect(journal.past).toHaveLength(expected.records ?? -1);
    unwrap(journal.append(said('next'), 'main'));
    await journal.close();
    expect(unwrap(await readJournal(at.path)).past).toHaveLength((expected.records ?? -1) + 1);
  });

  it.each(['G001', 'G002'])('%s: the same bytes of another program are reported, kept and no obstacle', async (id) => {
    const jsonl = row(id).trigger.jsonl ?? '';
    const at = place();
    writeFileSync(at.path, jsonl);
    const journal = unwrap(await openJournal(at));
    expect(journal.damage.foreignLines).toBe(1);
    unwrap(journal.append(said('next'), 'main'));
    await journal.close();
    expect(unwrap(await readJournal(at.path)).past).toHaveLength(1);
    expect(readFileSync(at.path, 'utf8')).toContain(jsonl.slice(0, jsonl.indexOf('\n') + 1));
  });

  it('G002: no separator but the newline ends a record that is written', async () => {
    const at = place();
    const journal = unwrap(await createJournal(at));
    journal.append(said('a\u2028b\u2029c\r\nd\u0085e'), 'main');
    await journal.close();
    expect(readFileSync(at.path, 'utf8').split(/\r\n|[\n\u2028\u2029]/)).toHaveLength(2);
    expect(unwrap(await readJournal(at.path)).past).toMatchObject([{ event: said('a\u2028b\u2029c\r\nd\u0085e') }]);
  });

  it('G004: the second writer is refused and forks', async () => {
    expect(row('G004').title).toContain('Two writers');
    const project = unwrap(projectAt(temporaryDirectory(), temporaryDirectory()));
    mkdirSync(project.directory, { recursive: true });
    const path = journalPath(project, 'one');
    writeJournal(path, [opened('one')]);
    const writer = startWriter(path, 3);
    await writer.until((line) => line === 'idle');
    expect(messageOfFault(await openJournal({ path, clock: tickingClock() }))).toContain('--fork');
    const fork = unwrap(await forkSession(project, { from: path, id: 'two' }));
    const journal = unwrap(await openJournal({ path: fork, clock: tickingClock() }));
    expect(journal.past).toHaveLength(4);
    unwrap(journal.append(said('mine'), 'main'));
    await journal.close();
    expect(unwrap(await readJournal(path)).past).toHaveLength(4);
  });

  it('G005: two instances in one repository do not meet', async () => {
    expect(row('G005').title).toContain('Two instances');
    const directory = temporaryDirectory();
    const writers = ['one', 'two'].map((id) => startWriter(join(directory, `${id}.jsonl`), 30));
    await Promise.all(writers.map(({ until }) => until((line) => line === 'idle')));
    for (const id of ['one', 'two']) {
      expect(unwrap(await readJournal(join(directory, `${id}.jsonl`))).past).toHaveLength(30);
    }
  });

  it('G014: a session with doubled ids, an orphan result and unreadable arguments opens and folds to a legal history', async () => {
    expect(row('G014').title).toContain('Resume');
    const call = { id: 'call_1', name: 'read', input: '{"path": ', unreadable: 'it ends too early' };
    const reply: Event = { type: 'replied', reply: { from: 'model', text: '', calls: [call, call] } };
    const answer = (callId: string): Event => ({ type: 'answered', result: { callId, ok: true, text: 'done' } });
    const at = place();
    const events = [opened('s'), said('go'), answer('call_9'), reply, answer('call_1'), answer('call_1'), reply];
    writeJournal(at.path, [...events, { type: 'stopped', reason: 'crashed' }]);
    const journal = unwrap(await openJournal(at));
    expect(journal.past).toHaveLength(8);
    const folded = journal.past.reduce(
      (conversation, { event }: Recorded) => advance(conversation, event),
      newConversation({ steps: 10, nudges: 3 }),
    );
    expect(historyFaults(folded.messages)).toEqual([]);
    expect(journal.append(said('on'), 'main').ok).toBe(true);
    await journal.close();
  });

  it('has a test here for every row', () => {
    expect(rows.map(({ id }) => id)).toEqual(['G001', 'G002', 'G004', 'G005', 'G014']);
  });
});
