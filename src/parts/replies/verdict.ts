/** Whether a reply is whole enough to be used. A half answer is never taken for a whole one. */
import type { Result } from '../../base/result.ts';
import type { ModelRequest } from '../../loop/ports.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { RawReply } from '../../protocol/model.ts';
import { type Reading, type ReadOptions, readReply } from './read.ts';
import { isGarbled } from './salvage/special-tokens.ts';

export interface Answer {
  readonly result: Result<RawReply, Fault>;
  /** Something of it was shown. */
  readonly hadOutput: boolean;
}

export type Verdict =
  | { readonly kind: 'accept'; readonly reading: Reading }
  /** The same turn again; `reading` is what there is to use once that was done often enough. */
  | { readonly kind: 'resample'; readonly fault: Fault; readonly reading?: Reading }
  /** The same turn again, in one piece: its stream was damaged. Without a reading where it has a hole: nothing of it is used. */
  | { readonly kind: 'whole'; readonly fault: Fault; readonly reading?: Reading }
  | { readonly kind: 'fail'; readonly fault: Fault };

export function judge({ result, hadOutput }: Answer, request: ModelRequest, options: ReadOptions): Verdict {
  if (!result.ok) {
    const isWorthAnother = result.fault.unread !== undefined || (hadOutput && breaksOff(result.fault));
    return { kind: isWorthAnother ? 'resample' : 'fail', fault: result.fault };
  }
  const raw = capped(result.value, request);
  const { model } = request;
  if (raw.finish === 'filtered') return { kind: 'fail', fault: filtered(raw, model) };
  if (raw.hasGap) return { kind: 'whole', fault: brokeOff(model, 'lost a piece of its stream') };
  const reading = readReply(raw, options);
  const hasCalls = reading.reply.calls.length > 0;
  // At the cap the same request ends the same way. Whole calls before it run; an unfinished one is refused.
  if (raw.finish === 'length') {
    return hasCalls ? { kind: 'accept', reading } : { kind: 'fail', fault: overCap(model, request.maxOutputTokens) };
  }
  if (raw.isCut) return { kind: 'resample', fault: brokeOff(model, 'broke off before its end') };
  if (/malformed/i.test(raw.finishWord ?? '') && !hasCalls)
    return { kind: 'resample', reading, fault: brokeOff(model, 'held a call that its server could not read') };
  if (isDamaged(raw, reading))
    return { kind: 'whole', reading, fault: brokeOff(model, 'lost parts of a call in its stream') };
  if (reading.hasOpenLeak || reading.refused.some((refused) => refused.class === 'cut'))
    return { kind: 'resample', reading, fault: brokeOff(model, 'ended inside a call') };
  if (isNothing(raw, reading)) return { kind: 'resample', reading, fault: brokeOff(model, 'was empty') };
  return { kind: 'accept', reading };
}

/** Some routers call a reply whole that used up its limit; what is open in it is known by that. */
function capped(raw: RawReply, { maxOutputTokens = Number.POSITIVE_INFINITY }: ModelRequest): RawReply {
  const hasOpenCall = raw.calls.some((call) => !endsClosed(call.arguments));
  const isAtCap = (raw.usage?.outputTokens ?? 0) >= maxOutputTokens && hasOpenCall;
  return isAtCap ? { ...raw, finish: 'length', isCut: true } : raw;
}

const endsClosed = (text: string): boolean => /[}\]]\s*$/.test(text);

/** A stream that lost what the reply had: arguments that never came, or a name made of something else. */
function isDamaged(raw: RawReply, { reply, refused }: Reading): boolean {
  if (raw.isStreamed !== true || raw.calls.length === 0) return false;
  return raw.calls.some(({ name, arguments: text }, index) => {
    const call = reply.calls[index];
    if (call?.unreadable === undefined) return false;
    const isEmpty = /^\s*(?:\{\s*\})?\s*$/.test(text);
    if (isEmpty) return refused.some((one) => one.class === 'schema' && one.reason === call.unreadable);
    return isGarbled({ name, arguments: text }) || (!/[\p{L}\p{N}]/u.test(name) && !text.trim().startsWith('{'));
  });
}

/** Nothing was said and nothing was paid: that is the transport's fault, not the model's. */
const isNothing = ({ usage }: RawReply, { reply }: Reading): boolean =>
  reply.text.trim() === '' && !reply.reasoning?.trim() && reply.calls.length === 0 && !usage?.outputTokens;

/** Before any output the wire's own retries have had their turn; after it, these faults are a reply that broke off. */
const breaksOff = ({ kind }: Fault): boolean =>
  kind === 'cut' || kind === 'stalled' || kind === 'overloaded' || kind === 'rate' || kind === 'unreachable';

const brokeOff = (model: string, how: string): Fault =>
  fault('cut', `The reply of ${model} ${how}. Try again, or choose another model with -m.`);

const filtered = ({ finishWord = 'filtered' }: RawReply, model: string): Fault =>
  fault(
    'refused',
    `The provider's content filter ended the reply of ${model} (${finishWord}). Put the task in other words, or choose another model.`,
  );

const overCap = (model: string, cap: number | undefined): Fault =>
  fault(
    'cut',
    `The reply of ${model} reached its output limit${cap === undefined ? '' : ` of ${cap} tokens`} before its end. ` +
      'Raise maxOutputTokens in the config, or ask for less at once.',
  );
