/** Output items of a response as they grow. */
import { isObject, listOf, loose, textOf } from '../loose.ts';

export type Item =
  | { readonly kind: 'message'; readonly pieces: string[]; start: object }
  /** `start` is the item as it was last sent whole. */
  | { readonly kind: 'reasoning'; readonly pieces: string[]; start: object }
  | { readonly kind: 'call'; readonly pieces: string[]; start: object; bytes: number };

export type ItemField =
  | 'type'
  | 'id'
  | 'call_id'
  | 'name'
  | 'arguments'
  | 'content'
  | 'summary'
  | 'phase'
  | 'text'
  | 'refusal';

/** Undefined for a kind of item that we asked nobody for. */
export function openItem(value: unknown): Item | undefined {
  const start = isObject(value) ? value : {};
  switch (loose<ItemField>(value).type) {
    case 'message':
      return { kind: 'message', pieces: [], start };
    case 'reasoning':
      return { kind: 'reasoning', pieces: [], start };
    case 'function_call':
      return { kind: 'call', pieces: [], start, bytes: 0 };
    default:
      return undefined;
  }
}

/** The whole text that an item holds by itself, streamed or not. */
export function textIn({ kind, start }: Item): string {
  const { content, summary, arguments: args } = loose<ItemField>(start);
  switch (kind) {
    case 'message':
      return listOf(content).map(partText).join('');
    case 'reasoning':
      return listOf(summary).map(partText).join('\n\n') || listOf(content).map(partText).join('');
    case 'call':
      return textOf(args);
    default:
      return kind satisfies never;
  }
}

function partText(part: unknown): string {
  const { text, refusal } = loose<ItemField>(part);
  return textOf(text) || textOf(refusal);
}

export const nameOf = ({ start }: Item): string => textOf(loose<ItemField>(start).name);

export const callOf = (item: Item): { id: string; name: string; arguments: string } => ({
  id: callId(item),
  name: nameOf(item),
  arguments: item.pieces.join(''),
});

const callId = ({ start }: Item): string => {
  const { call_id: callId, id } = loose<ItemField>(start);
  return textOf(callId) || textOf(id);
};

/** As it is kept to go back: reasoning with everything that came, texts and calls as their places. */
export function keptItem(item: Item): object {
  const { phase } = loose<ItemField>(item.start);
  switch (item.kind) {
    case 'message':
      return { type: 'message', ...(textOf(phase) ? { phase } : {}), text: item.pieces.join('') };
    case 'reasoning':
      return item.start;
    case 'call':
      return { type: 'function_call', call_id: callId(item) };
    default:
      return item satisfies never;
  }
}
