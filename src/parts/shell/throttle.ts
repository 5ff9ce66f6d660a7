/** Passes text on in larger pieces, so that a chatty command does not flood whoever shows it. */

export interface Throttle {
  add(text: string): void;
  /** Passes the rest on. */
  end(): void;
}

const keptCharacters = 8000;

/** At most one piece in `everyMs` milliseconds; of much text only its newest part. */
export function throttled(everyMs: number, pass: (text: string) => void): Throttle {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') pass(waiting);
    waiting = '';
  };
  return {
    add: (text) => {
      waiting = (waiting + text).slice(-keptCharacters);
      timer ??= setTimeout(flush, everyMs);
    },
    end: flush,
  };
}
