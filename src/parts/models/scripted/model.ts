/** A model without a wire: replies in order, for tests of the loop and of what stands on it. */
import { fail, ok, type Result } from '../../../base/result.ts';
import type { Model, ModelRequest } from '../../../loop/ports.ts';
import { type Fault, fault } from '../../../protocol/fault.ts';
import type { Reply } from '../../../protocol/message.ts';

/** A reply in full, its text alone, a part of it, a fault, or a function of the request. */
export type ScriptedReply = string | Partial<Omit<Reply, 'from'>> | { readonly fault: Fault } | ScriptedAnswer;
type ScriptedAnswer = (request: ModelRequest) => string | Partial<Omit<Reply, 'from'>> | { readonly fault: Fault };

export interface ScriptedModel {
  readonly model: Model;
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[];
}

/** Plays one reply a request; a request after the last is a fault that says so. */
export function scriptedModel(...replies: readonly ScriptedReply[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    model: async (request, io) => {
      const next = replies[requests.length];
      requests.push(request);
      if (io.signal.aborted) return fail(fault('aborted', 'The request was called off.'));
      if (next === undefined) return fail(fault('internal', `The script ends after ${replies.length} replies.`));
      return replyOf(typeof next === 'function' ? next(request) : next);
    },
  };
}

function replyOf(scripted: Exclude<ScriptedReply, ScriptedAnswer>): Result<Reply, Fault> {
  if (typeof scripted === 'string') return ok({ from: 'model', text: scripted, calls: [] });
  if ('fault' in scripted) return fail(scripted.fault);
  return ok({ from: 'model', text: '', calls: [], ...scripted });
}
