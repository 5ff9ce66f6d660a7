/** Plays a script through the surface, its streams kept: what the tests of this surface share. */
import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { Event } from '../../protocol/event.ts';
import { type HeadlessRun, runHeadless } from './headless.ts';
import type { OutputFormat, Verbosity } from './printer.ts';
import { call, heard, ran, record, replied, type Script, scriptedSession } from './scripted-session.ts';

/** Keeps what is written. */
export function sink() {
  let text = '';
  const stream = new Writable({
    write: (chunk, _, done) => {
      text += chunk;
      done();
    },
  });
  return { stream, text: () => text };
}

export interface Wish {
  readonly format?: OutputFormat;
  readonly verbosity?: Verbosity;
  readonly hasColour?: boolean;
  readonly isStored?: boolean;
  readonly out?: Writable;
  readonly err?: Writable;
  readonly notices?: readonly string[];
}

export const runOf = (session: HeadlessRun['session'], signals: EventEmitter, wish: Wish): HeadlessRun => ({
  session,
  task: 'do it',
  ...(wish.notices ? { notices: wish.notices } : {}),
  style: {
    format: wish.format ?? 'text',
    verbosity: wish.verbosity ?? 'normal',
    hasColour: wish.hasColour ?? false,
    isStored: wish.isStored ?? true,
  },
  io: { out: wish.out ?? new PassThrough(), err: wish.err ?? new PassThrough(), signals },
});

export async function play(script: Script, wish: Wish = {}) {
  const { session, stops, prompts } = scriptedSession(script);
  const [out, err] = [sink(), sink()];
  const signals = new EventEmitter();
  const exitCode = await runHeadless(runOf(session, signals, { out: out.stream, err: err.stream, ...wish }));
  return { exitCode, out: out.text(), err: err.text(), stops, prompts, signals };
}

/** A run that reads, edits, tests and answers. */
export const events: Event[] = [
  heard(1000, 50, 800),
  replied('First I look.', [call('1', 'read', { path: 'add.js' })]),
  ...ran('1', { ok: true, text: 'code' }),
  heard(1200, 60, 1000),
  replied('', [call('2', 'edit', { path: 'add.js' }), call('3', 'bash', { command: 'npm test' })]),
  ...ran('2', { ok: true, text: 'done', data: { path: 'add.js', added: 3, removed: 1 } }),
  ...ran('3', {
    ok: true,
    text: 'ok',
    data: { command: 'npm test', exitCode: 0, checks: [{ command: 'npm test', status: 0, outcome: 'passed' }] },
  }),
  heard(1300, 20),
  replied('Mended.'),
  { type: 'released' },
];
export const happenings = record(events);
