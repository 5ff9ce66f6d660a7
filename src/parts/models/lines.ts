/** An answer as lines of JSON, one value each: characters and lines may be split anywhere. */
import { attemptSync, messageOf } from '../../base/attempt.ts';
import type { BodyEvents, BodyReader } from './body.ts';
import type { Progress } from './http.ts';

const shownLength = 200;

/** For servers that stream NDJSON. A body in one piece, on one line or several, is one value. */
export function readLines(events: BodyEvents): BodyReader {
  const decoder = new TextDecoder();
  const lines = new LineValues(events);
  let rest = '';
  return {
    take: (bytes) => {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      let progress: Progress = 'alive';
      for (const part of parts) {
        const moved = lines.take(part);
        if (progress !== 'done' && moved !== 'alive') progress = moved;
      }
      return progress;
    },
    end: () => lines.end(rest + decoder.decode()),
    get strange() {
      return lines.strange;
    },
    get isStream() {
      return lines.count > 1;
    },
  };
}

class LineValues {
  count = 0;
  strange = '';
  /** Lines before the first value: bad ones, or together one value. */
  readonly #early: string[] = [];
  readonly #events: BodyEvents;

  constructor(events: BodyEvents) {
    this.#events = events;
  }

  take(line: string): Progress {
    if (line.trim() === '') return 'alive';
    const value = parse(line);
    if (value.ok) return this.#give(value.value);
    if (this.count === 0) this.#early.push(line);
    else this.#events.badLine(line, value.fault);
    return 'on';
  }

  /** `last` has no line end: where it is no JSON it broke off, which the missing end mark tells. */
  end(last: string): void {
    const value = parse(last);
    if (value.ok) this.#give(value.value);
    if (this.count > 0 || this.#early.length + last.trim().length === 0) return;
    const text = [...this.#early, last].join('\n').trim();
    const whole = parse(text);
    if (whole.ok) this.#events.chunk(whole.value);
    else if (!text.startsWith('{')) this.strange = text.slice(0, shownLength);
  }

  #give(value: unknown): Progress {
    this.count++;
    for (const line of this.#early.splice(0)) this.#events.badLine(line, 'no JSON');
    return this.#events.chunk(value);
  }
}

const parse = (text: string) => attemptSync(() => JSON.parse(text) as unknown, messageOf);
