/** Writes to a pipe that its reader may be slow to empty. */
import { closeSync, writeSync } from 'node:fs';
import { attemptSync, codeOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';

/** The key that ends the input at a terminal (Ctrl+D). */
export const endOfInput = '\u0004';

const againEveryMs = 20;

export interface Input {
  write(text: string): Result<void, string>;
  waitingBytes(): number;
  isOpen(): boolean;
  /** What waits is lost. */
  close(): void;
}

/** `file`: the number of an open pipe that is written to without waiting; undefined where there is none. */
export function inputTo(file: number | undefined): Input {
  let open = file;
  let waiting = Buffer.alloc(0);
  let isEnding = false;
  let timer: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(timer);
    waiting = Buffer.alloc(0);
    if (open !== undefined) closeSync(open);
    open = undefined;
  };
  const pass = () => {
    timer = undefined;
    while (open !== undefined && waiting.length > 0) {
      const pipe = open;
      const written = attemptSync(() => writeSync(pipe, waiting), codeOf);
      if (!written.ok && written.fault !== 'EAGAIN') return close();
      if (!written.ok) {
        timer = setTimeout(pass, againEveryMs);
        return;
      }
      waiting = waiting.subarray(written.value);
    }
    if (isEnding) close();
  };
  return {
    write: (text) => {
      if (file === undefined)
        return fail(
          'It was started without an open input. Start it anew with background: true, or give input with it.',
        );
      if (open === undefined || isEnding) return fail('Its input is closed.');
      isEnding = text.endsWith(endOfInput);
      waiting = Buffer.concat([waiting, Buffer.from(isEnding ? text.slice(0, -endOfInput.length) : text)]);
      if (timer === undefined) pass();
      return ok(undefined);
    },
    waitingBytes: () => waiting.length,
    isOpen: () => open !== undefined && !isEnding,
    close,
  };
}
