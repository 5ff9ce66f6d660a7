/** The bytes of a request that only ever grows: a step encodes what is new and sends the rest as it stands. */
import type { List } from '../../base/list.ts';
import type { Message } from '../../protocol/message.ts';

const firstCapacity = 16 * 1024;

export class GrowingBody {
  #head = '';
  #bytes = Buffer.alloc(0);
  #length = 0;
  #hasElement = false;
  /** The messages that the bytes hold, in order. */
  #messages: Message[] = [];

  /**
   * `head` and the JSON of each message, joined by commas; `head` ends inside an open list, `hasElement` tells whether
   * one stands in it already. Bytes that were handed out are never written again, so requests may overlap.
   */
  take(
    head: { readonly text: string; readonly hasElement: boolean },
    messages: List<Message>,
    json: (message: Message) => string,
  ): Uint8Array {
    if (!this.#continues(head.text, messages)) this.#restart(head);
    for (let index = this.#messages.length; index < messages.length; index++) {
      const message = messages.at(index);
      if (!message) break;
      const text = json(message);
      if (text !== '') this.#append(this.#hasElement ? `,${text}` : text);
      this.#hasElement ||= text !== '';
      this.#messages.push(message);
    }
    return this.#bytes.subarray(0, this.#length);
  }

  #continues(head: string, messages: List<Message>): boolean {
    if (head !== this.#head || this.#messages.length > messages.length) return false;
    return this.#messages.every((message, index) => message === messages.at(index));
  }

  #restart({ text, hasElement }: { readonly text: string; readonly hasElement: boolean }): void {
    this.#bytes = Buffer.allocUnsafe(firstCapacity);
    this.#length = 0;
    this.#head = text;
    this.#hasElement = hasElement;
    this.#messages = [];
    this.#append(text);
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
