import { describe, expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { fault } from '../../protocol/fault.ts';
import { reportFault } from './headless.ts';
import { events, happenings, play, sink } from './play.ts';
import { HeadlessResult } from './result.ts';
import { call, denied, type Happening, ran, record, replied } from './scripted-session.ts';
import { StreamLine } from './stream-line.ts';

/** What the schema knows of a text; a field that it does not name makes the test fail. */
function exactly<T>(schema: { parse(value: unknown): T }, text: string): T {
  const value: unknown = JSON.parse(text);
  const parsed = schema.parse(value);
  expect(parsed).toEqual(value);
  return parsed;
}

describe('text', () => {
  test('has the answer on stdout, and on stderr one line per call, the changes, the proof and the cost', async () => {
    const { exitCode, out, err, prompts } = await play({ happenings });
    expect(prompts).toEqual(['do it']);
    expect(exitCode).toBe(0);
    expect(out).toBe('Mended.\n');
    expect(err).toBe(`✓ read add.js · 100 ms
✓ edit add.js · +3 -1 · 100 ms
✓ bash npm test · exit 0 · 100 ms
Changed: add.js (+3 -1)
Checked: npm test (exit 0, 100 ms)
3 steps · 3,500 tokens in (1,800 cached), 130 out · 1.5 s
Session s-1; to go on: smew run -r s-1 "<what next>"
`);
  });

  test('says that nothing was checked after the last change', async () => {
    const unchecked = JSON.parse(JSON.stringify(events).replaceAll('"checks"', '"others"'));
    expect((await play({ happenings: record(unchecked) })).err).toContain('Not checked: no test, build or linter ran');
  });

  test('tells what became of background shells, before the summary', async () => {
    const { err } = await play({ happenings, shellEnds: { ended: 'shell 1 ended', all: 'shell 2 is stopped' } });
    expect(err).toMatch(/^… shell 1 ended\n✓[\s\S]*\n… shell 2 is stopped\nChanged/);
  });

  test('shows a check that failed as failed', async () => {
    const text = JSON.stringify(events).replace('"status":0,"outcome":"passed"', '"status":1,"outcome":"failed"');
    const { err } = await play({ happenings: record(JSON.parse(text)) });
    expect(err).toContain('Check failed: npm test (exit 1, 100 ms)');
    const masked = text.replace('"status":1,"outcome":"failed"', '"status":"unknown","outcome":"unknown"');
    expect((await play({ happenings: record(JSON.parse(masked)) })).err).toContain(
      'Check without a known outcome: npm test (no exit code, 100 ms)',
    );
  });

  test('tells retries, nudges, denials, notices and todo progress', async () => {
    const items = [
      { text: 'one', status: 'done' },
      { text: 'two', status: 'active' },
    ];
    const { err, exitCode } = await play(
      {
        happenings: [
          { type: 'retry.waited', attempt: 2, delayMs: 2000, reason: 'overloaded' },
          { type: 'reply.dropped', reason: 'It broke off. Try again, or choose another model with -m.' },
          ...record([
            replied('', [call('t', 'todo', { items })]),
            ...ran('t', { ok: true, text: '', data: { items } }),
            { type: 'nudged', by: 'finish-gate', text: 'Run the tests.' },
            replied('', [call('d', 'bash', { command: 'npm publish' })]),
            ...denied('d', 'nobody', 'asks in this mode'),
            replied('I could not publish.'),
            { type: 'released' },
          ]),
        ],
      },
      { notices: ['AGENTS.md was ignored.'] },
    );
    expect(exitCode).toBe(4);
    expect(err).toContain(
      '! AGENTS.md was ignored.\n… retry 2 in 2.0 s: overloaded\n… asking again: It broke off.\n  todo 1/2: two\n',
    );
    expect(err).toContain('… sent on by finish-gate: Run the tests.\n✗ bash npm publish · denied: asks in this mode\n');
    expect(err).toContain('Denied: bash npm publish\nUnfinished: the last step needed a permission');
  });

  test('tells what a shortening left out, and a prompt that the server cuts', async () => {
    const said = { from: 'user', text: 'do it' } as const;
    const result = (text: string) => ({ from: 'tools' as const, results: [{ callId: 'a', ok: true, text }] });
    const shortened = (messages: Extract<Event, { type: 'compacted' }>['messages'], cut: number): Event => ({
      type: 'compacted',
      by: 'compaction',
      cut,
      messages,
    });
    const text = 'box/m: the server reads only the last 2048 tokens.';
    const { err } = await play({
      happenings: record([
        shortened([said, result('[masked: read a, 900 characters; read it again if you need it]')], 2),
        shortened([said, result('[masked: a]'), result('short'), result('[masked: b]')], 4),
        shortened([said, result('head [900 characters left out here] tail')], 2),
        { type: 'noted', by: 'models', kind: 'prompt cut', data: { model: 'box/m', windowTokens: 2048, text } },
        { type: 'released' },
      ]),
    });
    const start = '… context shortened by compaction:';
    expect(err).toContain(
      `${start} 1 old tool result is left out\n${start} 2 old tool results are left out\n` +
        `${start} the newest tool result is cut in its middle\n… ${text}\n`,
    );
  });

  test('never takes half an answer for a whole one', async () => {
    const { out, err, exitCode } = await play({
      happenings: record([{ type: 'stopped', reason: 'interrupted', partial: 'The answer is' }]),
    });
    expect([out, exitCode]).toEqual(['', 130]);
    expect(err).toContain('The model had said:\nThe answer is\nInterrupted.\n');
  });

  test('says at which limit it stopped and how to go on, and what the provider said', async () => {
    const limit = await play({ happenings: record([{ type: 'stopped', reason: 'step limit' }]) });
    expect(limit.err).toContain(
      'Stopped at a limit: step limit. Go on in the same session, or allow more with --max-steps.',
    );
    const refused = fault('unauthorised', 'The key is refused: set OPENAI_API_KEY.');
    const { err, exitCode } = await play({
      happenings: record([{ type: 'stopped', reason: 'fault', fault: refused }]),
    });
    expect([exitCode, err.split('\n')[0]]).toEqual([5, 'Failed: The key is refused: set OPENAI_API_KEY.']);
  });

  test('is silent with quiet, but for failures', async () => {
    expect(await play({ happenings }, { verbosity: 'quiet' })).toMatchObject({ out: 'Mended.\n', err: '' });
    const stopped = record([{ type: 'stopped', reason: 'time limit' }]);
    expect((await play({ happenings: stopped }, { verbosity: 'quiet' })).err).toMatch(
      /^Stopped at a limit: time limit/,
    );
  });

  test('shows what the model says between its calls with verbose only', async () => {
    expect((await play({ happenings }, { verbosity: 'verbose' })).err).toMatch(/^First I look\.\n✓ read/);
  });

  test('names no session that was not kept', async () => {
    expect((await play({ happenings }, { isStored: false })).err).not.toContain('s-1');
  });

  test('colours stderr only where it may, and stdout never', async () => {
    const { out, err } = await play({ happenings }, { hasColour: true });
    expect(err).toContain('\u001b[32mChecked: npm test');
    expect(out).toBe('Mended.\n');
  });

  test('lets no escape sequence of model, tool or file name through', async () => {
    const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m';
    const hostile = JSON.parse(
      JSON.stringify(events, (key, value) =>
        typeof value === 'string' && ['text', 'path', 'command', 'name'].includes(key) ? `${evil}${value}` : value,
      ),
    );
    const script = [
      ...record(hostile),
      { type: 'retry.waited', attempt: 1, delayMs: 1, reason: evil } satisfies Happening,
    ];
    const { out, err } = await play({ happenings: script }, { verbosity: 'verbose', notices: [evil] });
    expect(out).toBe('Mended.\n');
    expect(err).not.toMatch(/[^\P{Cc}\n]/u);
    expect(err).not.toContain('owned');
  });
});

describe('json', () => {
  test('is one object that its schema accepts, and nothing on stderr', async () => {
    const { out, err, exitCode } = await play({ happenings }, { format: 'json', notices: ['note'] });
    expect(err).toBe('');
    expect(out.endsWith('}\n')).toBe(true);
    const result = exactly(HeadlessResult, out);
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({
      status: 'finished',
      exitCode: 0,
      result: 'Mended.',
      partial: null,
      sessionId: 's-1',
      model: 'openai/mock',
      cwd: '/home/me/project',
      steps: 3,
      durationMs: 1500,
      usage: { inputTokens: 3500, outputTokens: 130, cachedTokens: 1800, replies: 3, unmeteredReplies: 0 },
      changedFiles: [{ path: 'add.js', added: 3, removed: 1 }],
      verifiedBy: [{ command: 'npm test', outcome: 'passed', exitCode: 0, durationMs: 100 }],
      denials: [],
      stop: null,
      fault: null,
      notices: ['note'],
    });
    expect(result.actions.map(({ step, tool, outcome }) => [step, tool, outcome])).toEqual([
      [1, 'read', 'ok'],
      [2, 'edit', 'ok'],
      [2, 'bash', 'ok'],
    ]);
  });

  test('lists denials and says why the run stopped', async () => {
    const script = record([
      replied('', [call('d', 'bash', { command: 'x' })]),
      ...denied('d', 'policy:loops', 'again'),
      { type: 'stopped', reason: 'policy', by: 'loops', fault: fault('aborted', 'It went in circles.') },
    ]);
    const { out, exitCode } = await play({ happenings: script }, { format: 'json' });
    expect(exactly(HeadlessResult, out)).toMatchObject({
      status: 'failed',
      exitCode,
      result: null,
      denials: [{ tool: 'bash', subject: 'x', by: 'policy:loops', reason: 'again' }],
      stop: { reason: 'policy', by: 'loops' },
      fault: { kind: 'aborted' },
    });
  });

  test('tells a journal that broke, whatever the model had answered', async () => {
    const broken = fault('storage', 'The disk is full.');
    const { out, exitCode } = await play({ happenings, broken }, { format: 'json' });
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ status: 'failed', result: null, partial: 'Mended.', fault: broken });
  });

  test.each(['json', 'stream-json'] as const)('tells a fault before the session in %s as well', async (format) => {
    const [out, err] = [sink(), sink()];
    const style = { format, verbosity: 'normal', hasColour: false } as const;
    const exitCode = await reportFault(fault('usage', 'no such flag'), style, { out: out.stream, err: err.stream });
    expect(exitCode).toBe(2);
    expect(exactly(HeadlessResult, out.text())).toMatchObject({ status: 'usage', sessionId: null });
    expect(err.text()).toBe('');
  });

  test('tells a fault before the session in text on stderr', async () => {
    const [out, err] = [sink(), sink()];
    const style = { format: 'text', verbosity: 'normal', hasColour: false } as const;
    expect(await reportFault(fault('usage', 'no such flag'), style, { out: out.stream, err: err.stream })).toBe(2);
    expect([out.text(), err.text()]).toEqual(['', 'Failed: no such flag\n']);
  });
});

describe('stream-json', () => {
  test('has an init line, a line per recorded event, chosen live ones, and the result last', async () => {
    const script: Happening[] = [
      { type: 'request.sent', model: 'm', bytes: 1 },
      { type: 'text.grew', delta: 'Men' },
      { type: 'tool.printed', callId: '1', text: 'noise' },
      ...happenings,
    ];
    const { out, err } = await play({ happenings: script }, { format: 'stream-json' });
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => exactly(StreamLine, line));
    expect(err).toBe('');
    expect(lines.map(({ type }) => type)).toEqual(['init', 'live', ...happenings.map(() => 'event'), 'result']);
    expect(lines.flatMap((line) => (line.type === 'event' ? [line.event] : []))).toEqual(events);
  });

  test('is safe for readers of lines and for terminals', async () => {
    const text = 'a\u2028b\u2029c\u0085d\u009b31me\u001b[31m\ud800';
    const { out } = await play(
      { happenings: record([replied(text), { type: 'released' }]) },
      { format: 'stream-json' },
    );
    expect(out).not.toMatch(/[\u2028\u2029\ud800]|[^\P{Cc}\n]/u);
    const last = exactly(StreamLine, out.trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ type: 'result', result: text });
  });
});
