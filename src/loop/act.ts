/** ACTING: permission in the order of the calls; readers side by side, everything else one after the other. */
import { linkedController } from '../base/abort.ts';
import { messageOf } from '../base/attempt.ts';
import type { Event } from '../protocol/event.ts';
import type { ToolCall, ToolResult } from '../protocol/message.ts';
import type { Decision } from '../protocol/permission.ts';
import { openCalls } from './conversation.ts';
import { leftBehind } from './leave.ts';
import { type Deps, type PhaseIo, stoppedBy } from './phase.ts';
import type { PreparedCall, ToolAnswer } from './ports.ts';

const readersAtOnce = 8;

/** A call that may run, or the answer that it already has. */
type Ready = { readonly call: ToolCall } & ({ readonly prepared: PreparedCall } | { readonly answer: ToolAnswer });

export async function act(deps: Deps, io: PhaseIo): Promise<Event | undefined> {
  let batch: Ready[] = [];
  for (const call of openCalls(io.conversation())) {
    const prepared = deps.tools.prepare(call);
    const isReader = prepared.ok && prepared.value.effect === 'reads';
    if (!isReader || batch.length >= readersAtOnce) {
      if (await runBatch(batch, deps, io)) return;
      batch = [];
    }
    if (io.signal.aborted) return stoppedBy(io.signal);
    batch.push(await admit(call, deps, io));
    if (!isReader) {
      if (await runBatch(batch, deps, io)) return;
      batch = [];
    }
  }
  if (await runBatch(batch, deps, io)) return;
  return io.signal.aborted ? stoppedBy(io.signal) : undefined;
}

/** The policies' beforeTool, then the schema, then permission. */
async function admit(asked: ToolCall, deps: Deps, io: PhaseIo): Promise<Ready> {
  let call = asked;
  for (const policy of io.lineUp.policies) {
    if (!policy.beforeTool) continue;
    const move = await policy.beforeTool(call, io.lineUp.view(policy, io.conversation()));
    if ('deny' in move) {
      await decide(asked, { decision: 'deny', by: `policy:${policy.id}`, reason: move.deny }, io);
      return { call: asked, answer: { ok: false, text: move.deny } };
    }
    call = { ...move, id: asked.id };
  }
  const prepared = deps.tools.prepare(call);
  if (!prepared.ok) return { call, answer: prepared.fault };
  const decision = await deps.permit(call, prepared.value, { signal: io.signal, emit: io.emit, waiting: io.waiting });
  await decide(call, decision, io);
  if (decision.decision === 'allow') return { call, prepared: prepared.value };
  return { call, answer: { ok: false, text: decision.reason ?? 'Not allowed.', data: { denied: decision.by } } };
}

const decide = ({ id }: ToolCall, { decision, by, reason }: Decision, io: PhaseIo) =>
  io.record({ type: 'decided', callId: id, decision, by, ...(reason === undefined ? {} : { reason }) }, false);

/** Runs what may run and records every answer, in the order of the calls. True when the journal broke. */
async function runBatch(batch: readonly Ready[], deps: Deps, io: PhaseIo): Promise<boolean> {
  const running = batch.filter((ready) => 'prepared' in ready);
  for (const [index, { call }] of running.entries()) {
    // One flush covers the whole batch: the last intent is synced, and with it those before.
    const broken = await io.record({ type: 'started', callId: call.id }, index === running.length - 1);
    if (broken) return true;
  }
  const answers = batch.map((ready) =>
    'prepared' in ready ? runOne(ready.call, ready.prepared, deps, io) : ready.answer,
  );
  for (const [index, { call }] of batch.entries()) {
    const answer = await answers[index];
    if (!answer) continue; // left behind after an abort: the ending answers for it
    const result = await afterTool({ callId: call.id, ...answer }, io);
    if (await io.record({ type: 'answered', result }, false)) return true;
  }
  return false;
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
async function runOne(
  call: ToolCall,
  prepared: PreparedCall,
  deps: Deps,
  io: PhaseIo,
): Promise<ToolAnswer | undefined> {
  const limitMs = prepared.timeoutMs ?? deps.limits.toolMs;
  const stop = linkedController(io.signal);
  const timer = setTimeout(() => stop.abort('tool time-out'), limitMs);
  try {
    const work = prepared.run({ callId: call.id, signal: stop.signal, emit: io.emit });
    const answer = await leftBehind(work, stop.signal, deps.limits.graceMs);
    if (answer || io.signal.aborted) return answer;
    return {
      ok: false,
      text: `${call.name} did not finish within ${limitMs / 1000} s and was left behind; its outcome is unknown.`,
    };
  } catch (cause) {
    return { ok: false, text: `${call.name} failed: ${messageOf(cause)}` };
  } finally {
    clearTimeout(timer);
    stop.release();
  }
}
