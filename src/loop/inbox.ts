/** The one queue into the driver: live events, facts for the journal, the user's words, and the end of a phase. */
import { Queue } from '../base/queue.ts';
import type { Event, Prompted } from '../protocol/event.ts';
import type { Fault } from '../protocol/fault.ts';
import type { LiveEvent } from '../protocol/live.ts';

export type Item =
  | { readonly what: 'live'; readonly live: LiveEvent }
  | { readonly what: 'event'; readonly event: Event; readonly isSynced: boolean; readonly taken?: Taken }
  | { readonly what: 'end'; readonly event: Event | undefined };

/** Called once the event is written and folded in, or with the journal's fault. */
type Taken = (broken: Fault | undefined) => void;

export class Inbox {
  readonly #queue = new Queue<Item>();
  #isOpen = false;

  get isEmpty(): boolean {
    return this.#queue.size === 0;
  }

  /**
   * Says something to a turn that is under way. Resolves when the words are on the disk, or with the journal's fault.
   * Undefined when no turn runs: then start one.
   */
  say(prompted: Prompted): Promise<Fault | undefined> | undefined {
    return this.#isOpen ? this.record(prompted, true) : undefined;
  }

  record(event: Event, isSynced: boolean): Promise<Fault | undefined> {
    return new Promise((resolve) => {
      this.#queue.push({ what: 'event', event, isSynced, taken: resolve });
    });
  }

  emit(happening: LiveEvent | Extract<Event, { type: 'noted' | 'heard' }>): void {
    const isFact = happening.type === 'noted' || happening.type === 'heard';
    this.#queue.push(isFact ? { what: 'event', event: happening, isSynced: false } : { what: 'live', live: happening });
  }

  end(event: Event | undefined): void {
    this.#queue.push({ what: 'end', event });
  }

  take(): Promise<Item> {
    return this.#queue.take();
  }

  open(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
  }
}
