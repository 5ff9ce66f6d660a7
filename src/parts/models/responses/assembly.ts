/** A reply put together from the events of a response, or from the one response of an answer that was not streamed. */
import type { Emit } from '../../../loop/ports.ts';
import type { FinishReason, RawReply, Usage } from '../../../protocol/model.ts';
import { TextGathering } from '../assembly/texts.ts';
import type { Assembly } from '../exchange.ts';
import type { Progress } from '../http.ts';
import { listOf, loose, textOf } from '../loose.ts';
import { callOf, type Item, keptItem, nameOf, openItem, textIn } from './items.ts';
import type { NativeItems } from './native.ts';
import { usageIn } from './usage.ts';

const finishReasons: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  max_tokens: 'length',
  content_filter: 'filtered',
};

type EventField = 'type' | 'output_index' | 'item_id' | 'item' | 'delta' | 'response' | 'object' | 'summary_index';
type ResponseField = 'model' | 'status' | 'output' | 'incomplete_details' | 'usage';

/** The item that an event is about: by its place, or by its id where a server counts nothing. */
type Place = number | string;

export class ResponseAssembly implements Assembly {
  isEnded = false;
  #finishWord: string | undefined;
  #servedBy: string | undefined;
  #usage: Usage | undefined;
  /** In the order in which they were opened. */
  readonly #items = new Map<Place, Item>();
  #summary = 0;
  readonly #text: TextGathering;
  readonly #emit: Emit;

  constructor(emit: Emit) {
    this.#emit = emit;
    this.#text = new TextGathering(emit);
  }

  take(chunk: unknown): Progress {
    const { type, item, delta, response, object } = loose<EventField>(chunk);
    const isWhole = object === 'response' || (type === undefined && Array.isArray(loose<'output'>(chunk).output));
    if (isWhole) return this.#conclude(chunk);
    const place = placeOf(chunk);
    switch (type) {
      case 'response.output_item.added':
        return this.#open(place, item)?.kind === 'reasoning' ? 'alive' : 'on';
      case 'response.output_item.done':
        this.#close(place, item);
        return 'on';
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.#grow(place, 'message', textOf(delta));
      case 'response.function_call_arguments.delta':
        return this.#grow(place, 'function_call', textOf(delta));
      case 'response.reasoning_summary_text.delta':
        return this.#grow(place, 'reasoning', this.#break(chunk) + textOf(delta));
      case 'response.reasoning_text.delta':
        return this.#grow(place, 'reasoning', textOf(delta));
      case 'response.completed':
      case 'response.incomplete':
        return this.#conclude(response);
      default:
        this.#servedBy ??= textOf(loose<ResponseField>(response).model) || undefined;
        return 'alive';
    }
  }

  /** An end mark, or the end of a body, says nothing here: only a response that is over does. */
  end(): void {}

  get hasFinish(): boolean {
    return this.isEnded;
  }

  get isEmpty(): boolean {
    return !this.#all.some((item) => item.kind === 'call' || item.pieces.length > 0);
  }

  get namelessCalls(): number {
    return this.#all.filter((item) => item.kind === 'call' && nameOf(item) === '').length;
  }

  get reply(): RawReply {
    const items = this.#all.filter((item) => item.kind !== 'call' || nameOf(item) !== '');
    const calls = items.filter(({ kind }) => kind === 'call').map(callOf);
    const reasoning = items.flatMap((item) => (item.kind === 'reasoning' ? [item.pieces.join('')] : []));
    const finish = this.#finish(calls.length > 0);
    const native = nativeOf(items);
    return {
      text: this.#text.text,
      calls,
      finish,
      isCut: finish === 'length' || finish === 'unknown',
      ...(reasoning.some((text) => text !== '') ? { reasoning: reasoning.filter(Boolean).join('\n\n') } : {}),
      ...(this.#finishWord === undefined ? {} : { finishWord: this.#finishWord }),
      ...(this.#usage ? { usage: this.#usage } : {}),
      ...(this.#servedBy === undefined ? {} : { servedBy: this.#servedBy }),
      ...(native ? { native } : {}),
    };
  }

  get #all(): readonly Item[] {
    return [...this.#items.values()];
  }

  #finish(hasCalls: boolean): FinishReason {
    if (this.#finishWord === 'completed') return hasCalls ? 'calls' : 'stop';
    return finishReasons[this.#finishWord ?? ''] ?? 'unknown';
  }

  /** A response that is over, as the last event brings it or as the whole body. */
  #conclude(response: unknown): Progress {
    const { model, status, output, incomplete_details: details, usage } = loose<ResponseField>(response);
    this.#servedBy = textOf(model) || this.#servedBy;
    this.#usage = usageIn(usage) ?? this.#usage;
    // Some servers stream no items, or not all of them.
    for (const [index, item] of listOf(output).entries()) if (!this.#knows(index, item)) this.#close(index, item);
    const reason = textOf(loose<'reason'>(details).reason);
    this.#finishWord = reason || textOf(status) || 'completed';
    this.isEnded = true;
    return 'done';
  }

  #knows(index: number, item: unknown): boolean {
    const { id } = loose<'id'>(item);
    return this.#items.has(index) || (typeof id === 'string' && this.#items.has(id));
  }

  #open(place: Place, value: unknown): Item | undefined {
    const item = openItem(value);
    if (!item || this.#items.has(place)) return item;
    this.#items.set(place, item);
    if (item.kind === 'message') this.#text.open();
    if (item.kind === 'call') this.#emit({ type: 'call.grew', name: nameOf(item), bytes: 0 });
    return item;
  }

  /** The item as it is in the end. What was not streamed of it is said now; arguments are what it says they are. */
  #close(place: Place, value: unknown): void {
    this.#open(place, value);
    const item = this.#items.get(place);
    const final = openItem(value);
    if (!item || final?.kind !== item.kind) return;
    item.start = final.start;
    const whole = textIn(item);
    if (item.kind === 'call' && whole !== '') item.pieces.length = 0;
    if (item.pieces.length === 0 && whole !== '') this.#say(item, whole);
  }

  /** A delta of an item that was never announced opens it. */
  #grow(place: Place, type: string, delta: string): Progress {
    const item = this.#items.get(place) ?? this.#open(place, { type });
    if (item && delta !== '') this.#say(item, delta);
    return 'on';
  }

  #say(item: Item, delta: string): void {
    item.pieces.push(delta);
    if (item.kind === 'message') this.#text.say(delta);
    else if (item.kind === 'reasoning') this.#emit({ type: 'reasoning.grew', delta });
    else {
      item.bytes = item.pieces.length === 1 ? delta.length : item.bytes + delta.length;
      this.#emit({ type: 'call.grew', name: nameOf(item), bytes: item.bytes });
    }
  }

  /** Between the paragraphs of a summary. */
  #break(chunk: unknown): string {
    const { summary_index: index } = loose<EventField>(chunk);
    const isNext = typeof index === 'number' && index > this.#summary;
    this.#summary = typeof index === 'number' ? index : this.#summary;
    return isNext ? '\n\n' : '';
  }
}

function placeOf(chunk: unknown): Place {
  const { output_index: index, item_id: id, item } = loose<EventField>(chunk);
  return typeof index === 'number' ? index : textOf(id) || textOf(loose<'id'>(item).id);
}

/** A plain text, or plain calls, say all that there is to say. */
const nativeOf = (items: readonly Item[]): NativeItems | undefined =>
  items.some(({ kind, start }) => kind === 'reasoning' || 'phase' in start)
    ? { items: items.map(keptItem) }
    : undefined;
