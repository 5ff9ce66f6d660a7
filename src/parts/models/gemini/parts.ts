/**
 * The parts of a model's content: gathered from a stream, and returned as they came. A signature belongs to the very part
 * that carried it, so signed parts are never joined with others.
 */
import type { Reply, ToolCall } from '../../../protocol/message.ts';
import { isObject, listOf, loose, textOf } from '../loose.ts';
import { plainName, sentInput } from '../sent.ts';

export type PartField = 'text' | 'thought' | 'thoughtSignature' | 'functionCall';
export type CallField = 'id' | 'name' | 'args';

/** What goes back to the model that said it. Arguments are left out: they stand in the reply's calls. */
export interface NativeParts {
  readonly parts: readonly object[];
}

/** How long the name of a function may be. */
export const nameLength = 64;

/** Accepted in the place of a signature on calls that another model made. */
const foreignSignature = 'skip_thought_signature_validator';

export class PartGathering {
  readonly #parts: object[] = [];

  take(part: object): void {
    const last = this.#parts.at(-1);
    const joined = last && joinedText(last, part);
    if (joined) this.#parts[this.#parts.length - 1] = joined;
    else this.#parts.push(withoutArguments(part));
  }

  /** Undefined where the plain reply says it all. */
  get native(): NativeParts | undefined {
    const isSpecial = (part: object): boolean =>
      Object.keys(part).some((key) => key !== 'text' && key !== 'functionCall') ||
      loose<CallField>(loose<PartField>(part).functionCall).id !== undefined;
    const parts = this.#parts.filter((part) => !isBare(part));
    return parts.some(isSpecial) ? { parts } : undefined;
  }
}

const isBare = (part: object): boolean => Object.keys(part).length === 1 && loose<PartField>(part).text === '';

function withoutArguments(part: object): object {
  const { functionCall: call } = loose<PartField>(part);
  if (!isObject(call)) return part;
  const { args: _, ...rest } = loose<CallField>(call);
  return { ...part, functionCall: rest };
}

/** Two pieces of one unsigned text, as one; undefined where they must stay apart. */
function joinedText(before: object, after: object): object | undefined {
  const one = loose<PartField>(before);
  const other = loose<PartField>(after);
  const isPlain = (part: object): boolean => Object.keys(part).every((key) => key === 'text' || key === 'thought');
  if (!isPlain(before) || !isPlain(after) || Boolean(one.thought) !== Boolean(other.thought)) return undefined;
  return { ...before, text: textOf(one.text) + textOf(other.text) };
}

/** A call as it is sent back, with the id under which the server knows it. */
export interface SentCall {
  readonly call: ToolCall;
  readonly id?: string;
}

export interface ReturnedContent {
  readonly parts: readonly object[];
  readonly calls: readonly SentCall[];
}

/** A reply of this very model: its own parts, with what was mended in text and calls. */
export function ownContent({ text, calls }: Reply, native: unknown): ReturnedContent {
  const open = [...calls];
  const sent: SentCall[] = [];
  const parts = withText(listOf(loose<'parts'>(native).parts).filter(isObject), text).flatMap((part) => {
    const { functionCall } = loose<PartField>(part);
    if (!isObject(functionCall)) return [part];
    const call = takeCall(open, functionCall);
    if (!call) return [];
    const id = textOf(loose<CallField>(functionCall).id);
    sent.push({ call, ...(id ? { id } : {}) });
    return [{ ...part, ...callPart(call, id) }];
  });
  return {
    parts: [...parts, ...open.map((call) => callPart(call))],
    calls: [...sent, ...open.map((call) => ({ call }))],
  };
}

/** A reply of another model, or one that demands nothing back. */
export function plainContent({ text, calls }: Reply, demandsSignature: boolean): ReturnedContent {
  const signed = calls.map((call, index) => ({
    ...callPart(call),
    ...(demandsSignature && index === 0 ? { thoughtSignature: foreignSignature } : {}),
  }));
  return { parts: [...(text ? [{ text }] : []), ...signed], calls: calls.map((call) => ({ call })) };
}

/** The call that a part stands for: of the same id, or the next one of its name, or the next one. */
function takeCall(open: ToolCall[], functionCall: object): ToolCall | undefined {
  const { id, name } = loose<CallField>(functionCall);
  const places = [
    open.findIndex((call) => textOf(id) !== '' && call.id === id),
    open.findIndex((call) => call.name === name),
    0,
  ];
  const place = places.find((at) => at >= 0) ?? 0;
  return open.splice(place, 1)[0];
}

/** The text as it was said, or in its place the text that the reply was given since. */
function withText(parts: readonly object[], text: string): readonly object[] {
  const isSaid = (part: object): boolean => {
    const { text: said, thought, functionCall } = loose<PartField>(part);
    return typeof said === 'string' && !thought && functionCall === undefined;
  };
  const said = parts.filter(isSaid);
  if (said.map((part) => textOf(loose<PartField>(part).text)).join('') === text) return parts;
  const others = parts.filter((part) => !isSaid(part));
  const place = others.findIndex((part) => !loose<PartField>(part).thought);
  const at = place < 0 ? others.length : place;
  return text === '' ? others : [...others.slice(0, at), { text }, ...others.slice(at)];
}

const callPart = (call: ToolCall, id = ''): object => ({
  functionCall: { ...(id ? { id } : {}), name: plainName(call.name, nameLength), args: sentInput(call) },
});
