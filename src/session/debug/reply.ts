/** What a run would make of a recorded reply: the wire, the judge, the reader and the repairs of a session, asked once. */

import { fail, ok, type Result } from '../../base/result.ts';
import type { Emit, ModelRequest } from '../../loop/ports.ts';
import type { Endpoint } from '../../parts/models/endpoint.ts';
import { bareWire } from '../../parts/models/open.ts';
import { classOf, nothingOmitted, repairFor } from '../../parts/models/refusals/repair.ts';
import { isTransient } from '../../parts/models/retry.ts';
import { lapseOf } from '../../parts/replies/lapse.ts';
import { type Reading, type ReadOptions, readReply } from '../../parts/replies/read.ts';
import { unreadReply } from '../../parts/replies/unread.ts';
import { judge, type Verdict } from '../../parts/replies/verdict.ts';
import type { Fault } from '../../protocol/fault.ts';
import type { Message } from '../../protocol/message.ts';
import type { RawReply } from '../../protocol/model.ts';
import { type ReplyCase, requestOf, wireOf } from './case.ts';
import { callOf, type Doing } from './doing.ts';
import { recordedHttp } from './recorded.ts';

export interface Explained {
  readonly id: string | number;
  /** The word for what a session does; see `Doing`. */
  readonly action: Doing;
  readonly calls: readonly { readonly id?: string; readonly name: string; readonly args: unknown }[];
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  readonly text: string;
  readonly reasoning: string;
  /** The reply ended before its end. */
  readonly cut: boolean;
  readonly repairs: readonly object[];
  /** Why it is not used as it is. */
  readonly reason?: string;
}

export async function explainReply(recorded: ReplyCase): Promise<Result<Explained, string>> {
  const wireName = wireOf(recorded.wire);
  if (!wireName) return fail(`there is no wire "${recorded.wire}"`);
  const request = requestOf(recorded);
  const options: ReadOptions = { wire: wireName, model: request.model, tools: request.tools };
  const noted: object[] = [];
  let hadOutput = false;
  const emit: Emit = (happening) => {
    if (happening.type.endsWith('.grew')) hadOutput = true;
    if (happening.type === 'noted') noted.push({ kind: happening.kind, ...happening.data });
  };
  const wire = bareWire(endpointFor(wireName), { http: recordedHttp(recorded), clock: { now: () => 0 } });
  const result = await wire(request, { signal: new AbortController().signal, emit });
  const quoted = result.ok ? undefined : unreadReply(result.fault.unread ?? '', options);
  const answer = { result: quoted ? ok(quoted) : result, hadOutput };
  const verdict = judge(answer, request, options);
  const told = answer.result.ok
    ? ofReply(verdict, { raw: answer.result.value, options, turn: turnOf(request) })
    : ofFault(answer.result.fault, verdict, recorded);
  return ok({ id: recorded.id, ...told, repairs: [...noted, ...told.repairs] });
}

/** From the user's last word on; nothing recorded counts as a task to be done. */
function turnOf({ messages, tools }: ModelRequest): Message[] {
  const all = messages.slice();
  const start = all.findLastIndex((message) => message.from === 'user');
  const isIdle = tools.length === 0 && all.length === 0;
  return isIdle ? [{ from: 'user', text: 'hello' }] : all.slice(Math.max(0, start));
}

const endpointFor = (wire: Endpoint['wire']): Endpoint => ({
  provider: 'recorded',
  modelId: 'model',
  model: 'recorded/model',
  wire,
  url: 'http://recorded.invalid/v1',
  root: 'http://recorded.invalid',
  headers: {},
  keys: [],
  secrets: [],
  keyVariables: [],
  dialect: { capField: 'max_tokens', asksForUsage: true, streams: true },
});

type Told = Omit<Explained, 'id'>;

interface Heard {
  readonly raw: RawReply;
  readonly options: ReadOptions;
  readonly turn: readonly Message[];
}

function ofReply(verdict: Verdict, heard: Heard): Told {
  const { raw, options } = heard;
  const reading = 'reading' in verdict && verdict.reading ? verdict.reading : readReply(raw, options);
  const { reply, refused, steps } = reading;
  const isUsed = verdict.kind === 'accept';
  const isOpen = reading.hasOpenLeak || refused.some((one) => one.class === 'cut');
  return {
    action: doing(verdict, heard, reading),
    calls: isUsed ? reply.calls.filter(({ unreadable }) => unreadable === undefined).map(callOf) : [],
    refused: refused.map(({ name, reason }) => ({ name, reason })),
    text: reply.text,
    reasoning: reply.reasoning ?? '',
    cut: raw.isCut || isOpen,
    repairs: steps,
    ...('fault' in verdict ? { reason: verdict.fault.message } : {}),
  };
}

function doing(verdict: Verdict, { raw, turn }: Heard, reading: Reading): Doing {
  switch (verdict.kind) {
    case 'whole':
      return 'retry_nonstream';
    case 'resample':
      // A stream that broke off is the transport's fault: the same request again.
      return raw.isCut ? 'retry' : 'resample';
    case 'fail':
      return 'reject';
    case 'accept':
      return doingWith(reading, turn);
    default:
      return verdict satisfies never;
  }
}

function doingWith({ reply, refused, steps, salvaged }: Reading, turn: readonly Message[]): Doing {
  if (refused.length > 0) return reply.calls.length > refused.length ? 'execute' : 'reject';
  if (lapseOf(reply, turn)) return 'nudge';
  if (salvaged > 0) return 'salvage';
  if (steps.some(({ kind }) => kind === 'warned')) return 'warn';
  return steps.length > 0 ? 'repair' : 'accept';
}

function ofFault(fault: Fault, verdict: Verdict, recorded: ReplyCase): Told {
  const nothing = { calls: [], refused: [], text: '', reasoning: '', cut: fault.kind === 'cut', reason: fault.message };
  const request = requestOf(recorded);
  if (verdict.kind === 'resample') {
    return { ...nothing, action: fault.unread === undefined ? 'retry' : 'resample', repairs: [] };
  }
  if (fault.kind === 'overflow') return { ...nothing, action: 'compact', repairs: [] };
  const fields = Object.keys(recorded.request ?? named(fault.message));
  const current = { quirks: {}, omissions: nothingOmitted };
  const repair = repairFor({ fault, request, current, fields });
  if (repair) {
    const { name, class: kind, isDegraded } = repair;
    return {
      ...nothing,
      action: isDegraded ? 'degrade' : 'retry',
      repairs: [{ kind: 'adapted', step: name, class: kind }],
    };
  }
  return { ...nothing, action: isTransient(fault) ? 'retry' : 'reject', repairs: [] };
}

/** Without the request, what a refusal names counts as sent. */
const named = (message: string): Record<string, true> =>
  classOf(message) === 'parameter'
    ? Object.fromEntries((message.match(/[a-z][a-z_]{2,}/g) ?? []).map((word) => [word, true]))
    : {};
