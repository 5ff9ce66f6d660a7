/** Three clocks on a server: until it takes the connection, until it says the first word, between words. */
import { type Fault, fault } from '../../protocol/fault.ts';

/** All in milliseconds. */
export interface HttpLimits {
  readonly connectMs: number;
  /** From the connection to the first output: a local server reads the whole prompt in this time. */
  readonly firstOutputMs: number;
  readonly betweenMs: number;
}

export interface SilenceWatch {
  connected(): void;
  progressed(): void;
  stop(): void;
}

/** Starts the first clock; `ring` is called once, with what to say. */
export function watchSilence(limits: HttpLimits, host: string, ring: (silence: Fault) => void): SilenceWatch {
  let timer: NodeJS.Timeout | undefined;
  let isBetween = false;
  const start = (ms: number, silence: () => Fault) => {
    clearTimeout(timer);
    timer = setTimeout(() => ring(silence()), ms);
  };
  start(limits.connectMs, () =>
    fault(
      'unreachable',
      `${host} did not take the connection within ${seconds(limits.connectMs)}. Check the network and the base URL.`,
    ),
  );
  return {
    connected: () =>
      start(limits.firstOutputMs, () =>
        fault(
          'stalled',
          `${host} took the request and sent no output for ${seconds(limits.firstOutputMs)}. ` +
            'Try again, or allow more with network.firstByteSeconds in the config.',
        ),
      ),
    progressed: () => {
      if (isBetween) return void timer?.refresh();
      isBetween = true;
      start(limits.betweenMs, () =>
        fault('stalled', `${host} fell silent in the middle of its reply for ${seconds(limits.betweenMs)}.`),
      );
    },
    stop: () => clearTimeout(timer),
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
