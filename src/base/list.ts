/**
 * Immutable sequences whose newest version grows in constant time. Versions share one buffer; only an older version
 * that grows a second branch pays for a copy. So `advance` stays pure and a step costs the same at 5 and at 5,000.
 */
export class List<T> implements Iterable<T> {
  readonly #buffer: T[];
  readonly length: number;

  private constructor(buffer: T[], length: number) {
    this.#buffer = buffer;
    this.length = length;
  }

  static of<T>(...items: T[]): List<T> {
    return new List(items, items.length);
  }

  static from<T>(items: Iterable<T>): List<T> {
    const buffer = [...items];
    return new List(buffer, buffer.length);
  }

  append(item: T): List<T> {
    const isNewest = this.#buffer.length === this.length;
    const buffer = isNewest ? this.#buffer : this.#buffer.slice(0, this.length);
    buffer.push(item);
    return new List(buffer, buffer.length);
  }

  /** Counts from the end when negative, as arrays do. */
  at(index: number): T | undefined {
    const place = index < 0 ? this.length + index : index;
    return place >= 0 && place < this.length ? this.#buffer[place] : undefined;
  }

  slice(start = 0, end = this.length): T[] {
    return this.#buffer.slice(0, this.length).slice(start, end);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let index = 0; index < this.length; index++) yield this.#buffer[index] as T; // index < length, so it is there
  }
}

/** An immutable set of strings with the same bargain: adding to the newest version is constant time. */
export class NameSet {
  readonly #order: Map<string, number>;
  readonly size: number;

  private constructor(order: Map<string, number>, size: number) {
    this.#order = order;
    this.size = size;
  }

  static readonly empty = (): NameSet => new NameSet(new Map(), 0);

  has(name: string): boolean {
    const place = this.#order.get(name);
    return place !== undefined && place < this.size;
  }

  add(name: string): NameSet {
    if (this.has(name)) return this;
    const isNewest = this.#order.size === this.size;
    const order = isNewest ? this.#order : new Map([...this.#order].slice(0, this.size));
    order.set(name, order.size);
    return new NameSet(order, order.size);
  }
}
