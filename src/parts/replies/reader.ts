/** The Model that the loop sees: a wire whose raw replies are journaled, read, and sampled again where they broke off. */
import { fail, ok, type Result } from '../../base/result.ts';
import type { Clock, Emit, Model, ModelRequest, Wire, WorkIo } from '../../loop/ports.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { RawReply } from '../../protocol/model.ts';
import { readReply } from './read.ts';

export interface ReaderOptions {
  readonly clock: Clock;
  /** The wire's name, for what only it can read back. */
  readonly wireName?: string;
  /** How often a reply that broke off is asked for again. */
  readonly resamples?: number;
}

export function replyReader(wire: Wire, { clock, wireName = 'chat', resamples = 2 }: ReaderOptions): Model {
  return async (request, io) => {
    for (let sample = 1; ; sample++) {
      const answer = await hear(wire, { request, io, clock });
      if (io.signal.aborted) return fail(fault('aborted', 'The request was called off.'));
      const verdict = judge(answer, request);
      if ('raw' in verdict) return ok(readReply(verdict.raw, { wire: wireName, model: request.model }));
      if (!verdict.isWorthAnother || sample > resamples) return fail(verdict.fault);
      const reason = verdict.fault.message;
      io.emit({ type: 'reply.dropped', reason });
      io.emit({ type: 'noted', by: 'replies', kind: 'resampled', data: { sample, fault: verdict.fault.kind, reason } });
    }
  };
}

interface Answer {
  readonly result: Result<RawReply, Fault>;
  readonly hadOutput: boolean;
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
  const result = await wire(request, { signal: io.signal, emit });
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

type Verdict = { readonly raw: RawReply } | { readonly fault: Fault; readonly isWorthAnother: boolean };

/** Decides whether a reply is whole enough to be used. A half answer is never taken for a whole one. */
function judge({ result, hadOutput }: Answer, { model, maxOutputTokens }: ModelRequest): Verdict {
  if (!result.ok) return { fault: result.fault, isWorthAnother: hadOutput && breaksOff(result.fault) };
  const raw = result.value;
  if (raw.finish === 'filtered') {
    const said = `The provider's content filter ended the reply of ${model} (${raw.finishWord ?? 'filtered'}).`;
    return {
      fault: fault('refused', `${said} Put the task in other words, or choose another model.`),
      isWorthAnother: false,
    };
  }
  // At the cap the same request ends the same way. Whole calls before it run; an unfinished one is refused as unreadable.
  if (raw.finish === 'length') {
    return raw.calls.length > 0 ? { raw } : { fault: overCap(model, maxOutputTokens), isWorthAnother: false };
  }
  if (!raw.isCut) return { raw };
  return {
    fault: fault('cut', `The reply of ${model} broke off before its end. Try again, or choose another model with -m.`),
    isWorthAnother: true,
  };
}

/** Before any output the wire's own retries have had their turn; after it, these faults are a reply that broke off. */
const breaksOff = ({ kind }: Fault): boolean =>
  kind === 'cut' || kind === 'stalled' || kind === 'overloaded' || kind === 'rate' || kind === 'unreachable';

const overCap = (model: string, cap: number | undefined): Fault =>
  fault(
    'cut',
    `The reply of ${model} reached its output limit${cap === undefined ? '' : ` of ${cap} tokens`} before its end. ` +
      'Raise maxOutputTokens in the config, or ask for less at once.',
  );
