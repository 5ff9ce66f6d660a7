import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Event, Recorded } from '../../../protocol/event.ts';
import { evidence, gatherEvidence, noEvidence } from './evidence.ts';

const record = (events: readonly Event[]): Recorded[] =>
  events.map((event, index) => ({ seq: index + 1, at: index, agent: 'main', event }));

const answered = (data: Record<string, unknown>, ok = true): Event => ({
  type: 'answered',
  result: { callId: 'c', ok, text: '', data },
});
const replied: Event = { type: 'replied', reply: { from: 'model', text: '', calls: [] } };
const check = (command: string, more: object = {}) =>
  answered({ command, checks: [{ command, kind: 'test', status: 0, outcome: 'passed', by: 'status', ...more }] });
const edit = (changes = 1, ok = true) => answered({ path: 'a', changes, added: 1, removed: 0 }, ok);
const shellChange = answered({ command: 'rm a', changesFiles: true });
const look = answered({ path: 'a' });

const standing = (events: readonly Event[]) =>
  evidence(record(events))
    .filter(({ stands }) => stands)
    .map(({ command }) => command);

describe('evidence', () => {
  test('lists every check with its step, and whether it stands after the last change', () => {
    const found = evidence(
      record([replied, check('a'), replied, edit(), check('b', { outcome: 'failed', status: 1 })]),
    );
    expect(found).toMatchObject([
      { command: 'a', step: 1, stands: false },
      { command: 'b', step: 2, stands: true, outcome: 'failed', status: 1 },
    ]);
  });

  test('falls with an edit and with a shell line that changes files, not with a look or a failed edit', () => {
    expect(standing([check('a'), edit()])).toEqual([]);
    expect(standing([check('a'), shellChange])).toEqual([]);
    expect(standing([check('a'), look, edit(0), edit(1, false)])).toEqual(['a']);
  });

  test('stands behind a change of its own line, falls before one', () => {
    const line = (isStale: boolean) =>
      answered({
        changesFiles: true,
        checks: [{ command: 'a', kind: 'test', outcome: 'passed', ...(isStale ? { isStale } : {}) }],
      });
    expect(standing([line(false)])).toEqual(['a']);
    expect(standing([line(true)])).toEqual([]);
    expect(standing([line(false), line(true)])).toEqual([]);
  });

  test('is not impressed by damaged data', () => {
    expect(
      evidence(record([answered({ checks: 'x' }), answered({ checks: [null, 1, {}, { command: 'a' }] })])),
    ).toEqual([]);
  });
});

describe('of any conversation', () => {
  const some = fc.constantFrom<Event>(replied, check('a'), check('b'), edit(), edit(0), shellChange, look);
  const events = fc.array(some, { maxLength: 40 });
  const settings = { seed: 3 };

  test('exactly the checks after the last change stand', () => {
    const changing: readonly Event[] = [shellChange];
    const isChange = (event: Event) =>
      changing.includes(event) || (event.type === 'answered' && event.result.data?.['changes'] === 1);
    fc.assert(
      fc.property(events, (list) => {
        const tail = list.slice(list.findLastIndex(isChange) + 1);
        expect(standing(list)).toEqual(evidence(record(tail)).map(({ command }) => command));
      }),
      settings,
    );
  });

  test('nothing that was found is lost or changed by what follows, but for standing', () => {
    fc.assert(
      fc.property(events, events, (first, more) => {
        const strip = (list: readonly Event[]) => evidence(record(list)).map(({ stands: _, ...rest }) => rest);
        const before = strip(first);
        expect(strip([...first, ...more]).slice(0, before.length)).toEqual(before);
      }),
      settings,
    );
  });

  test('folding leaves the state before as it was', () => {
    fc.assert(
      fc.property(events, some, (list, next) => {
        const state = record(list).reduce(gatherEvidence, noEvidence());
        const [length, changes] = [state.checks.length, state.changes];
        gatherEvidence(state, { seq: 99, at: 0, agent: 'main', event: next });
        expect([state.checks.length, state.changes]).toEqual([length, changes]);
      }),
      settings,
    );
  });
});
