/** What tests of wires have in common: an endpoint on this machine, a request, an ear for what is emitted. */
import { List } from '../../../base/list.ts';
import type { Emit, ModelRequest, WorkIo } from '../../../loop/ports.ts';
import type { LiveEvent } from '../../../protocol/live.ts';
import type { Message } from '../../../protocol/message.ts';
import type { Dialect, Endpoint } from '../endpoint.ts';

export const secretKey = 'sk-scripted-0123456789abcdef';

export function endpointAt(url: string, dialect: Partial<Dialect> = {}): Endpoint {
  return {
    provider: 'local',
    modelId: 'small/one',
    model: 'local/small/one',
    wire: 'chat',
    url: `${url}/chat/completions`,
    root: url.replace(/\/v1$/, ''),
    keys: [secretKey],
    headers: { authorization: `Bearer ${secretKey}` },
    secrets: [secretKey],
    keyVariables: ['LOCAL_KEY'],
    dialect: { capField: 'max_tokens', asksForUsage: true, streams: true, ...dialect },
  };
}

export const said = (text: string): Message => ({ from: 'user', text });

export const asking = (
  messages: readonly Message[] = [said('hello')],
  more: Partial<ModelRequest> = {},
): ModelRequest => ({
  model: 'local/small/one',
  system: [{ name: 'identity', text: 'You are a test.' }],
  tools: [],
  messages: List.from(messages),
  ...more,
});

export interface Ear {
  readonly io: WorkIo;
  readonly heard: Parameters<Emit>[0][];
  /** The streamed text, joined. */
  text(): string;
  of<Type extends LiveEvent['type'] | 'noted' | 'heard'>(type: Type): Extract<Parameters<Emit>[0], { type: Type }>[];
}

export function ear(signal: AbortSignal = new AbortController().signal): Ear {
  const heard: Parameters<Emit>[0][] = [];
  const of: Ear['of'] = (type) =>
    heard.filter((happening): happening is Extract<typeof happening, { type: typeof type }> => happening.type === type);
  return {
    io: { signal, emit: (happening) => void heard.push(happening) },
    heard,
    of,
    text: () =>
      of('text.grew')
        .map(({ delta }) => delta)
        .join(''),
  };
}
