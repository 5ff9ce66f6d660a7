/** Counts the working time of a turn and rings at its limit. Waiting for a person does not count. */
import { timerMs } from '../base/abort.ts';
import type { Clock } from './ports.ts';

export class Stopwatch {
  readonly #limitMs: number;
  readonly #clock: Clock;
  #spentMs = 0;
  #since: number | undefined;
  #pauses = 0;
  #isOver = false;
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

  /** For good: a wait that ends later starts no timer any more. */
  stop(): void {
    this.#isOver = true;
    this.#halt();
  }

  /** Waits may overlap: the watch goes on when the last of them has ended. */
  async paused<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pauses++ === 0) this.#halt();
    try {
      return await work();
    } finally {
      if (--this.#pauses === 0) this.#resume();
    }
  }

  #halt(): void {
    if (this.#since !== undefined) this.#spentMs += this.#clock.now() - this.#since;
    this.#since = undefined;
    clearTimeout(this.#timer);
  }

  #resume(): void {
    if (this.#isOver) return;
    this.#since = this.#clock.now();
    if (this.#limitMs > 0) this.#timer = setTimeout(this.#ring, timerMs(this.#limitMs - this.#spentMs));
  }
}
