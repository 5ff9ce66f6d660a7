/** One task from start to end without a person: events in, text or JSON out, an exit code at the end. */
import type { Writable } from 'node:stream';
import { messageOf } from '../../base/attempt.ts';
import type { Fault } from '../../protocol/fault.ts';
import type { Image } from '../../protocol/message.ts';
import type { Session } from '../../session/session.ts';
import { endingOfSignal } from './exit-code.ts';
import { jsonPrinter, streamPrinter } from './json.ts';
import { resultOf, resultOfFault } from './make-result.ts';
import { isClosedPipe, type Output, outputTo } from './output.ts';
import type { OutputFormat, Printer, Verbosity } from './printer.ts';
import { emptyReport, report } from './report.ts';
import type { HeadlessResult } from './result.ts';
import { type SignalSource, watchSignals } from './signals.ts';
import { textPrinter } from './text.ts';

export interface HeadlessStyle {
  readonly format: OutputFormat;
  readonly verbosity: Verbosity;
  /** Whether stderr may hold colours: a terminal, and NO_COLOR unset. */
  readonly hasColour: boolean;
  /** Whether the session can be gone on with. */
  readonly isStored: boolean;
}

export interface HeadlessIo {
  readonly out: Writable;
  readonly err: Writable;
  /** `process` in the program. */
  readonly signals: SignalSource;
}

export interface HeadlessRun {
  readonly session: Pick<Session, 'id' | 'model' | 'cwd' | 'notices' | 'prompt' | 'stop'> &
    Partial<Pick<Session, 'spent' | 'past' | 'shellEnds'>>;
  readonly task: string;
  readonly images?: readonly Image[];
  /** Beside the session's own. */
  readonly notices?: readonly string[];
  readonly style: HeadlessStyle;
  readonly io: HeadlessIo;
}

/**
 * Runs the task and returns the exit code when all output is with the operating system. Closing the session is the
 * caller's. After a closed pipe the run is stopped as by SIGPIPE, and the code is 141 unless a signal had ended it.
 */
export async function runHeadless({ session, task, images, notices = [], style, io }: HeadlessRun): Promise<number> {
  const outputs = openOutputs(io, session);
  const printer = printerFor(style, outputs);
  const beginning = {
    sessionId: session.id,
    model: session.model,
    cwd: session.cwd,
    notices: [...session.notices, ...notices],
  };
  const release = watchSignals(io.signals, session);
  try {
    await printer.begin(beginning);
    const happenings = session.prompt(task, images);
    let done = emptyReport();
    let next = await happenings.next();
    while (!next.done) {
      if ('seq' in next.value) done = report(done, next.value);
      await printer.show(next.value, done);
      if ('seq' in next.value) await printer.tell?.(session.shellEnds?.('ended') ?? []);
      next = await happenings.next();
    }
    // A disk that was full from the beginning: there is no session to go on with.
    const sessionId = session.past?.().length === 0 ? null : session.id;
    const result = resultOf(done, { ...beginning, sessionId }, { broken: next.value, spent: session.spent?.() });
    await printer.tell?.(session.shellEnds?.('all') ?? []);
    await printer.end(result);
    return await outputs.finish(result);
  } finally {
    release();
  }
}

/** Tells of a fault that came before there was a session, in the format that was asked for. Returns the exit code. */
export async function reportFault(
  failed: Fault,
  style: Omit<HeadlessStyle, 'isStored'>,
  io: Omit<HeadlessIo, 'signals'>,
): Promise<number> {
  const outputs = openOutputs(io, { stop: () => {} });
  const result = resultOfFault(failed);
  await printerFor({ ...style, verbosity: 'quiet', isStored: false }, outputs).end(result);
  return await outputs.finish(result);
}

interface Outputs {
  readonly out: Output;
  readonly err: Output;
  /** Flushes both; the exit code, which a closed pipe may change. */
  finish(result: HeadlessResult): Promise<number>;
}

function openOutputs({ out, err }: Pick<HeadlessIo, 'out' | 'err'>, session: Pick<Session, 'stop'>): Outputs {
  let hasStopped = false;
  const onFailure = (cause: unknown) => {
    if (hasStopped) return;
    hasStopped = true;
    session.stop(isClosedPipe(cause) ? 'SIGPIPE' : 'fault');
  };
  const outputs = { out: outputTo(out, onFailure), err: outputTo(err, onFailure) };
  return {
    ...outputs,
    finish: async ({ status, exitCode }) => {
      await outputs.out.flush();
      const failure = outputs.out.failure();
      if (failure !== undefined && !isClosedPipe(failure)) {
        await outputs.err.write(`Failed: standard output cannot be written: ${messageOf(failure)}\n`);
      }
      await outputs.err.flush();
      const broken = failure ?? outputs.err.failure();
      if (broken === undefined || status === 'interrupted' || status === 'terminated') return exitCode;
      return isClosedPipe(broken) ? endingOfSignal('SIGPIPE').exitCode : Math.max(exitCode, 1);
    },
  };
}

function printerFor(style: HeadlessStyle, { out, err }: Outputs): Printer {
  switch (style.format) {
    case 'text':
      return textPrinter({ out, err, ...style });
    case 'json':
      return jsonPrinter(out);
    case 'stream-json':
      return streamPrinter(out);
    default:
      return style.format satisfies never;
  }
}
