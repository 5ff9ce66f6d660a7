/**
 * The history that every server accepts, whatever the list was: calls and results complete in both directions and adjacent,
 * ids unique, roles in a legal order, nobody silent, the last word one that a model can answer. A sound list is handed back as
 * it is.
 */
import { historyFaults } from '../../loop/history.ts';
import type { Message, Reply, ToolCall, ToolResult, UserMessage } from '../../protocol/message.ts';

/** Never refuses: what cannot be kept is left out, what is missing is said in its place. */
export function soundHistory(messages: readonly Message[]): readonly Message[] {
  const isSound = historyFaults(messages).length === 0 && messages.every(isSaid) && messages.at(-1)?.from !== 'model';
  return isSound ? messages : rebuilt(messages);
}

const isSaid = (message: Message): boolean =>
  message.from === 'tools' ? message.results.length > 0 : message.text.trim() !== '' || hasMore(message);

const hasMore = (message: UserMessage | Reply): boolean =>
  message.from === 'user' ? (message.images?.length ?? 0) > 0 : message.calls.length > 0;

function rebuilt(messages: readonly Message[]): Message[] {
  const results = new Map<string, ToolResult[]>();
  for (const message of messages) {
    if (message.from !== 'tools') continue;
    // Two calls under one id have their results in the same order.
    for (const result of message.results) results.set(result.callId, [...(results.get(result.callId) ?? []), result]);
  }
  const ids = new Set<string>();
  const sound: Message[] = [];
  for (const message of messages) {
    if (message.from === 'tools' || !isSaid(message)) continue;
    if (message.from === 'model' && (sound.length === 0 || sound.at(-1)?.from === 'model'))
      sound.push({ from: 'user', text: goOn, by: 'history' });
    sound.push(...(message.from === 'model' ? withResults(message, { ids, results }) : [message]));
  }
  if (sound.length === 0 || sound.at(-1)?.from === 'model') sound.push({ from: 'user', text: goOn, by: 'history' });
  return sound;
}

const goOn = 'Go on.';

interface Pairing {
  readonly ids: Set<string>;
  readonly results: Map<string, ToolResult[]>;
}

/** The reply and, right behind it, one result for each of its calls. */
function withResults(reply: Reply, pairing: Pairing): Message[] {
  if (reply.calls.length === 0) return [reply];
  const pairs = reply.calls.map((call) => paired(call, pairing));
  const isSame = pairs.every(({ call }, index) => call === reply.calls[index]);
  return [
    isSame ? reply : { ...reply, calls: pairs.map(({ call }) => call) },
    { from: 'tools', results: pairs.map(({ result }) => result) },
  ];
}

function paired(call: ToolCall, { ids, results }: Pairing): { call: ToolCall; result: ToolResult } {
  const found = results.get(call.id)?.shift();
  let id = call.id || 'call';
  for (let copy = 2; ids.has(id); copy++) id = `${call.id || 'call'}_${copy}`;
  ids.add(id);
  const result = found ?? { callId: id, ok: false, text: 'Outcome unknown: the result of this call is missing.' };
  return {
    call: id === call.id ? call : { ...call, id },
    result: result.callId === id ? result : { ...result, callId: id },
  };
}

/** For servers that want the roles in turn: what one says in a row is one message. */
export function alternating(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.from === 'user' && last?.from === 'user') merged[merged.length - 1] = together(last, message);
    else if (message.from === 'model' && last?.from === 'model' && last.calls.length === 0)
      merged[merged.length - 1] = { ...message, text: [last.text, message.text].filter(Boolean).join('\n\n') };
    else merged.push(message);
  }
  return merged;
}

function together(first: UserMessage, second: UserMessage): UserMessage {
  const images = [...(first.images ?? []), ...(second.images ?? [])];
  return {
    from: 'user',
    text: [first.text, second.text].filter(Boolean).join('\n\n'),
    ...(images.length > 0 ? { images } : {}),
  };
}
