/** Counts the working time of a turn and rings at its limit. Waiting for a person does not count. */
import type { Clock } from './ports.ts';

export class Stopwatch {
  readonly #limitMs: number;
  readonly #clock: Clock;
  #spentMs = 0;
  #since: number | undefined;
  #pauses = 0;
  #timer: NodeJS.Timeout | undefined;
  #ring: () => void = () => {};

  /** `limitMs` 0 means no limit. */
  constructor(limitMs: number, clock: Clock) {
    this.#limitMs = limitMs;
    this.#clock = clock;
  }

  start(ring: () => void): void {
    this.#ring = ring;
    this.#resume();
  }

  stop(): void {
    if (this.#since !== undefined) this.#spentMs += this.#clock.now() - this.#since;
    this.#since = undefined;
    clearTimeout(this.#timer);
  }

  async paused<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pauses++ === 0) this.stop();
    try {
      return await work();
    } finally {
      if (--this.#pauses === 0) this.#resume();
    }
  }

  #resume(): void {
    this.#since = this.#clock.now();
    if (this.#limitMs > 0) this.#timer = setTimeout(this.#ring, Math.max(0, this.#limitMs - this.#spentMs));
  }
}
