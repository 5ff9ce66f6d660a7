/** OpenAI chat completions: the dialect that everybody speaks. Nothing that a server sent is mended here. */
import { fail, ok, type Result } from '../../../base/result.ts';
import type { ModelRequest, Wire, WorkIo } from '../../../loop/ports.ts';
import { type Fault, fault } from '../../../protocol/fault.ts';
import type { RawReply } from '../../../protocol/model.ts';
import type { Endpoint, WireOptions } from '../endpoint.ts';
import { hostOf } from '../failure.ts';
import { faultInBody, faultOfStatus } from '../fault.ts';
import { type HttpResponse, sizeOf } from '../http.ts';
import { redact } from '../redact.ts';
import { ReplyAssembly } from './assembly.ts';
import { readBody } from './body.ts';
import { bodyBuilder } from './request.ts';

const refusalBytes = 64 * 1024;

export function chatWire(endpoint: Endpoint, { http, clock }: WireOptions): Wire {
  const build = bodyBuilder(endpoint);
  const headers = {
    'content-type': 'application/json',
    accept: endpoint.dialect.streams ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'smew',
    ...endpoint.headers,
  };
  return async (request: ModelRequest, io) => {
    const body = build(request);
    io.emit({ type: 'request.sent', model: request.model, bytes: sizeOf(body) });
    const sent = await http.send({ method: 'POST', url: endpoint.url, headers, body }, io.signal);
    if (!sent.ok) return sent;
    const { status, headers: answered } = sent.value;
    if (status >= 200 && status < 300) return await receive(sent.value, endpoint, io);
    const refusal = await readText(sent.value);
    if (!refusal.ok) return refusal;
    return fail(faultOfStatus(endpoint, { status, headers: answered, body: refusal.value, now: clock.now() }));
  };
}

/** The body of a refusal, as much of it as says something. */
async function readText(response: HttpResponse): Promise<Result<string, Fault>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const broken = await response.read((bytes) => {
    pieces.push(bytes);
    length += bytes.length;
    return length < refusalBytes ? 'on' : 'done';
  });
  // A refusal that breaks off still says what its status says.
  return broken && broken.kind !== 'cut' ? fail(broken) : ok(Buffer.concat(pieces).toString('utf8'));
}

async function receive(response: HttpResponse, endpoint: Endpoint, io: WorkIo): Promise<Result<RawReply, Fault>> {
  const assembly = new ReplyAssembly(io.emit);
  let refused: Fault | undefined;
  const reader = readBody({
    chunk: (value) => {
      refused ??= faultInBody(endpoint, value);
      if (!refused) assembly.take(value);
    },
    badLine: (text, reason) =>
      io.emit({
        type: 'noted',
        by: 'wire.chat',
        kind: 'bad line',
        data: { text: redact(text, endpoint.secrets), reason },
      }),
    done: () => {
      assembly.isEnded = true;
    },
  });
  const broken = await response.read((bytes) => {
    const progress = reader.take(bytes);
    return refused ? 'done' : progress;
  });
  reader.end();
  if (refused) return fail(refused);
  if (broken && !assembly.hasFinish && (broken.kind !== 'cut' || assembly.isEmpty)) return fail(broken);
  if (reader.strange) return fail(notAReply(endpoint, reader.strange));
  return conclude(assembly, endpoint, io);
}

function conclude(assembly: ReplyAssembly, endpoint: Endpoint, io: WorkIo): Result<RawReply, Fault> {
  const { reply } = assembly;
  if (assembly.isEmpty && !assembly.hasFinish && !assembly.isEnded) {
    return fail(fault('cut', `${endpoint.provider} closed the stream before the first word of its reply.`));
  }
  if (assembly.namelessCalls > 0) {
    io.emit({ type: 'noted', by: 'wire.chat', kind: 'nameless call', data: { count: assembly.namelessCalls } });
  }
  if (reply.usage) io.emit({ type: 'usage.known', usage: reply.usage });
  return ok(reply);
}

function notAReply({ url, provider, secrets }: Endpoint, start: string): Fault {
  const shown = redact(start, secrets).replace(/\s+/g, ' ').trim();
  return fault(
    'garbled',
    `${provider} (${hostOf(new URL(url))}) answered with something that is no chat completion: "${shown}". Check the base URL: ${url}`,
  );
}
