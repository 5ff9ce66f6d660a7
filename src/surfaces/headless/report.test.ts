import { describe, expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { subjectOf } from './calls.ts';
import { changedFiles, checksAfterChange } from './changes.ts';
import { emptyReport, report } from './report.ts';
import { call, denied, heard, ran, record, replied } from './scripted-session.ts';

const fold = (events: readonly Event[]) => record(events).reduce(report, emptyReport());

const edit = (id: string, path: string, [added, removed]: [number, number]): Event[] => [
  replied('', [call(id, 'edit', { path })]),
  ...ran(id, { ok: true, text: 'done', data: { path, added, removed } }),
];
const bash = (id: string, command: string, exitCode: number): Event[] => [
  replied('', [call(id, 'bash', { command })]),
  ...ran(id, {
    ok: exitCode === 0,
    text: '',
    data: { command, exitCode, durationMs: 5, ...checked(command, exitCode) },
  }),
];
/** What the shell tool tells of a check. */
const checked = (command: string, status: number) =>
  command.startsWith('npm') ? { checks: [{ command, status, outcome: status === 0 ? 'passed' : 'failed' }] } : {};

describe('a report', () => {
  test('adds up usage and says how many replies told none', () => {
    const silent = heard(0, 0);
    if (silent.type === 'heard') delete silent.raw.usage;
    expect(fold([heard(100, 10, 80), heard(200, 20), silent]).usage).toEqual({
      inputTokens: 300,
      outputTokens: 30,
      cachedTokens: 80,
      reasoningTokens: 0,
      replies: 3,
      unmeteredReplies: 1,
    });
  });

  test('lists every call with its outcome and the time from start to answer', () => {
    const calls = [call('a', 'read', { path: 'x' }), call('b', 'bash', { command: 'ls' }), call('c', 'nope', {})];
    const done = fold([
      replied('I look', calls),
      ...ran('a', { ok: true, text: 'text' }),
      ...denied('b', 'nobody', 'ask first'),
      { type: 'answered', result: { callId: 'c', ok: false, text: 'There is no tool "nope".' } },
    ]);
    expect([...done.actions]).toMatchObject([
      { tool: 'read', subject: 'x', outcome: 'ok', durationMs: 100, step: 1 },
      { tool: 'bash', subject: 'ls', outcome: 'denied', denial: { by: 'nobody', reason: 'ask first' } },
      { tool: 'nope', outcome: 'failed', text: 'There is no tool "nope".' },
    ]);
    expect(done.actions.at(2)).not.toHaveProperty('durationMs');
    expect(done.open).toEqual([]);
  });

  test('answers calls that an ending left open', () => {
    const calls = [call('a', 'bash', { command: 'sleep 9' }), call('b', 'read', { path: 'x' })];
    const done = fold([
      replied('', calls),
      { type: 'started', callId: 'a' },
      { type: 'stopped', reason: 'interrupted' },
    ]);
    expect([...done.actions].map(({ outcome }) => outcome)).toEqual(['unknown', 'not run']);
  });

  test('shows a call as it ran where a policy rewrote it', () => {
    const data = { callId: 'a', name: 'bash', input: { command: 'npm test -- --run' } };
    const done = fold([
      replied('', [call('a', 'bash', { command: 'npm test' })]),
      { type: 'noted', by: 'rewriter', kind: 'call rewritten', data },
      ...ran('a', { ok: true, text: '' }),
    ]);
    expect([...done.actions]).toMatchObject([{ tool: 'bash', subject: 'npm test -- --run', outcome: 'ok' }]);
  });

  test('finds a call again to which the conversation gave another id', () => {
    const calls = [
      call('x', 'read', { path: 'one' }),
      call('x', 'read', { path: 'two' }),
      call('', 'read', { path: 'three' }),
    ];
    const events = [
      ...['x_2', 'x_3', 'call_4'].map((callId): Event => ({ type: 'started', callId })),
      ...['x_2', 'x_3', 'call_4'].map(
        (callId): Event => ({ type: 'answered', result: { callId, ok: true, text: callId } }),
      ),
    ];
    const done = fold([replied('', calls), ...events]);
    expect([...done.actions].map(({ subject, text }) => [subject, text])).toEqual([
      ['one', 'x_2'],
      ['two', 'x_3'],
      ['three', 'call_4'],
    ]);
  });

  test('keeps agents apart but counts the tokens and files of all', () => {
    const main = record([
      heard(1, 1),
      replied('', [call('a', 'task', { task: 'sub' })]),
      { type: 'started', callId: 'a' },
    ]);
    const sub = record(
      [heard(10, 10), ...edit('a', 'f', [1, 0]), replied('sub answer'), { type: 'released' }],
      'sub-1',
    );
    const rest = record([{ type: 'answered', result: { callId: 'a', ok: true, text: 'ok' } }, replied('main answer')]);
    const done = [...main, ...sub, ...rest].reduce(report, emptyReport());
    expect(done).toMatchObject({ steps: 2, text: 'main answer', usage: { inputTokens: 11 } });
    expect(done.ending).toBeUndefined();
    expect([...done.actions].map(({ agent, tool }) => `${agent} ${tool}`)).toEqual(['sub-1 edit', 'main task']);
    expect(changedFiles(done.actions)).toEqual([{ path: 'f', added: 1, removed: 0 }]);
  });

  test('folds without changing what was folded before', () => {
    const events = record([...edit('a', 'f', [1, 0]), ...edit('b', 'f', [1, 0])]);
    const half = events.slice(0, 4).reduce(report, emptyReport());
    const whole = events.reduce(report, emptyReport());
    expect(half.actions.length).toBe(1);
    expect(whole.actions.length).toBe(2);
  });
});

describe('what changed and what proves it', () => {
  test('sums the changes of a file; a failed edit, a read and an equal write change nothing', () => {
    const { actions } = fold([
      ...edit('a', 'f', [3, 1]),
      ...edit('b', 'g', [1, 0]),
      ...edit('c', 'f', [2, 2]),
      replied('', [call('d', 'edit', { path: 'h' }), call('e', 'read', { path: 'i' })]),
      ...ran('d', { ok: false, text: 'not found', data: { path: 'h', added: 1, removed: 0 } }),
      ...ran('e', { ok: true, text: '', data: { path: 'i' } }),
      replied('', [call('w', 'write', { path: 'same' })]),
      ...ran('w', { ok: true, text: '', data: { path: 'same', changes: 0, added: 0, removed: 0 } }),
    ]);
    expect(changedFiles(actions)).toEqual([
      { path: 'f', added: 5, removed: 3 },
      { path: 'g', added: 1, removed: 0 },
    ]);
  });

  test('counts only checks that ran after the last change, each with its last exit code', () => {
    const { actions } = fold([
      ...bash('1', 'npm test', 1),
      ...edit('2', 'f', [1, 1]),
      ...bash('3', 'npm run lint', 0),
      ...edit('4', 'f', [1, 1]),
      ...bash('5', 'npm test', 1),
      ...bash('6', 'npm test', 0),
      ...bash('7', 'git diff', 0),
    ]);
    expect(checksAfterChange(actions)).toEqual([
      { command: 'npm test', outcome: 'passed', exitCode: 0, durationMs: 100 },
    ]);
  });

  test('proves nothing where nothing was changed, and a denied check is none', () => {
    expect(checksAfterChange(fold(bash('1', 'npm test', 0)).actions)).toEqual([]);
    const { actions } = fold([
      ...edit('1', 'f', [1, 0]),
      replied('', [call('2', 'bash', { command: 'npm test' })]),
      ...denied('2', 'nobody', 'no'),
    ]);
    expect(checksAfterChange(actions)).toEqual([]);
  });

  test('takes the own status of a check, and drops what a change made stale', () => {
    const line = (data: Record<string, unknown>): Event[] => [
      replied('', [call('l', 'bash', { command: 'line' })]),
      ...ran('l', { ok: true, text: '', data: { command: 'line', exitCode: 0, ...data } }),
    ];
    const masked = { command: 'npm test', status: 'unknown', outcome: 'failed' };
    const of = (...lines: Event[][]) =>
      checksAfterChange(fold([...edit('1', 'f', [1, 0]), ...lines.flat()]).actions).map(({ outcome, exitCode }) => [
        outcome,
        exitCode,
      ]);
    expect(of(line({ checks: [masked] }))).toEqual([['failed', null]]);
    expect(of(line({ checks: [masked] }), line({ changesFiles: true }))).toEqual([]);
    expect(of(line({ changesFiles: true, checks: [{ ...masked, isStale: true }] }))).toEqual([]);
    expect(of(line({ changesFiles: true, checks: [masked] }))).toEqual([['failed', null]]);
    expect(
      of(line({ checks: [{ ...masked, outcome: 'not run' }, 'damaged', null] }), line({ checks: 'damaged' })),
    ).toEqual([]);
  });
});

test('the subject of a call is its command, path or pattern, and nothing else of its input', () => {
  expect(subjectOf({ path: 'src', pattern: '*.ts' })).toBe('src');
  expect(subjectOf({ command: 'ls', timeout: 3 })).toBe('ls');
  expect(subjectOf({ content: 'long text' })).toBe('');
  expect(subjectOf('raw text that is no object')).toBe('');
  expect(subjectOf(null)).toBe('');
});
