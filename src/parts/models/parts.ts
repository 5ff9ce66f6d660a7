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
  const textFor = placedText(text, native);
  const callFor = placedCall(calls, native);
  const parts = native.flatMap((part): ReplyPart[] => {
    if (part.kind === 'opaque') return [part];
    if (part.kind === 'text') {
      const said = textFor(part);
      return said === '' ? [] : [{ kind: 'text', text: said, value: part.value }];
    }
    const call = callFor(part);
    return call ? [{ kind: 'call', call, value: part.value }] : [];
  });
  const hasText = text === '' || native.some(({ kind }) => kind === 'text');
  const placed = new Set(parts.flatMap((part) => (part.kind === 'call' ? [part.call] : [])));
  const further = calls.filter((call) => !placed.has(call));
  return [
    ...parts,
    ...(hasText ? [] : [{ kind: 'text' as const, text }]),
    ...further.map((call) => ({ kind: 'call' as const, call })),
  ];
}

/** Each part's own words; where those are not the reply's any more, all of the reply's in the first place. */
function placedText(text: string, native: readonly NativePart[]): (part: NativePart) => string {
  const texts = native.filter((part) => part.kind === 'text');
  const said = texts.map((part) => part.text).filter((piece) => piece !== '');
  if (said.join(partBreak) === text) return (part) => (part.kind === 'text' ? part.text : '');
  return (part) => (part === texts[0] ? text : '');
}

/** The session may have given calls fresh ids: as many as the vendor sent are taken in order, others by their ids. */
function placedCall(
  calls: readonly ToolCall[],
  native: readonly NativePart[],
): (part: Extract<NativePart, { kind: 'call' }>) => ToolCall | undefined {
  const sent = native.filter((part) => part.kind === 'call');
  if (sent.length === calls.length) return (part) => calls[sent.indexOf(part)];
  return (part) => calls.find(({ id }) => id === part.id);
}
