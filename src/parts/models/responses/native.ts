/** Output items of a reply that must go back: reasoning as it came, the rest as places in an order. */
import { isObject, listOf, loose, textOf } from '../loose.ts';
import type { NativePart } from '../parts.ts';

/** What is kept of a reply. Of a call only the id is: its arguments are in the reply, mended. */
export interface NativeItems {
  readonly items: readonly object[];
}

type ItemField = 'type' | 'text' | 'call_id' | 'encrypted_content' | 'content';

/** Empty where this wire did not make `native`. */
export const nativeParts = (native: unknown): NativePart[] =>
  listOf(loose<'items'>(native).items)
    .filter(isObject)
    .flatMap((item): NativePart[] => {
      const { type, text, call_id: id } = loose<ItemField>(item);
      if (type === 'message') return [{ kind: 'text', text: textOf(text), value: item }];
      if (type === 'function_call') return [{ kind: 'call', id: textOf(id), value: item }];
      const value = type === 'reasoning' ? returnable(item) : undefined;
      return value ? [{ kind: 'opaque', value }] : [];
    });

/**
 * Sealed reasoning goes back without its id: nothing was stored, so a server that looks the id up finds nothing. Open
 * reasoning of a server that seals nothing goes back whole; a summary alone is of no use to the model.
 */
function returnable(item: object): object | undefined {
  const { id: _, status: __, ...rest } = loose<'id' | 'status'>(item);
  const { encrypted_content: sealed, content } = loose<ItemField>(item);
  if (textOf(sealed)) return rest;
  return listOf(content).length > 0 ? item : undefined;
}
