/** Gemini's generateContent. Nothing that a server sent is mended here. */
import type { Wire } from '../../../loop/ports.ts';
import type { Endpoint, WireOptions } from '../endpoint.ts';
import { modelFault, openFormat } from '../exchange.ts';
import { methodUrl } from './address.ts';
import { GeminiAssembly } from './assembly.ts';
import { errorIn, unreadCall } from './refusals.ts';
import { bodyBuilder } from './request.ts';

export const geminiWire = (endpoint: Endpoint, options: WireOptions): Wire =>
  openFormat(endpoint, options, {
    name: 'gemini',
    noun: 'Gemini response',
    url: (isStreamed) => methodUrl(endpoint.url, isStreamed),
    build: bodyBuilder(endpoint),
    assembly: (emit) => new GeminiAssembly(emit),
    errorIn,
    faultIn: (chunk) => {
      const unread = unreadCall(chunk);
      return unread === undefined ? undefined : modelFault(endpoint, { unread });
    },
  });
