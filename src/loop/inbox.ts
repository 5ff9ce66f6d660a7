/** The one queue into the driver: live events, facts for the journal, the user's words, and the end of a phase. */
import { Queue } from '../base/queue.ts';
import type { Event, Prompted } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { LiveEvent } from '../protocol/live.ts';

export type Item =
  | { readonly what: 'live'; readonly live: LiveEvent }
  | { readonly what: 'event'; readonly event: Event; readonly isSynced: boolean; readonly taken?: Taken }
  | { readonly what: 'end'; readonly event: Event | undefined };

/** Called once the event is written and folded in, or with the journal's fault. */
type Taken = (broken: Fault | undefined) => void;

/** What is answered to those whose event came too late to be written. */
export const tooLate = (): Fault => fault('aborted', 'The turn ended before this was written to the session.');

export class Inbox {
  readonly #queue = new Queue<Item>();
  #isOpen = false;

  get isEmpty(): boolean {
    return this.#queue.size === 0;
  }

  /**
   * Says something to a turn that is under way. Resolves when the words are on the disk, or with the reason why they are
   * not. Undefined when no turn runs: then start one.
   */
  say(prompted: Prompted): Promise<Fault | undefined> | undefined {
    return this.#isOpen ? this.record(prompted, true) : undefined;
  }

  /** Queues an event for the journal; what is queued between two runs is written first thing in the next. */
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

  /**
   * From now on words are taken. The function returned ends that: everybody who still waits is told that nothing was
   * written, with the journal's fault if it broke. Calling it again does nothing, also when the next run has opened.
   */
  open(): (broken?: Fault) => void {
    this.#isOpen = true;
    let isMine = true;
    return (broken = tooLate()) => {
      if (!isMine) return;
      isMine = false;
      this.#isOpen = false;
      for (const item of this.#queue.takeAll()) if (item.what === 'event') item.taken?.(broken);
    };
  }
}
