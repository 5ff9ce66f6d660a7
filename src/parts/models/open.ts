/** A wire for an endpoint, retried; the wire's own code is loaded with the first request. */
import type { Wire } from '../../loop/ports.ts';
import type { Endpoint, WireOptions } from './endpoint.ts';
import type { QuirkStore } from './refusals/memory.ts';
import type { TextTools } from './refusals/text-tools.ts';
import { type RetryOptions, retrying } from './retry.ts';

/** The one place that knows where each wire lives. */
const wires = {
  chat: async () => (await import('./chat/wire.ts')).chatWire,
  responses: async () => (await import('./responses/wire.ts')).responsesWire,
  anthropic: async () => (await import('./anthropic/wire.ts')).anthropicWire,
  gemini: async () => (await import('./gemini/wire.ts')).geminiWire,
  ollama: async () => (await import('./ollama/wire.ts')).ollamaWire,
  sdk: async () => (await import('./bridge/wire.ts')).sdkWire,
} satisfies Record<Endpoint['wire'], () => Promise<(endpoint: Endpoint, options: WireOptions) => Wire>>;

export const isWire = (name: string): name is Endpoint['wire'] => Object.hasOwn(wires, name);

export const wireNames = (): readonly string[] => Object.keys(wires);

export interface OpenOptions extends WireOptions {
  /** Where what servers refuse is kept; not at all where it is not given. */
  readonly quirks?: QuirkStore;
  /** How tools are spoken of to models that have no tool calling. */
  readonly textTools?: TextTools;
}

export function openWire(endpoint: Endpoint, options: OpenOptions & RetryOptions): Wire {
  return retrying(adaptingWire(endpoint, options), options);
}

/** The wire without retries: each refusal that has a repair is repaired. */
export function adaptingWire(endpoint: Endpoint, options: OpenOptions): Wire {
  let opened: Promise<Wire> | undefined;
  const open = async (): Promise<Wire> => {
    const { adaptingTo } = await import('./refusals/adapting.ts');
    const { memoryQuirks } = await import('./refusals/memory.ts');
    const { quirks = memoryQuirks(), textTools } = options;
    return adaptingTo({
      endpoint,
      quirks,
      ...(textTools ? { textTools } : {}),
      open: (to) => bareWire(to, options),
    });
  };
  return async (request, io) => {
    opened ??= open();
    return (await opened)(request, io);
  };
}

/** The wire as it is. */
export function bareWire(endpoint: Endpoint, options: WireOptions): Wire {
  let opened: Promise<Wire> | undefined;
  const open = async (): Promise<Wire> => (await wires[endpoint.wire]())(endpoint, options);
  return async (request, io) => {
    opened ??= open();
    return (await opened)(request, io);
  };
}
