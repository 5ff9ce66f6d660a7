/** The signals that end a run. */
import type { StopReason } from '../../protocol/event.ts';

/** What `process` offers of signals. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

export interface Stoppable {
  stop(reason: StopReason | NodeJS.Signals): void;
}

const watched: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Tells the session to stop at every signal; its second stop kills what still runs. Returns how to let go of the signals. */
export function watchSignals(source: SignalSource, session: Stoppable): () => void {
  const onSignal = (signal: NodeJS.Signals) => session.stop(signal === 'SIGINT' ? 'interrupted' : signal);
  for (const signal of watched) source.on(signal, onSignal);
  return () => {
    for (const signal of watched) source.off(signal, onSignal);
  };
}
