/** A stream that is written to with patience: a slow reader slows the run, and one that left ends it. */
import type { Writable } from 'node:stream';
import { codeOf } from '../../base/attempt.ts';

export interface Output {
  /** Resolves when the stream takes more. After a failure it does nothing. */
  write(text: string): Promise<void>;
  /** Resolves when everything written is with the operating system, or the stream has failed. */
  flush(): Promise<void>;
  /** Why the stream can be written no more. */
  failure(): unknown;
}

/** Calls `onFailure` once, when the stream fails. The listener stays, since a failure may come late. */
export function outputTo(stream: Writable, onFailure: (cause: unknown) => void): Output {
  let failure: unknown;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const go of waiting) go();
    waiting.clear();
  };
  stream.on('error', (cause: unknown) => {
    const isFirst = failure === undefined;
    failure ??= cause;
    wake();
    if (isFirst) onFailure(cause);
  });
  stream.on('drain', wake);
  stream.on('close', wake);
  return {
    write: async (text) => {
      if (failure !== undefined || stream.destroyed || text === '') return;
      if (stream.write(text)) return;
      await new Promise<void>((resolve) => waiting.add(resolve));
    },
    flush: async () => {
      if (failure !== undefined || stream.destroyed) return;
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        stream.write('', () => resolve());
      });
    },
    failure: () => failure,
  };
}

/** Whether a stream failed because its reader went away. */
export const isClosedPipe = (cause: unknown): boolean =>
  ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(codeOf(cause) ?? '');
