/** The parts of a reply in the order in which the model said them, for wires on which that order must be kept. */
import type { Reply, ToolCall } from '../../protocol/message.ts';

/** A part as the vendor sent it. Calls are known by the id that they had then. */
export type NativePart =
  | { readonly kind: 'opaque'; readonly value: object }
  | { readonly kind: 'text'; readonly text: string; readonly value: object }
  | { readonly kind: 'call'; readonly id: string; readonly value: object };

export type ReplyPart =
  | { readonly kind: 'opaque'; readonly value: object }
  /** `value` is what the vendor sent with it, where that is known. */
  | { readonly kind: 'text'; readonly text: string; readonly value?: object }
  | { readonly kind: 'call'; readonly call: ToolCall; readonly value?: object };

/** How texts that are parts of one reply stand in it for people. */
export const partBreak = '\n\n';

/**
 * The reply's own text and calls in the places where `native` had them. What it no longer has is left out; what it has
 * beyond them (a call found in the text, a text changed by a policy) follows.
 */
export function partsInOrder({ text, calls }: Reply, native: readonly NativePart[]): ReplyPart[] {
  const said = native.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const isSame = said.filter((piece) => piece !== '').join(partBreak) === text;
  const callOf = matched(calls, native);
  const placed = new Set<ToolCall>();
  let isTextPlaced = text === '';
  const parts: ReplyPart[] = [];
  for (const part of native) {
    if (part.kind === 'opaque') parts.push(part);
    else if (part.kind === 'text') {
      if (isSame) parts.push(part);
      else if (!isTextPlaced) parts.push({ kind: 'text', text, value: part.value });
      isTextPlaced = true;
    } else {
      const call = callOf(part);
      if (!call) continue;
      placed.add(call);
      parts.push({ kind: 'call', call, value: part.value });
    }
  }
  if (!isTextPlaced) parts.push({ kind: 'text', text });
  for (const call of calls) if (!placed.has(call)) parts.push({ kind: 'call', call });
  return parts;
}

/** The session may have given calls fresh ids: as many as the vendor sent are taken in order, others by their ids. */
function matched(
  calls: readonly ToolCall[],
  native: readonly NativePart[],
): (part: NativePart) => ToolCall | undefined {
  const sent = native.filter((part) => part.kind === 'call');
  if (sent.length === calls.length) return (part) => calls[sent.findIndex((one) => one === part)];
  return (part) => (part.kind === 'call' ? calls.find(({ id }) => id === part.id) : undefined);
}
