/** A wire that learns what a model refuses: a setting that it does not know is left out from then on. */
import type { Wire } from '../../../loop/ports.ts';

/** A setting that can be done without. */
export interface Optional {
  readonly name: string;
  /** How servers word that they do not take it. */
  readonly refusal: RegExp;
}

export interface LeavingOut {
  /** Who notes it: `wire.NAME`. */
  readonly by: string;
  readonly options: readonly Optional[];
  /** What the request is built without; grows here. */
  readonly leftOut: Set<string>;
}

/** Sends the request again, at once, without what was refused. Each setting is given up at most once. */
export function leavingOut(wire: Wire, { by, options, leftOut }: LeavingOut): Wire {
  return async (request, io) => {
    for (;;) {
      const answer = await wire(request, io);
      if (answer.ok) return answer;
      const { status, message } = answer.fault;
      if (status !== 400 && status !== 422) return answer;
      const refused = options.find(({ name, refusal }) => !leftOut.has(name) && refusal.test(message));
      if (!refused) return answer;
      leftOut.add(refused.name);
      io.emit({ type: 'noted', by, kind: 'setting left out', data: { setting: refused.name, reason: message } });
    }
  };
}
