/** A wire to a model that cannot see: images of earlier turns, meant for another model, are left out and said. */
import { List } from '../../../base/list.ts';
import type { Wire } from '../../../loop/ports.ts';
import type { Message } from '../../../protocol/message.ts';

export function withoutSight(wire: Wire, model: string): Wire {
  // Made once for each message, so that request bodies grow on.
  const made = new WeakMap<Message, Message>();
  const blind = (message: Message): Message => {
    const count = message.from === 'user' ? (message.images?.length ?? 0) : 0;
    if (message.from !== 'user' || count === 0) return message;
    const known = made.get(message);
    if (known) return known;
    const { images: _, ...rest } = message;
    const remark = `[${count} image${count === 1 ? '' : 's'} left out: ${model} does not see images]`;
    const told: Message = { ...rest, text: [message.text, remark].filter(Boolean).join('\n') };
    made.set(message, told);
    return told;
  };
  return (request, io) => {
    const messages = request.messages.slice();
    const told = messages.map(blind);
    const isSame = told.every((message, index) => message === messages[index]);
    return wire(isSame ? request : { ...request, messages: List.from(told) }, io);
  };
}
