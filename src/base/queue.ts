/** A first-in, first-out queue between producers that never wait and one consumer that does. */
export class Queue<T> {
  #items: T[] = [];
  #head = 0;
  #wake: (() => void) | undefined;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Empties the queue and gives what was in it. */
  takeAll(): T[] {
    const items = this.#items.slice(this.#head);
    this.#items = [];
    this.#head = 0;
    return items;
  }

  /** The next item; waits until there is one. Only one consumer may wait at a time. */
  async take(): Promise<T> {
    while (this.size === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    // The loop above leaves only when an item is there, so the cast hides no undefined.
    const item = this.#items[this.#head++] as T;
    if (this.#head > 1024 || this.#head === this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
