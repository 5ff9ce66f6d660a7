/**
 * Finds out that a server cuts prompts without a word: its count of tokens stands still at a limit although the prompt
 * grew. Never from how many characters a token seems to have, and never from a count that fell: servers that leave out
 * what they had cached count less as well.
 */
import type { Emit, Wire } from '../../../loop/ports.ts';

interface Reading {
  /** What was sent, without images. */
  readonly bytes: number;
  /** What the server says it read; zero says nothing. */
  readonly tokens: number;
}

/** No tokeniser makes nothing of so many more bytes. */
const growth = 2000;
/** Smaller than any window in use: a server that always says the same count does not know it. Tokens. */
const leastWindow = 1024;
/** Windows are multiples of this; some servers leave one token free. Tokens. */
const grain = 256;

/** Takes each reading of a model in order; returns the window, in tokens, at which the count was found standing still. */
export function standstill(): (reading: Reading) => number | undefined {
  let before: Reading | undefined;
  return (reading) => {
    const isAgain = before?.tokens === reading.tokens;
    const grewBy = reading.bytes - (before?.bytes ?? reading.bytes);
    if (!isAgain || grewBy < 0) before = reading;
    return isAgain && grewBy >= growth && isLimit(reading.tokens) ? reading.tokens : undefined;
  };
}

const isLimit = (tokens: number): boolean =>
  tokens >= leastWindow - 1 && (tokens % grain === 0 || (tokens + 1) % grain === 0);

/** Tells a silent cut once for each window; the reply is handed on, for it came from a model that was asked. */
export function watchingForCuts(wire: Wire, model: string): Wire {
  const standsAt = standstill();
  let told: number | undefined;
  return async (request, io) => {
    let bytes = 0;
    const emit: Emit = (happening) => {
      if (happening.type === 'request.sent') ({ bytes } = happening);
      io.emit(happening);
    };
    const answer = await wire(request, { ...io, emit });
    if (!answer.ok || !answer.value.usage) return answer;
    let images = 0;
    for (const message of request.messages.slice())
      if (message.from === 'user') for (const { base64 } of message.images ?? []) images += base64.length;
    const windowTokens = standsAt({ bytes: bytes - images, tokens: answer.value.usage.inputTokens });
    if (windowTokens === undefined || windowTokens === told) return answer;
    told = windowTokens;
    const text = `${model}: the server reads only the last ${windowTokens} tokens of a longer prompt, without saying so. They are taken for its window from now on; let it open a larger one.`;
    io.emit({ type: 'noted', by: 'models', kind: 'prompt cut', data: { model, windowTokens, text } });
    return answer;
  };
}
