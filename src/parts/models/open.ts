/** A wire for an endpoint, retried; the wire's own code is loaded with the first request. */
import type { Wire } from '../../loop/ports.ts';
import type { Endpoint, WireOptions } from './endpoint.ts';
import { type RetryOptions, retrying } from './retry.ts';

/** The one place that knows where each wire lives. */
const wires = {
  chat: async () => (await import('./chat/wire.ts')).chatWire,
} satisfies Record<Endpoint['wire'], () => Promise<(endpoint: Endpoint, options: WireOptions) => Wire>>;

export function openWire(endpoint: Endpoint, options: WireOptions & RetryOptions): Wire {
  let opened: Promise<Wire> | undefined;
  const open = async (): Promise<Wire> => (await wires[endpoint.wire]())(endpoint, options);
  return retrying(async (request, io) => {
    opened ??= open();
    return (await opened)(request, io);
  }, options);
}
