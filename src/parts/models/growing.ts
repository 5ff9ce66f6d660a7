/** The bytes of a request that only ever grows: a step encodes what is new and sends the rest as it stands. */
import type { List } from '../../base/list.ts';
import type { Message } from '../../protocol/message.ts';

const firstCapacity = 16 * 1024;

/** What comes after the bytes so far: `length` counts them, `state` is what the last call returned. */
export type Append<State> = (
  message: Message,
  before: { readonly state: State; readonly length: number },
) => { readonly text: string; readonly state: State };

/** Elements of an open list, joined by commas; the state tells whether one stands there. A message may have no element. */
export const inList =
  (json: (message: Message) => string): Append<boolean> =>
  (message, { state: hasElement }) => {
    const text = json(message);
    return { text: hasElement && text !== '' ? `,${text}` : text, state: hasElement || text !== '' };
  };

export class GrowingBody<State> {
  #head = '';
  #bytes = Buffer.alloc(0);
  #length = 0;
  #state: State | undefined;
  /** The messages that the bytes hold, in order. */
  #messages: Message[] = [];

  /**
   * The bytes of `head` and of what `append` makes of each message, and the state after the last. Bytes that were handed
   * out are never written again, so requests may overlap.
   */
  take(
    head: { readonly text: string; readonly state: State },
    messages: List<Message>,
    append: Append<State>,
  ): { readonly bytes: Uint8Array; readonly state: State } {
    let state = this.#continues(head.text, messages) && this.#state !== undefined ? this.#state : this.#restart(head);
    for (let index = this.#messages.length; index < messages.length; index++) {
      const message = messages.at(index);
      if (!message) break;
      const more = append(message, { state, length: this.#length });
      state = more.state;
      this.#append(more.text);
      this.#messages.push(message);
    }
    this.#state = state;
    return { bytes: this.#bytes.subarray(0, this.#length), state };
  }

  #continues(head: string, messages: List<Message>): boolean {
    if (head !== this.#head || this.#messages.length > messages.length) return false;
    return this.#messages.every((message, index) => message === messages.at(index));
  }

  #restart({ text, state }: { readonly text: string; readonly state: State }): State {
    this.#bytes = Buffer.allocUnsafe(firstCapacity);
    this.#length = 0;
    this.#head = text;
    this.#messages = [];
    this.#append(text);
    return state;
  }

  #append(text: string): void {
    const needed = this.#length + Buffer.byteLength(text);
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length);
  }
}
