/** Reasoning fields of chat servers: read for people, kept word for word for the server that sent them. */
import { listOf, loose, textOf } from '../loose.ts';

/** What goes back with the message; each under the name that the server used. */
export interface NativeReasoning {
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly unknown[];
}

type ReasoningField = 'reasoning_content' | 'reasoning' | 'reasoning_details';

/** The fields of an earlier reply that this wire knows. */
export function returnedReasoning(native: unknown): NativeReasoning {
  const { reasoning_content: content, reasoning, reasoning_details: details } = loose<ReasoningField>(native);
  return {
    ...(textOf(content) ? { reasoning_content: textOf(content) } : {}),
    ...(textOf(reasoning) ? { reasoning: textOf(reasoning) } : {}),
    ...(listOf(details).length > 0 ? { reasoning_details: listOf(details) } : {}),
  };
}

/** Gathers the reasoning of one reply from its deltas. */
export class ReasoningGathering {
  #content = '';
  #reasoning = '';
  #parts = '';
  readonly #details: unknown[] = [];

  /** Takes one delta; returns the new text for people. Servers that send two fields say the same in both. */
  take(delta: unknown): string {
    const { reasoning_content, reasoning, reasoning_details } = loose<ReasoningField>(delta);
    const content = textOf(reasoning_content);
    const plain = textOf(reasoning);
    this.#content += content;
    this.#reasoning += plain;
    const details = listOf(reasoning_details);
    for (const detail of details) this.#takeDetail(detail);
    if (content || plain) return content || plain;
    return this.#content || this.#reasoning ? '' : details.map(detailText).join('');
  }

  /** Thinking that came as a part of the content: shown, but not sent back. */
  takePart(text: string): void {
    this.#parts += text;
  }

  get text(): string {
    return this.#content || this.#reasoning || this.#details.map(detailText).join('') || this.#parts;
  }

  /** Undefined where there is nothing to send back. */
  get native(): NativeReasoning | undefined {
    const native = returnedReasoning({
      reasoning_content: this.#content,
      reasoning: this.#reasoning,
      reasoning_details: this.#details,
    });
    return Object.keys(native).length > 0 ? native : undefined;
  }

  /** A text streamed in pieces is one entry; sealed entries stand for themselves. */
  #takeDetail(detail: unknown): void {
    const last = this.#details.at(-1);
    const joined = last === undefined ? undefined : joinedDetail(last, detail);
    if (joined === undefined) this.#details.push(detail);
    else this.#details[this.#details.length - 1] = joined;
  }
}

type DetailField = 'type' | 'index' | 'id' | 'text' | 'summary';

const detailText = (detail: unknown): string => {
  const { text, summary } = loose<DetailField>(detail);
  return textOf(text) || textOf(summary);
};

function joinedDetail(before: unknown, after: unknown): object | undefined {
  const old = loose<DetailField>(before);
  const more = loose<DetailField>(after);
  const isText = old.type === 'reasoning.text' || old.type === 'reasoning.summary';
  if (!isText || more.type !== old.type || more.index !== old.index) return undefined;
  if (old.id && more.id && old.id !== more.id) return undefined;
  const news = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null && value !== undefined));
  const field = old.type === 'reasoning.text' ? 'text' : 'summary';
  return { ...old, ...news, [field]: textOf(old[field]) + textOf(more[field]) };
}
