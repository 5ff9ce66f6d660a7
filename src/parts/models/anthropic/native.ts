/** Blocks of a reply that must go back: thinking word for word, the rest as places in an order. */
import { isObject, listOf, loose, textOf } from '../loose.ts';
import type { NativePart } from '../parts.ts';

/** What is kept of a reply with thinking. Of a call only the id is: its arguments are in the reply, mended. */
export interface NativeBlocks {
  readonly blocks: readonly object[];
}

export const isThinking = (type: unknown): boolean => type === 'thinking' || type === 'redacted_thinking';

/** Empty where this wire did not make `native`. */
export const nativeParts = (native: unknown): NativePart[] =>
  listOf(loose<'blocks'>(native).blocks)
    .filter(isObject)
    .flatMap((block): NativePart[] => {
      const { type, text, id } = loose<'type' | 'text' | 'id'>(block);
      if (isThinking(type)) return [{ kind: 'opaque', value: block }];
      if (type === 'text') return [{ kind: 'text', text: textOf(text), value: block }];
      return type === 'tool_use' ? [{ kind: 'call', id: textOf(id), value: block }] : [];
    });
