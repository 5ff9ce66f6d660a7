/** Tool calls put together from their deltas, whatever a server leaves out of them. */
import type { RawReply } from '../../../protocol/model.ts';
import { isObject, listOf, loose, textOf } from '../loose.ts';
import { argumentsFrom, isJson } from './pieces.ts';

interface Slot {
  index: number | undefined;
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

interface Head {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly piece: string;
}

export class CallGathering {
  readonly #slots: Slot[] = [];
  readonly #names: ReadonlySet<string>;

  /** `names` are those of the declared tools: they tell a name that comes in pieces from one that is sent again. */
  constructor(names: Iterable<string> = []) {
    this.#names = new Set(names);
  }

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
      .map(({ id, name, pieces }) => ({ id, name, arguments: argumentsFrom(pieces) }));
  }

  /** Calls that never got a name. */
  get nameless(): number {
    return this.#slots.filter(({ name, bytes }) => name === '' && bytes > 0).length;
  }

  #takeOne(call: object): Growth {
    const { index, id, function: inner, ...outer } = loose<'index' | 'id' | 'function' | 'name' | 'arguments'>(call);
    const source = isObject(inner) ? loose<'name' | 'arguments'>(inner) : outer;
    const head: Head = {
      index: indexOf(index),
      id: textOf(id),
      name: textOf(source.name),
      piece: argumentsText(source.arguments),
    };
    const slot = this.#known(head) ?? this.#open(head.index);
    slot.index ??= head.index;
    slot.id ||= head.id;
    slot.name = this.#nameOf(slot.name, head.name);
    slot.pieces.push(head.piece);
    slot.bytes += head.piece.length;
    return { name: slot.name, bytes: slot.bytes };
  }

  /** Names are set, not appended, unless only the pieces together name a tool. */
  #nameOf(before: string, name: string): string {
    if (name.startsWith(before)) return name;
    return !this.#names.has(before) && this.#names.has(before + name) ? before + name : before;
  }

  #known(head: Head): Slot | undefined {
    const { index, id, name } = head;
    const byId = id === '' ? undefined : this.#slots.findLast((slot) => slot.id === id && isSame(slot.index, index));
    if (byId) return isNextCall(byId, head) ? undefined : byId;
    const last = index === undefined ? this.#slots.at(-1) : this.#slots.findLast((slot) => slot.index === index);
    if (!last) return undefined;
    const hasOtherId = id !== '' && last.id !== '';
    // A further id opens a further call, also under an index that was used before; a bare fresh id does not.
    if (hasOtherId && (name !== '' || index === undefined || isFinished(last))) return undefined;
    if (isNextCall(last, head)) return undefined;
    // Without id and index, a name after a named call is the next call.
    if (index === undefined && id === '' && name !== '' && last.name !== '' && !this.#isPiece(last, name)) {
      return undefined;
    }
    return last;
  }

  /** True where the name goes on or repeats the one before, with the arguments still open. */
  #isPiece({ name: before, pieces }: Slot, name: string): boolean {
    const isOpen = pieces.some((piece) => piece !== '') && !isJson(pieces.join(''));
    return (isOpen && name === before) || (!this.#names.has(before) && this.#names.has(before + name));
  }

  #open(index: number | undefined): Slot {
    const slot: Slot = { index, id: '', name: '', pieces: [], bytes: 0 };
    this.#slots.push(slot);
    return slot;
  }
}

const isSame = (left: number | undefined, right: number | undefined): boolean =>
  left === undefined || right === undefined || left === right;

/** A call that is named anew after its arguments were whole, with other arguments, is the next one under the same id. */
function isNextCall(slot: Slot, { name, piece }: Head): boolean {
  if (name === '' || !piece.startsWith('{') || slot.name === '') return false;
  const text = slot.pieces.join('');
  return text.endsWith('}') && text !== '{}' && !piece.startsWith(text) && isJson(text);
}

const isFinished = ({ name, pieces }: Slot): boolean => name !== '' && isJson(pieces.join(''));

/** Some write it as text. */
const indexOf = (index: unknown): number | undefined => {
  const number = typeof index === 'string' && index.trim() !== '' ? Number(index) : index;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
};

/** Text as it came; a value that is no text, as JSON. */
const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
