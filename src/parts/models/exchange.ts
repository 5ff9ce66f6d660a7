/** What all wires have in common: a body is sent, the answer read as it comes, and what went wrong is classed. */
import { fail, ok, type Result } from '../../base/result.ts';
import type { Emit, ModelRequest, Wire, WorkIo } from '../../loop/ports.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { RawReply } from '../../protocol/model.ts';
import { shownUrl } from './baseUrl.ts';
import { type BodyEvents, type BodyReader, readBody } from './body.ts';
import type { Endpoint, WireName, WireOptions } from './endpoint.ts';
import { hostOf } from './failure.ts';
import { faultInBody, faultOfStatus } from './fault.ts';
import { type HttpResponse, type Progress, sizeOf } from './http.ts';
import { redact } from './redact.ts';
import { unreadIn } from './unread.ts';

/** One reply in the making. */
export interface Assembly {
  /** Takes an event of a stream, or the whole body, as it was parsed; what does not fit the format is passed over. */
  take(chunk: unknown): Progress;
  /** The end was said: an end mark, or a whole body. */
  end(): void;
  readonly isEnded: boolean;
  /** True once the server has said why the model ended. */
  readonly hasFinish: boolean;
  readonly isEmpty: boolean;
  /** Calls that were left out because they have no name. */
  readonly namelessCalls: number;
  readonly reply: RawReply;
}

/** Where wires differ. */
export interface WireFormat {
  readonly name: WireName;
  /** What an answer should have been: `chat completion`. */
  readonly noun: string;
  /** The endpoint's own where it is not given. */
  url?(isStreamed: boolean): string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request body, in pieces to be sent one after the other. */
  build(request: ModelRequest): readonly Uint8Array[];
  assembly(emit: Emit, request: ModelRequest): Assembly;
  /** The part of an event that may hold an error; the whole event where it is not given. */
  errorIn?(chunk: unknown): unknown;
  /** A failure that only this wire tells in this way. */
  faultIn?(chunk: unknown): Fault | undefined;
  /** Server-sent events or one JSON body where it is not given. */
  read?(events: BodyEvents): BodyReader;
}

/** Of a line that is told. Characters. */
const shownLength = 200;
const refusalBytes = 64 * 1024;

export function openFormat(endpoint: Endpoint, { http, clock }: WireOptions, format: WireFormat): Wire {
  const usual = {
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'smew',
    ...format.headers,
    ...endpoint.headers,
  };
  return async (request: ModelRequest, io) => {
    const isStreamed = endpoint.dialect.streams && request.isStreamed !== false;
    const headers = { accept: isStreamed ? 'text/event-stream' : 'application/json', ...usual };
    const url = format.url?.(isStreamed) ?? endpoint.url;
    const body = format.build(request);
    io.emit({ type: 'request.sent', model: request.model, bytes: sizeOf(body) });
    const sent = await http.send({ method: 'POST', url, headers, body }, io.signal);
    if (!sent.ok) return sent;
    const { status, headers: answered } = sent.value;
    if (status >= 200 && status < 300) return await receive(sent.value, { endpoint, format, request, io });
    const moved = redirection(endpoint, url, sent.value);
    if (moved) {
      await readText(sent.value);
      return fail(moved);
    }
    const refusal = await readText(sent.value);
    if (!refusal.ok) return refusal;
    const unread = status >= 400 ? unreadIn(refusal.value) : undefined;
    if (unread !== undefined) return fail(modelFault(endpoint, { status, unread }));
    return fail(faultOfStatus(endpoint, { status, headers: answered, body: refusal.value, now: clock.now() }));
  };
}

/** A key goes to no other address than the user's own, so that nothing is followed. */
function redirection(endpoint: Endpoint, url: string, { status, headers }: HttpResponse): Fault | undefined {
  const { location } = headers;
  if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, url)) return undefined;
  const { provider } = endpoint;
  const target = redact(shownUrl(new URL(location, url).href), endpoint.secrets);
  return fault(
    'refused',
    `${provider} (${hostOf(new URL(url))}) sends its callers on to ${target} (status ${status}), which is not followed. Set provider.${provider}.baseUrl to the address that is meant.`,
    { status },
  );
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

interface Receipt {
  readonly endpoint: Endpoint;
  readonly format: WireFormat;
  readonly request: ModelRequest;
  readonly io: WorkIo;
}

async function receive(response: HttpResponse, receipt: Receipt): Promise<Result<RawReply, Fault>> {
  const { endpoint, format, request, io } = receipt;
  const assembly = format.assembly(io.emit, request);
  let refused: Fault | undefined;
  let hasGap = false;
  const reader = (format.read ?? readBody)({
    chunk: (value) => {
      refused ??= format.faultIn?.(value) ?? faultInBody(endpoint, format.errorIn ? format.errorIn(value) : value);
      return refused ? 'done' : assembly.take(value);
    },
    badLine: (text, reason) => {
      hasGap ||= isTornChunk(text) && !assembly.hasFinish;
      const data = { text: redact(text, endpoint.secrets).slice(0, shownLength), reason };
      io.emit({ type: 'noted', by: `wire.${format.name}`, kind: 'bad line', data });
    },
    done: () => assembly.end(),
  });
  const broken = await response.read((bytes) => reader.take(bytes));
  reader.end();
  if (refused) return fail(refused);
  if (broken && !assembly.hasFinish && (broken.kind !== 'cut' || assembly.isEmpty)) return fail(broken);
  if (reader.strange) return fail(notAReply(receipt, reader.strange));
  const concluded = conclude(assembly, receipt);
  if (!concluded.ok || !reader.isStream) return concluded;
  return ok({ ...concluded.value, isStreamed: true, ...(hasGap ? { hasGap } : {}) });
}

/** It begins or ends like an event of the wire, so that a piece of the reply was in it. Anything else is a stranger's. */
const isTornChunk = (line: string): boolean => /^\s*\{|\}\s*$/.test(line);

function conclude(assembly: Assembly, { endpoint, format, io }: Receipt): Result<RawReply, Fault> {
  const { reply, namelessCalls } = assembly;
  if (assembly.isEmpty && !assembly.hasFinish && !assembly.isEnded) {
    return fail(fault('cut', `${endpoint.provider} closed the stream before the first word of its reply.`));
  }
  if (namelessCalls > 0) {
    io.emit({ type: 'noted', by: `wire.${format.name}`, kind: 'nameless call', data: { count: namelessCalls } });
  }
  if (reply.usage) io.emit({ type: 'usage.known', usage: reply.usage });
  return ok(reply);
}

/** The server could not read what the model said: no outage, so nothing waits, and no quirk. */
export function modelFault(
  endpoint: Endpoint,
  { unread, ...status }: { readonly status?: number; readonly unread: string },
): Fault {
  const shown = redact(unread, endpoint.secrets);
  return fault(
    'garbled',
    `${endpoint.provider} (${hostOf(new URL(endpoint.url))}) could not read what the model said. Try again, or choose another model with -m.`,
    { ...status, unread: shown },
  );
}

function notAReply({ endpoint, format }: Receipt, start: string): Fault {
  const { provider, secrets, url } = endpoint;
  const shown = redact(start, secrets).replace(/\s+/g, ' ').trim();
  return fault(
    'garbled',
    `${provider} (${hostOf(new URL(url))}) answered with something that is no ${format.noun}: "${shown}". Check the base URL: ${shownUrl(url)}`,
  );
}
