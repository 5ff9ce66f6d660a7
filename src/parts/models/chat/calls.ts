/** Tool calls put together from their deltas, whatever a server leaves out of them. */
import type { RawReply } from '../../../protocol/model.ts';
import { isObject, listOf, loose, textOf } from '../loose.ts';

interface Slot {
  readonly index: number | undefined;
  id: string;
  name: string;
  /** A list, joined once: a call may come in thousands of pieces. */
  readonly pieces: string[];
  bytes: number;
}

/** What a delta added. */
export interface Growth {
  readonly name: string;
  /** Characters of the arguments so far. */
  readonly bytes: number;
}

export class CallGathering {
  readonly #slots: Slot[] = [];

  /** Takes `tool_calls` of a delta or a message: a list, or one call where a list belongs. */
  take(calls: unknown): Growth[] {
    return (isObject(calls) ? [calls] : listOf(calls)).filter(isObject).map((call) => this.#takeOne(call));
  }

  /** The old single `function_call`. */
  takeFunction(call: unknown): Growth[] {
    return isObject(call) ? [this.#takeOne({ index: 0, function: call })] : [];
  }

  /** Every call that has a name; one without can be neither run nor sent back. */
  get calls(): RawReply['calls'] {
    return this.#slots
      .filter(({ name }) => name !== '')
      .map(({ id, name, pieces }) => ({ id, name, arguments: pieces.join('') }));
  }

  get nameless(): number {
    return this.#slots.filter(({ name }) => name === '').length;
  }

  #takeOne(call: object): Growth {
    const { index, id, function: inner, ...outer } = loose<'index' | 'id' | 'function' | 'name' | 'arguments'>(call);
    const source = isObject(inner) ? loose<'name' | 'arguments'>(inner) : outer;
    const place = typeof index === 'number' ? index : undefined;
    const name = textOf(source.name);
    const slot = this.#slotFor({ index: place, id: textOf(id), name });
    slot.id ||= textOf(id);
    // Names are set, not appended; a server that sends the name so far each time ends with the whole of it.
    if (name.startsWith(slot.name)) slot.name = name;
    const piece = argumentsText(source.arguments);
    slot.pieces.push(piece);
    slot.bytes += piece.length;
    return { name: slot.name, bytes: slot.bytes };
  }

  #slotFor(head: { index: number | undefined; id: string; name: string }): Slot {
    return this.#known(head) ?? this.#open(head.index);
  }

  #known({ index, id, name }: { index: number | undefined; id: string; name: string }): Slot | undefined {
    const byId = id === '' ? undefined : this.#slots.find((slot) => slot.id === id);
    if (byId) return byId;
    const last = index === undefined ? this.#slots.at(-1) : this.#slots.findLast((slot) => slot.index === index);
    if (!last) return undefined;
    // A further id opens a further call, also under an index that was used before; a bare fresh id does not.
    if (id !== '' && last.id !== '' && name !== '') return undefined;
    if (index === undefined && id !== '' && last.id !== '') return undefined;
    // Without id and index, a name after a named call is the next call.
    if (index === undefined && id === '' && name !== '' && last.name !== '') return undefined;
    return last;
  }

  #open(index: number | undefined): Slot {
    const slot: Slot = { index, id: '', name: '', pieces: [], bytes: 0 };
    this.#slots.push(slot);
    return slot;
  }
}

/** Text as it came; a value that is no text, as JSON. */
const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
