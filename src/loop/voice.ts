/** How a model or a tool speaks while it works: heard until its work is over, its facts written before anybody judges it. */
import type { Fault } from '../protocol/fault.ts';
import type { PhaseIo } from './phase.ts';
import type { Emit } from './ports.ts';

export interface Voice {
  readonly emit: Emit;
  /** Resolves once every fact so far (`heard`, `noted`) is written and folded in; with a fault where the journal failed. */
  settled(): Promise<Fault | undefined>;
  /** What work that was left behind says after this is not heard any more. */
  end(): void;
}

export function voice(io: Pick<PhaseIo, 'emit' | 'record'>): Voice {
  let isOver = false;
  // The inbox keeps its order, so the last fact stands for all before it.
  let last: Promise<Fault | undefined> = Promise.resolve(undefined);
  return {
    emit: (happening) => {
      if (isOver) return;
      if (happening.type === 'noted' || happening.type === 'heard') last = io.record(happening, false);
      else io.emit(happening);
    },
    settled: () => last,
    end: () => {
      isOver = true;
    },
  };
}
