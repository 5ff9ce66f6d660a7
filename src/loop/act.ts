/** ACTING: permission in the order of the calls; readers side by side, everything else one after the other. */
import { linkedController, timerMs } from '../base/abort.ts';
import { messageOf } from '../base/attempt.ts';
import type { Event } from '../protocol/event.ts';
import type { ToolCall, ToolResult } from '../protocol/message.ts';
import type { Decision } from '../protocol/permission.ts';
import { type Conversation, openCalls } from './conversation.ts';
import { leftBehind } from './leave.ts';
import { type Deps, type PhaseIo, stoppedBy } from './phase.ts';
import type { PreparedCall, ToolAnswer } from './ports.ts';
import { voice } from './voice.ts';

const readersAtOnce = 8;

interface Runnable {
  readonly call: ToolCall;
  readonly prepared: PreparedCall;
}

/** A call that may run, or the answer that it already has. */
type Ready = Runnable | { readonly call: ToolCall; readonly answer: ToolAnswer };

export async function act(deps: Deps, io: PhaseIo): Promise<Event | undefined> {
  if (hasUnknownOutcome(io.conversation())) return { type: 'stopped', reason: 'crashed' };
  let batch: Ready[] = [];
  /** Runs what has gathered. False when nothing more may run: called off, or the journal broke. */
  const flush = async (): Promise<boolean> => {
    const gathered = batch;
    batch = [];
    return (await runBatch(gathered, deps, io)) && !io.signal.aborted;
  };
  for (const call of openCalls(io.conversation())) {
    // Policies and people judge a call that changes something after they have seen every answer before it.
    const prepared = deps.tools.prepare(call);
    const mayJoin = prepared.ok && prepared.value.effect === 'reads' && batch.length < readersAtOnce;
    if (!mayJoin && !(await flush())) return ending(io);
    const ready = await admit(call, deps, io);
    if (!ready) return ending(io);
    // A policy may have made another call of it, so only now is it known whether it may overlap.
    const isAlone = 'prepared' in ready && ready.prepared.effect !== 'reads';
    if (isAlone && !(await flush())) return ending(io);
    batch.push(ready);
    if (isAlone && !(await flush())) return ending(io);
  }
  await flush();
  return ending(io);
}

/** Undefined where the records said it all, or where the journal broke and the driver ends the run. */
const ending = (io: PhaseIo): Event | undefined => (io.signal.aborted ? stoppedBy(io.signal) : undefined);

/** A call that was started before this phase began was running when the process died: it must not run again. */
const hasUnknownOutcome = (conversation: Conversation): boolean => {
  const { phase } = conversation;
  return phase.name === 'acting' && openCalls(conversation).some(({ id }) => phase.started.has(id));
};

/** The policies' beforeTool, then the schema, then permission. Undefined when called off or the journal broke. */
async function admit(asked: ToolCall, deps: Deps, io: PhaseIo): Promise<Ready | undefined> {
  let call = asked;
  for (const policy of io.lineUp.policies) {
    if (io.signal.aborted) return undefined;
    const move = await policy.beforeTool?.(call, io.lineUp.view(policy, io.conversation()));
    if (!move || move === call) continue;
    if ('deny' in move) {
      const decision: Decision = { decision: 'deny', by: `policy:${policy.id}`, reason: move.deny };
      return (await decide(asked, decision, io)) ? undefined : { call: asked, answer: { ok: false, text: move.deny } };
    }
    call = { ...move, id: asked.id };
    const data = { callId: call.id, name: call.name, input: call.input };
    if (await io.record({ type: 'noted', by: policy.id, kind: 'call rewritten', data }, false)) return undefined;
  }
  const prepared = deps.tools.prepare(call);
  if (!prepared.ok) return { call, answer: prepared.fault };
  if (io.signal.aborted) return undefined;
  const decision = await deps.permit(call, prepared.value, { signal: io.signal, emit: io.emit, waiting: io.waiting });
  if (await decide(call, decision, io)) return undefined;
  if (decision.decision === 'allow') return { call, prepared: prepared.value };
  return { call, answer: { ok: false, text: decision.reason ?? 'Not allowed.', data: { denied: decision.by } } };
}

const decide = ({ id }: ToolCall, { decision, by, reason }: Decision, io: PhaseIo) =>
  io.record({ type: 'decided', callId: id, decision, by, ...(reason === undefined ? {} : { reason }) }, false);

/** Runs what may run and records every answer, in the order of the calls. False when the journal broke. */
async function runBatch(batch: readonly Ready[], deps: Deps, io: PhaseIo): Promise<boolean> {
  if (io.signal.aborted) return true;
  const running = batch.filter((ready) => 'prepared' in ready);
  for (const [index, { call }] of running.entries()) {
    // One flush covers the whole batch: the last intent is synced, and with it those before.
    const broken = await io.record({ type: 'started', callId: call.id }, index === running.length - 1);
    if (broken) return false;
  }
  const answers = batch.map((ready) => ('prepared' in ready ? runOne(ready, deps, io) : ready.answer));
  for (const [index, { call }] of batch.entries()) {
    const answer = await answers[index];
    if (!answer) continue; // left behind after an abort: the ending answers for it
    const result = await afterTool({ ...answer, callId: call.id }, io);
    if (await io.record({ type: 'answered', result }, false)) return false;
  }
  return true;
}

async function afterTool(first: ToolResult, io: PhaseIo): Promise<ToolResult> {
  let result = first;
  for (const policy of io.lineUp.policies) {
    if (!policy.afterTool) continue;
    result = { ...(await policy.afterTool(result, io.lineUp.view(policy, io.conversation()))), callId: first.callId };
  }
  return result;
}

/** The tool runner's door: time-outs and exceptions become answers. Undefined when the turn was called off meanwhile. */
async function runOne({ call, prepared }: Runnable, deps: Deps, io: PhaseIo): Promise<ToolAnswer | undefined> {
  if (io.signal.aborted) return { ok: false, text: 'Not run: the turn ended first.', data: { outcome: 'not run' } };
  const limitMs = prepared.timeoutMs ?? deps.limits.toolMs;
  const stop = linkedController(io.signal);
  const says = voice(io);
  const timer = limitMs > 0 ? setTimeout(() => stop.abort('tool time-out'), timerMs(limitMs)) : undefined;
  try {
    const work = prepared.run({ callId: call.id, signal: stop.signal, emit: says.emit });
    const answer = await leftBehind(work, stop.signal, deps.limits.graceMs);
    await says.settled();
    return answer ?? outOfTime(call, limitMs, io.signal);
  } catch (cause) {
    // What a tool throws when it is called off says only that it was called off.
    if (stop.signal.aborted) return outOfTime(call, limitMs, io.signal);
    return { ok: false, text: `${call.name} failed: ${messageOf(cause)}` };
  } finally {
    says.end();
    clearTimeout(timer);
    stop.release();
  }
}

/** Undefined when it was the turn that ended, and not the call's own time. */
const outOfTime = ({ name }: ToolCall, limitMs: number, turn: AbortSignal): ToolAnswer | undefined =>
  turn.aborted
    ? undefined
    : {
        ok: false,
        text: `${name} did not finish within ${limitMs / 1000} s; its outcome is unknown. Check what it did before you repeat it.`,
        data: { outcome: 'unknown' },
      };
