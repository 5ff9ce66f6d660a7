/**
 * A provider of the AI SDK as a wire: for services with a protocol of their own. What such a provider repaired or lost on the
 * way stays so; who wants to see the bytes takes one of our wires.
 */
import { attempt } from '../../../base/attempt.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import type { ModelRequest, Wire, WorkIo } from '../../../loop/ports.ts';
import { type Fault, fault } from '../../../protocol/fault.ts';
import type { RawReply } from '../../../protocol/model.ts';
import type { Endpoint, WireOptions } from '../endpoint.ts';
import { loose } from '../loose.ts';
import { SdkAssembly } from './assembly.ts';
import { sdkFault } from './failure.ts';
import { loadModel } from './load.ts';
import { callOptions } from './prompt.ts';
import type { CallOptions, SdkModel } from './spec.ts';

export function sdkWire(endpoint: Endpoint, options: WireOptions): Wire {
  let loading: Promise<Result<SdkModel, Fault>> | undefined;
  return async (request, io) => {
    if (!endpoint.sdk) return fail(fault('usage', `provider.${endpoint.provider}.sdk names no package.`));
    loading ??= loadModel(endpoint, endpoint.sdk);
    const loaded = await loading;
    return loaded.ok ? await modelWire(loaded.value, endpoint, options)(request, io) : loaded;
  };
}

/** The same for a model that is there already. */
export const modelWire =
  (model: SdkModel, endpoint: Endpoint, { clock }: Pick<WireOptions, 'clock'>): Wire =>
  async (request, io) => {
    const asked = callOptions(request, model, io.signal);
    const bytes = Buffer.byteLength(JSON.stringify([asked.prompt, asked.tools]));
    io.emit({ type: 'request.sent', model: request.model, bytes });
    const assembly = new SdkAssembly(io.emit);
    const isStreamed = endpoint.dialect.streams && request.isStreamed !== false;
    const explain = (cause: unknown): Fault => sdkFault(endpoint, cause, clock.now());
    const work = isStreamed ? stream(model, asked, assembly) : generate(model, asked, assembly);
    const read = await attempt(() => untilAborted(work, io.signal), explain);
    if (io.signal.aborted) return fail(fault('aborted', 'The request was called off.'));
    const broken = read.ok ? read.value && explain(read.value.error) : read.fault;
    return conclude(assembly, { broken, io, request, isStreamed });
  };

/** What went wrong in the middle of a stream. */
type Broken = { readonly error: unknown } | undefined;

async function stream(model: SdkModel, asked: CallOptions, assembly: SdkAssembly): Promise<Broken> {
  const { stream: parts } = await model.doStream(asked);
  for await (const part of parts) {
    const { type, error } = loose<'type' | 'error'>(part);
    if (type === 'error') return { error };
    assembly.take(part);
  }
  return undefined;
}

async function generate(model: SdkModel, asked: CallOptions, assembly: SdkAssembly): Promise<Broken> {
  assembly.takeWhole(await model.doGenerate(asked));
  return undefined;
}

/** Not every provider listens to its signal. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('aborted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  // Whichever loses the race must not become an unhandled rejection.
  aborted.catch(() => {});
  work.catch(() => {});
  return await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

interface Outcome {
  readonly broken: Fault | undefined;
  readonly io: WorkIo;
  readonly request: ModelRequest;
  readonly isStreamed: boolean;
}

function conclude(assembly: SdkAssembly, { broken, io, request, isStreamed }: Outcome): Result<RawReply, Fault> {
  if (broken && !assembly.hasFinish) return fail(broken);
  const { reply } = assembly;
  if (assembly.isEmpty && !assembly.hasFinish) {
    return fail(fault('cut', `The stream of ${request.model} ended before the first word of its reply.`));
  }
  if (reply.usage) io.emit({ type: 'usage.known', usage: reply.usage });
  return ok(isStreamed ? { ...reply, isStreamed } : reply);
}
