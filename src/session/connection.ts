/** One small real request to a model: does it answer, how fast, who answers, and can it call a tool? */
import { List } from '../base/list.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Emit, ModelRequest } from '../loop/ports.ts';
import type { Config } from '../parts/config/settings.ts';
import { shownUrl } from '../parts/models/baseUrl.ts';
import { outputCap } from '../parts/models/catalogue/card.ts';
import type { Endpoint } from '../parts/models/endpoint.ts';
import { openWire } from '../parts/models/open.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { RawReply, ToolSpec, Usage } from '../protocol/model.ts';
import { textTools } from './model-chain.ts';
import type { ModelDesk } from './model-desk.ts';
import { atDesk } from './model-list.ts';
import { openModel, type ReadyModel } from './models.ts';
import { mainModel } from './roles.ts';
import type { Overrides, World } from './world.ts';

export interface ConnectionReport {
  /** `provider/model`. */
  readonly model: string;
  readonly wire: string;
  readonly url: string;
  /** The model that the server says answered. */
  readonly servedBy?: string;
  /** Milliseconds from the request to the first piece of the reply. */
  readonly firstOutputMs?: number;
  readonly totalMs: number;
  /** `works`: the tool was called with the right argument. `refused`: the server takes none, so they are told in the prompt. */
  readonly tools: 'works' | 'not called' | 'called wrongly' | 'refused';
  /** What was changed in the request because the server refuses it otherwise. */
  readonly adapted: readonly string[];
  readonly usage?: Usage;
  readonly notices: readonly string[];
}

const word = 'smew';
const tool: ToolSpec = {
  name: 'echo',
  description: 'Says a word back.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
    additionalProperties: false,
  },
};

/** Fails as a run would: no key, nobody there, refused. */
export const testConnection = (world: World, overrides: Overrides): Promise<Result<ConnectionReport, Fault>> =>
  atDesk(world, overrides, async (desk) => {
    const spec = mainModel(desk.settled, []);
    if (!spec.ok) return spec;
    const ready = await openModel(spec.value, desk);
    return ready.ok ? await ask(ready.value, desk) : ready;
  });

async function ask(ready: ReadyModel, desk: ModelDesk): Promise<Result<ConnectionReport, Fault>> {
  const { endpoint, notices } = ready;
  const { model, wire, url } = endpoint;
  const answer = await send(ready, desk);
  if (!answer.ok) return answer;
  const { reply, firstOutputMs, totalMs, adapted } = answer.value;
  return ok({
    model,
    wire,
    url: shownUrl(url),
    ...(reply.servedBy === undefined ? {} : { servedBy: reply.servedBy }),
    ...(firstOutputMs === undefined ? {} : { firstOutputMs }),
    totalMs,
    tools: adapted.includes('tools_as_text') ? 'refused' : judged(reply),
    adapted,
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    notices,
  });
}

interface Timed {
  readonly reply: RawReply;
  readonly firstOutputMs: number | undefined;
  readonly totalMs: number;
  readonly adapted: readonly string[];
}

async function send(
  { endpoint, card }: ReadyModel,
  { world, settled, http }: ModelDesk,
): Promise<Result<Timed, Fault>> {
  const { network, maxOutputTokens, effort } = settled.config;
  const cap = outputCap(card, endpoint.wire, maxOutputTokens);
  const request: ModelRequest = {
    model: endpoint.model,
    system: [{ name: 'identity', text: 'You test a connection.' }],
    tools: [tool],
    messages: List.of({ from: 'user', text: `Call echo with the word ${word}.` }),
    ...(cap === undefined ? {} : { maxOutputTokens: cap }),
    ...(effort === undefined ? {} : { effort }),
  };
  const { clock, random } = world;
  const startedAt = clock.now();
  let firstAt: number | undefined;
  const adapted: string[] = [];
  const emit: Emit = (happening) => {
    if (happening.type === 'noted') {
      if (happening.kind === 'adapted') adapted.push(String(happening.data?.['change']));
    } else if (happening.type !== 'request.sent') firstAt ??= clock.now();
  };
  const seconds = longestSeconds(network);
  const signal = AbortSignal.timeout(seconds * 1000);
  const reply = await openWire(endpoint, { http, clock, random, attempts: 1, textTools })(request, { signal, emit });
  if (!reply.ok) return signal.aborted ? fail(silent(endpoint, seconds)) : reply;
  const firstOutputMs = firstAt === undefined ? undefined : firstAt - startedAt;
  return ok({ reply: reply.value, firstOutputMs, totalMs: clock.now() - startedAt, adapted });
}

/** Who waits for a test wants to know soon; a model that must be loaded first takes about as long. */
export const longestSeconds = ({
  connectSeconds,
  firstByteSeconds,
}: Pick<Config['network'], 'connectSeconds' | 'firstByteSeconds'>): number =>
  Math.min(30, connectSeconds + firstByteSeconds);

const silent = ({ provider, url }: Endpoint, seconds: number): Fault =>
  fault(
    'stalled',
    `${provider} (${shownUrl(url)}) was asked, and its reply was not there after ${seconds} seconds. A model that is still being loaded may need longer: try again. Otherwise look whether the server works.`,
  );

function judged({ calls }: RawReply): ConnectionReport['tools'] {
  const [call] = calls;
  if (!call) return 'not called';
  return call.name === tool.name && call.arguments.includes(word) ? 'works' : 'called wrongly';
}
