/** The Model that the loop sees: a wire whose raw replies are journaled, read, and sampled again where they broke off. */
import { fail, ok, type Result } from '../../base/result.ts';
import type { Clock, Emit, Model, ModelRequest, Wire, WorkIo } from '../../loop/ports.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { Reply } from '../../protocol/message.ts';
import type { RawReply } from '../../protocol/model.ts';
import { callReader } from './calls.ts';
import type { Reading, ReadOptions } from './read.ts';
import { type Shown, shownPlainly, shownThrough } from './shown.ts';
import { notedStep } from './step.ts';
import { unreadReply } from './unread.ts';
import { type Answer, judge, type Verdict } from './verdict.ts';

export interface ReaderOptions {
  readonly clock: Clock;
  /** The wire's name, for what only it can read back. */
  readonly wireName?: string;
  /** How often a reply that broke off is asked for again. */
  readonly resamples?: number;
  /** False once the network has had all its tries: what broke off on the way is then not asked for again. */
  readonly mayAsk?: () => boolean;
  /** Ids of the steps that are switched off: those of `arguments/steps.ts`, `salvage`, `resample`, `whole`. */
  readonly disabled?: ReadonlySet<string>;
  /** Told when a reply came out well in one piece whose stream was damaged. */
  readonly learnWhole?: (model: string) => void;
}

export function replyReader(wire: Wire, options: ReaderOptions): Model {
  const { resamples = 2, disabled = new Set<string>() } = options;
  return async (asked, io) => {
    let request = asked;
    let isServersHabit = false;
    for (let sample = 1; ; sample++) {
      const { verdict, shown } = await ask(wire, { request, io, options });
      if (io.signal.aborted) return fail(fault('aborted', 'The request was called off.'));
      if (sample > resamples || !isForAnother(verdict) || disabled.has(verdict.kind) || isTooOften(verdict, options)) {
        if (isServersHabit && verdict.kind === 'accept') options.learnWhole?.(request.model);
        return concluded(verdict, shown, io);
      }
      tellDropped(verdict, sample, io);
      if (verdict.kind !== 'whole') continue;
      request = { ...asked, isStreamed: false };
      // A line that tore on the way says nothing about the next stream; parts of calls are lost by servers that always do.
      isServersHabit ||= verdict.reading !== undefined;
    }
  };
}

interface Asking {
  readonly request: ModelRequest;
  readonly io: WorkIo;
  readonly options: ReaderOptions;
}

/** One sample: what came of it, and what was shown of it meanwhile. */
async function ask(wire: Wire, { request, io, options }: Asking): Promise<{ verdict: Verdict; shown: Shown }> {
  const { clock, disabled = new Set<string>() } = options;
  const reading = readOptions(request, options);
  const shown = disabled.has('salvage')
    ? shownPlainly(io.emit)
    : shownThrough(io.emit, callReader(request.tools, disabled).nameOf);
  const answer = await hear(wire, { request, io: { ...io, emit: shown.emit }, clock });
  return { verdict: judge(quoted(answer, { request, io, reading }), request, reading), shown };
}

type Another = Extract<Verdict, { kind: 'resample' | 'whole' }>;

const isForAnother = (verdict: Verdict): verdict is Another => verdict.kind === 'resample' || verdict.kind === 'whole';

/** Where nothing of a reply can be used, it was lost on the way; in one piece it is another request. */
const isTooOften = ({ kind, reading }: Another, { mayAsk }: ReaderOptions): boolean =>
  kind === 'resample' && reading === undefined && mayAsk?.() === false;

function tellDropped({ kind, fault: why }: Another, sample: number, io: WorkIo): void {
  const { message: reason } = why;
  io.emit({ type: 'reply.dropped', reason });
  const data = { sample, fault: why.kind, reason, ...(kind === 'whole' ? { as: 'whole' } : {}) };
  io.emit({ type: 'noted', by: 'replies', kind: 'resampled', data });
}

const readOptions = ({ model, tools }: ModelRequest, { wireName = 'chat', disabled }: ReaderOptions): ReadOptions => ({
  wire: wireName,
  model,
  tools,
  ...(disabled ? { disabled } : {}),
});

/** What there is to use, with its steps noted; a fault where there is nothing. */
function concluded(verdict: Verdict, shown: Shown, io: WorkIo): Result<Reply, Fault> {
  const reading: Reading | undefined = 'reading' in verdict ? verdict.reading : undefined;
  const isOpen = reading?.hasOpenLeak === true && reading.reply.calls.length === 0;
  if (!reading || isOpen)
    return fail('fault' in verdict ? verdict.fault : fault('internal', 'A bug in Smew: a verdict without a reply.'));
  for (const step of reading.steps) io.emit(notedStep(step));
  shown.complete(reading.reply.text);
  return ok(reading.reply);
}

/** A refusal that quotes a call is that call, journaled like any other reply. */
function quoted(
  answer: Answer,
  { request, io, reading }: { request: ModelRequest; io: WorkIo; reading: ReadOptions },
): Answer {
  const { result } = answer;
  const said = result.ok ? undefined : result.fault.unread;
  const raw = said === undefined ? undefined : unreadReply(said, reading);
  if (!raw) return answer;
  io.emit({ type: 'heard', model: request.model, raw, requestBytes: 0, totalMs: 0 });
  return { result: ok(raw), hadOutput: false };
}

/** One request; its raw reply, whole or cut, is journaled as `heard`. */
async function hear(
  wire: Wire,
  { request, io, clock }: { request: ModelRequest; io: WorkIo; clock: Clock },
): Promise<Answer> {
  const start = clock.now();
  let requestBytes = 0;
  let firstOutputMs: number | undefined;
  const emit: Emit = (happening) => {
    if (happening.type === 'request.sent') requestBytes = happening.bytes;
    if (happening.type.endsWith('.grew')) firstOutputMs ??= clock.now() - start;
    io.emit(happening);
  };
  const result: Result<RawReply, Fault> = await wire(request, { signal: io.signal, emit });
  if (result.ok) {
    io.emit({
      type: 'heard',
      model: request.model,
      raw: result.value,
      requestBytes,
      ...(firstOutputMs === undefined ? {} : { firstOutputMs }),
      totalMs: clock.now() - start,
    });
  }
  return { result, hadOutput: firstOutputMs !== undefined };
}
