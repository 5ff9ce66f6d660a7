/** How many tokens a request is likely to be, piece by piece. Each message is weighed once. */
import type { ModelRequest } from '../../loop/ports.ts';
import type { Message } from '../../protocol/message.ts';
import { estimateTokens, tokensOfImage } from './estimate.ts';

export interface Measure {
  /** Tokens of one message; what the vendor gets back word for word is counted, too. */
  message(message: Message): number;
  /** Tokens of system prompt and tools. */
  fixed(request: Pick<ModelRequest, 'system' | 'tools'>): number;
}

/** Roles, ids and marks around each message and each result. */
const tokensAround = 6;

export function createMeasure(): Measure {
  const messages = new WeakMap<Message, number>();
  const heads = new WeakMap<object, number>();
  const once = <Key extends object>(known: WeakMap<Key, number>, key: Key, weigh: () => number): number => {
    const tokens = known.get(key) ?? weigh();
    known.set(key, tokens);
    return tokens;
  };
  return {
    message: (message) => once(messages, message, () => weightOf(message)),
    fixed: ({ system, tools }) =>
      once(heads, system, () => system.reduce((sum, { text }) => sum + estimateTokens(text), 0)) +
      once(heads, tools, () => estimateTokens(JSON.stringify(tools))),
  };
}

function weightOf(message: Message): number {
  switch (message.from) {
    case 'user':
      return estimateTokens(message.text) + (message.images?.length ?? 0) * tokensOfImage + tokensAround;
    case 'model':
      return (
        estimateTokens(message.text) +
        message.calls.reduce((sum, { name, input }) => sum + callTokens(name, input), 0) +
        (message.native === undefined ? 0 : estimateTokens(JSON.stringify(message.native.content) ?? '')) +
        tokensAround
      );
    case 'tools':
      return message.results.reduce((sum, { text }) => sum + estimateTokens(text) + tokensAround, 0);
    default:
      return message satisfies never;
  }
}

const callTokens = (name: string, input: unknown): number =>
  estimateTokens(name) + estimateTokens(JSON.stringify(input) ?? '') + tokensAround;
