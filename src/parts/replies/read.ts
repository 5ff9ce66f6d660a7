/** From a raw reply to one that the loop can act on. Arguments are read strictly: what is no JSON is told, not guessed. */
import { attemptSync, messageOf } from '../../base/attempt.ts';
import type { Reply, ToolCall } from '../../protocol/message.ts';
import type { RawReply } from '../../protocol/model.ts';

export interface Source {
  /** The wire that made the raw reply. */
  readonly wire: string;
  /** `provider/model`. */
  readonly model: string;
}

export function readReply(raw: RawReply, { wire, model }: Source): Reply {
  const { text, reasoning, native } = raw;
  return {
    from: 'model',
    text,
    ...(reasoning ? { reasoning } : {}),
    calls: raw.calls.map((call) => readCall(call, raw)),
    ...(native === undefined ? {} : { native: { wire, model, content: native } }),
  };
}

function readCall({ id, name, arguments: text }: RawReply['calls'][number], raw: RawReply): ToolCall {
  const atCap = raw.finish === 'length';
  // No arguments at all are an empty object, unless the cap may have swallowed them.
  if (text.trim() === '' && !atCap) return { id, name, input: {} };
  const parsed = attemptSync(() => JSON.parse(text) as unknown, messageOf);
  if (parsed.ok) return { id, name, input: parsed.value };
  return { id, name, input: text, unreadable: atCap ? overCap(text) : `${parsed.fault}.` };
}

const overCap = (text: string): string =>
  `the reply reached its output limit inside this call, after ${text.length} characters of arguments. ` +
  'Send it again in smaller pieces: a shorter file first, the rest by further edits.';
