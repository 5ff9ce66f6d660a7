import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { runHeadless } from './headless.ts';
import { happenings, play, runOf } from './play.ts';
import { record, replied, scriptedSession } from './scripted-session.ts';

/** Takes the first `writes` writes; then its reader is gone. */
function closedPipe(writes: number, code = 'EPIPE') {
  let left = writes;
  return new Writable({
    write: (_, __, done) => done(left-- > 0 ? null : Object.assign(new Error('write failed'), { code })),
  });
}

describe('a reader', () => {
  test('that is slow slows the run', async () => {
    const taken: number[] = [];
    let yielded = 0;
    const { session } = scriptedSession({ happenings: [] });
    const counting = async function* () {
      for (const happening of happenings) {
        yielded++;
        yield happening;
      }
      return undefined;
    };
    const slow = new Writable({
      highWaterMark: 1,
      write: (_, __, done) => {
        taken.push(yielded);
        setTimeout(done, 2);
      },
    });
    const wish = { format: 'stream-json', out: slow } as const;
    await runHeadless(runOf({ ...session, prompt: counting }, new EventEmitter(), wish));
    expect(taken.slice(0, happenings.length)).toEqual(happenings.map((_, index) => index));
  });

  // Below the stream's high-water mark a write resolves at once; above it, it waits.
  test.each([1000, 1_000_000])('gets all %i characters before the exit code is there', async (length) => {
    let bytes = 0;
    const slow = new Writable({
      write: (chunk, _, done) => {
        setTimeout(() => {
          bytes += chunk.length;
          done();
        }, 20);
      },
    });
    await play({ happenings: record([replied('y'.repeat(length)), { type: 'released' }]) }, { out: slow });
    expect(bytes).toBe(length + 1);
  });

  test.each(['out', 'err'] as const)('of std%s that goes away stops the session once, with 141', async (which) => {
    const format = which === 'out' ? 'stream-json' : 'text';
    const script = { happenings, isEndless: true };
    const { exitCode, stops } = await play(script, { format, [which]: closedPipe(1) });
    expect(stops).toEqual(['SIGPIPE']);
    expect(exitCode).toBe(141);
  });

  test('that is gone when the answer comes makes the run no success', async () => {
    expect((await play({ happenings }, { out: closedPipe(0) })).exitCode).toBe(141);
  });

  test('whose disk is full is told on stderr, with 1', async () => {
    const { err, exitCode } = await play({ happenings }, { format: 'json', out: closedPipe(0, 'ENOSPC') });
    expect(exitCode).toBe(1);
    expect(err).toContain('standard output cannot be written: write failed');
  });
});

describe('a signal', () => {
  const interrupt = async (signals: readonly NodeJS.Signals[]) => {
    const { session, stops } = scriptedSession({ happenings: happenings.slice(0, 3), isEndless: true });
    const source = new EventEmitter();
    const running = runHeadless(runOf(session, source, {}));
    await new Promise((resolve) => setImmediate(resolve));
    for (const signal of signals) source.emit(signal, signal);
    const exitCode = await running;
    return { exitCode, stops, listeners: source.eventNames() };
  };

  test.each([
    ['SIGINT', 'interrupted', 130],
    ['SIGTERM', 'SIGTERM', 143],
    ['SIGHUP', 'SIGHUP', 129],
  ] as const)('%s stops the session and is let go of at the end', async (signal, stop, exitCode) => {
    expect(await interrupt([signal])).toEqual({ exitCode, stops: [stop], listeners: [] });
  });

  test('that comes twice stops twice, so that what still runs is killed', async () => {
    expect((await interrupt(['SIGINT', 'SIGINT'])).stops).toEqual(['interrupted', 'interrupted']);
  });

  test('is let go of also where the session breaks with a bug', async () => {
    const source = new EventEmitter();
    const { session } = scriptedSession({ happenings });
    const prompt = () => {
      throw new Error('bug');
    };
    await expect(runHeadless(runOf({ ...session, prompt }, source, {}))).rejects.toThrow('bug');
    expect(source.eventNames()).toEqual([]);
  });
});
