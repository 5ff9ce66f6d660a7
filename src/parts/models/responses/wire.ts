/** OpenAI Responses. Nothing that a server sent is mended here. */
import type { Wire } from '../../../loop/ports.ts';
import type { Endpoint, WireOptions } from '../endpoint.ts';
import { openFormat } from '../exchange.ts';
import { isObject, loose, textOf } from '../loose.ts';
import { ResponseAssembly } from './assembly.ts';
import { leavingOut, type Optional } from './leavingOut.ts';
import { bodyBuilder } from './request.ts';

/** Models that do not reason refuse what is about reasoning, and unverified accounts its summary. */
const options: readonly Optional[] = [
  { name: 'include', refusal: /encrypted content is not supported|encrypted_content|\binclude\b/i },
  { name: 'summary', refusal: /reasoning[. _]summar(?:y|ies)/i },
];

export function responsesWire(endpoint: Endpoint, wireOptions: WireOptions): Wire {
  const leftOut = new Set<string>();
  const wire = openFormat(endpoint, wireOptions, {
    name: 'responses',
    noun: 'response of the Responses API',
    build: bodyBuilder(endpoint, leftOut),
    assembly: (emit) => new ResponseAssembly(emit),
    errorIn,
  });
  return leavingOut(wire, { by: 'wire.responses', options, leftOut });
}

type EventField = 'type' | 'error' | 'response' | 'code' | 'message';

/** A failed response holds its error, an error event is one or holds one; whatever has no type may be a gateway's. */
function errorIn(chunk: unknown): unknown {
  const { type, error, response, code, message } = loose<EventField>(chunk);
  if (type === undefined) return isObject(error) ? { ...Object(chunk), error: classed(error) } : chunk;
  if (type === 'error') return { error: classed(error ?? { code, message }) };
  if (type !== 'response.failed') return {};
  return { error: classed(loose<'error'>(response).error ?? { message: 'the response failed' }) };
}

/** Codes like `invalid_prompt` are the request's own fault, and asking again does not help. */
function classed(error: unknown): unknown {
  const isFinal = /^invalid_/.test(textOf(loose<'code'>(error).code));
  return isFinal ? { ...Object(error), status: 400 } : error;
}
