import { expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { type Fault, FaultKind, fault } from '../../protocol/fault.ts';
import { endingOf, endingOfFault, endingOfSignal } from './exit-code.ts';
import { emptyReport, report } from './report.ts';
import { call, denied, ran, record, replied } from './scripted-session.ts';

const ending = (events: readonly Event[], broken?: Fault) =>
  endingOf(record(events).reduce(report, emptyReport()), broken);

const finished: Event[] = [replied('Done.'), { type: 'released' }];
const deniedBy = (by: string): Event[] => [
  replied('', [call('d', 'bash', { command: 'x' })]),
  ...denied('d', by, 'no'),
];

test('0: the model finished', () => {
  expect(ending(finished)).toEqual({ status: 'finished', exitCode: 0 });
});

test('1: a bug, a policy, a broken journal, or a run without an end', () => {
  const failed = { status: 'failed', exitCode: 1 };
  expect(ending([{ type: 'stopped', reason: 'fault', fault: fault('internal', 'x') }])).toEqual(failed);
  expect(ending([{ type: 'stopped', reason: 'policy', by: 'loops', fault: fault('aborted', 'x') }])).toEqual(failed);
  expect(ending([{ type: 'stopped', reason: 'crashed' }])).toEqual(failed);
  expect(ending(finished, fault('storage', 'disk full'))).toEqual(failed);
  expect(ending([replied('Done.')])).toEqual(failed);
});

test('2: wrong flags, config or input', () => {
  expect(endingOfFault(fault('usage', 'x'))).toEqual({ status: 'usage', exitCode: 2 });
});

test.each(['step limit', 'nudge limit', 'time limit'] as const)('3: stopped at the %s', (reason) => {
  expect(ending([{ type: 'stopped', reason }])).toEqual({ status: 'limit', exitCode: 3 });
});

test('4: the last step was a denial that nobody could answer', () => {
  expect(ending([...deniedBy('nobody'), ...finished])).toEqual({ status: 'denied', exitCode: 4 });
});

test('4 also where another call of that step was allowed', () => {
  const both = [
    replied('', [call('d', 'bash', { command: 'x' }), call('r', 'read', { path: 'y' })]),
    ...denied('d', 'nobody', 'no'),
    ...ran('r', { ok: true, text: '' }),
  ];
  expect(ending([...both, ...finished])).toMatchObject({ exitCode: 4 });
});

test('not 4 where the model found another way, or a person or a rule said no', () => {
  const another = [replied('', [call('r', 'read', { path: 'y' })]), ...ran('r', { ok: true, text: '' })];
  expect(ending([...deniedBy('nobody'), ...another, ...finished])).toMatchObject({ exitCode: 0 });
  expect(ending([...deniedBy('user'), ...finished])).toMatchObject({ exitCode: 0 });
  expect(ending([...deniedBy('mode:plan'), ...finished])).toMatchObject({ exitCode: 0 });
});

test('5: every fault of the provider, and no other', () => {
  const others = { aborted: 1, usage: 2, storage: 1, budget: 3, internal: 1 };
  const codes = FaultKind.options.map((kind) => [kind, endingOfFault(fault(kind, 'x')).exitCode]);
  expect(Object.fromEntries(codes)).toEqual({
    ...others,
    ...Object.fromEntries(
      ['unreachable', 'unauthorised', 'quota', 'rate', 'overloaded', 'not found', 'overflow', 'refused']
        .concat(['stalled', 'cut', 'garbled'])
        .map((kind) => [kind, 5]),
    ),
  });
  expect(ending([{ type: 'stopped', reason: 'fault', fault: fault('quota', 'x') }])).toMatchObject({
    status: 'provider',
  });
});

test('130: interrupted', () => {
  expect(ending([{ type: 'stopped', reason: 'interrupted' }])).toEqual({ status: 'interrupted', exitCode: 130 });
  expect(endingOfSignal('SIGINT')).toEqual({ status: 'interrupted', exitCode: 130 });
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGPIPE', 141],
  ['SIGNONE', 143],
])('128 and the number of the signal: %s ends with %i', (by, exitCode) => {
  expect(ending([{ type: 'stopped', reason: 'terminated', by }])).toEqual({ status: 'terminated', exitCode });
});
