/** A request that overflows only because of the room that it reserves for the reply: the same request with a smaller reserve. */
import type { ModelRequest, Wire } from '../../loop/ports.ts';
import type { Fault } from '../../protocol/fault.ts';

/** A reply shorter than this would be cut before it says anything. Tokens. */
const leastReply = 512;
/** Servers count their own marks in the prompt, and not all of them tell. Tokens. */
const spare = 64;

/** Notes what a provider tells of its window, so that the session knows it from then on. */
export function fitting(wire: Wire): Wire {
  return async (request, io) => {
    const answer = await wire(request, io);
    if (answer.ok || answer.fault.kind !== 'overflow') return answer;
    const { windowTokens, promptTokens } = answer.fault;
    const cap = capThatFits(answer.fault, request);
    io.emit({
      type: 'noted',
      by: 'models',
      kind: 'overflow',
      data: {
        model: request.model,
        ...(windowTokens === undefined ? {} : { windowTokens }),
        ...(promptTokens === undefined ? {} : { promptTokens }),
        ...(cap === undefined ? {} : { maxOutputTokens: cap }),
      },
    });
    return cap === undefined ? answer : await wire({ ...request, maxOutputTokens: cap }, io);
  };
}

/** The largest cap with which the prompt fits; undefined where the figures are missing or a cap is not the trouble. */
function capThatFits({ windowTokens, promptTokens }: Fault, { maxOutputTokens }: ModelRequest): number | undefined {
  if (windowTokens === undefined || promptTokens === undefined) return undefined;
  const cap = windowTokens - promptTokens - spare;
  return cap < leastReply || cap >= (maxOutputTokens ?? Number.POSITIVE_INFINITY) ? undefined : cap;
}
