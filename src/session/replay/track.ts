/** Where a replay stands in the record, and who waits for which place. */
import type { Event, Recorded } from '../../protocol/event.ts';

export class Track {
  readonly #recorded: readonly Recorded[];
  #waiters: { readonly index: number; readonly wake: () => void }[] = [];
  #position = 0;

  constructor(recorded: readonly Recorded[]) {
    this.#recorded = recorded;
  }

  /** How many recorded events have been replayed. */
  get position(): number {
    return this.#position;
  }

  /** The next recorded event; undefined at the end. */
  get next(): Recorded | undefined {
    return this.#recorded[this.#position];
  }

  step(): void {
    this.#position++;
    const ready = this.#waiters.filter(({ index }) => index <= this.#position);
    this.#waiters = this.#waiters.filter(({ index }) => index > this.#position);
    for (const { wake } of ready) wake();
  }

  /** The index of the first event that `is`, from here on and not before `from`; undefined when there is none. */
  find(is: (event: Event) => boolean, from = 0): number | undefined {
    const start = Math.max(from, this.#position);
    const index = this.#recorded.findIndex(({ event }, at) => at >= start && is(event));
    return index === -1 ? undefined : index;
  }

  at(index: number): Event | undefined {
    return this.#recorded[index]?.event;
  }

  /** Resolves when everything before `index` has been replayed; never when that is not to come (undefined). */
  reached(index: number | undefined): Promise<void> {
    if (index !== undefined && index <= this.#position) return Promise.resolve();
    return new Promise((wake) => {
      if (index !== undefined) this.#waiters.push({ index, wake });
    });
  }
}
