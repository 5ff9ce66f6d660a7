/** Material for this folder's tests: temporary places, invented events, other processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import type { Result } from '../../../base/result.ts';
import type { Event, Recorded } from '../../../protocol/event.ts';
import { makeLineCodec } from '../line.ts';

/** A directory that goes with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'smew-storage-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Ticks one second at each look. */
export function tickingClock(start = Date.UTC(2026, 10, 30, 17, 45, 2)): { now(): number } {
  let now = start;
  return {
    now: () => {
      now += 1000;
      return now;
    },
  };
}

export function unwrap<T>(result: Result<T, { message: string }>): T {
  if (!result.ok) throw new Error(`expected a value, got the fault: ${result.fault.message}`);
  return result.value;
}

export function messageOfFault(result: Result<unknown, { message: string }>): string {
  if (result.ok) throw new Error('expected a fault, got a value');
  return result.fault.message;
}

export const opened = (sessionId: string, cwd = '/home/ada/project'): Event => ({
  type: 'opened',
  sessionId,
  version: '0.1.0',
  cwd,
  model: 'local/small',
  system: [{ name: 'identity', text: 'You are Smew.' }],
  tools: [{ name: 'read', description: 'Reads a file.', parameters: { type: 'object' } }],
});

export const said = (text: string): Event => ({ type: 'prompted', text });

/** Events as records of `main`, a second apart. */
export const recordsOf = (events: readonly Event[], firstAt = 1_000): Recorded[] =>
  events.map((event, index) => ({ seq: index + 1, at: firstAt + index * 1000, agent: 'main', event }));

export function linesOf(records: readonly Recorded[]): Buffer[] {
  const codec = makeLineCodec();
  return records.map((recorded) => unwrap(codec.encode(recorded)));
}

/** A journal on disk without a journal's cost. */
export function writeJournal(path: string, events: readonly Event[], firstAt?: number): void {
  writeFileSync(path, Buffer.concat(linesOf(recordsOf(events, firstAt))), { mode: 0o600 });
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', 'a\u2028b\u2029c', 'line\nline\r\n', '\u0000', '\ud800', '{"sum":"00000000",', '}}}', '日本'),
);

/** JSON has no -0 and no undefined: what is compared must be what can be written. */
const anyData = fc
  .dictionary(
    fc.string({ maxLength: 8 }).filter((key) => key !== '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 4 },
  )
  .map((data): Record<string, unknown> => JSON.parse(JSON.stringify(data)));

const anyReply = fc.record({
  from: fc.constant('model' as const),
  text: anyText,
  calls: fc.array(fc.record({ id: anyText, name: anyText, input: anyData }), { maxLength: 3 }),
});

const anyRaw = fc.record({
  text: anyText,
  calls: fc.array(fc.record({ id: anyText, name: anyText, arguments: anyText }), { maxLength: 2 }),
  finish: fc.constantFrom('stop' as const, 'calls' as const, 'unknown' as const),
  isCut: fc.boolean(),
});

export const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.constant(opened('s')),
  fc.record({ type: fc.constant('prompted' as const), text: anyText }),
  fc.record({
    type: fc.constant('heard' as const),
    model: anyText,
    raw: anyRaw,
    requestBytes: fc.nat(),
    totalMs: fc.nat(),
  }),
  fc.record({ type: fc.constant('replied' as const), reply: anyReply }),
  fc.record({
    type: fc.constant('decided' as const),
    callId: anyText,
    decision: fc.constantFrom('allow' as const, 'deny' as const),
    by: anyText,
  }),
  fc.record({ type: fc.constant('started' as const), callId: anyText }),
  fc.record({
    type: fc.constant('answered' as const),
    result: fc.record({ callId: anyText, ok: fc.boolean(), text: anyText, data: anyData }),
  }),
  fc.record({ type: fc.constant('nudged' as const), by: anyText, text: anyText }),
  fc.record({
    type: fc.constant('compacted' as const),
    by: anyText,
    cut: fc.nat(),
    messages: fc.array(anyReply, { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant('noted' as const), by: anyText, kind: anyText, data: anyData }),
  fc.constant({ type: 'released' as const }),
  fc.record({
    type: fc.constant('stopped' as const),
    reason: fc.constantFrom('interrupted' as const, 'crashed' as const),
  }),
);

/** Runs of a property: few by default, many in the long form. */
export const runs = (short: number, long: number): { numRuns: number; seed?: number } =>
  process.env['SMEW_TEST_LONG'] ? { numRuns: long } : { numRuns: short, seed: 20261130 };

export interface OtherProcess {
  readonly child: ChildProcess;
  /** Lines that it has printed so far. */
  readonly printed: readonly string[];
  /** Resolves once it printed a line that fits; rejects when it ends before. */
  until(fits: (line: string) => boolean): Promise<string>;
  /** Kills it and waits for its end. */
  kill(): Promise<void>;
}

/** Starts `test/fixtures/processes/journal-writer.ts`. `count` events, or `forever`. */
export function startWriter(path: string, count: number | 'forever'): OtherProcess {
  const script = new URL('../../../../test/fixtures/processes/journal-writer.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, path, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const printed: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    printed.push(...lines);
    child.emit('printed');
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  const until = (fits: (line: string) => boolean) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const line = printed.find(fits);
        if (line !== undefined) resolve(line);
      };
      child.on('printed', look);
      child.once('close', () => reject(new Error(`the process ended after printing ${JSON.stringify(printed)}`)));
      look();
    });
  return { child, printed, until, kill };
}
