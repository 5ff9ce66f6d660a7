/** A wire that learns: a refusal is classed, the one repair that fits it is made, the request is sent again, the quirk is kept. */

import { attemptSync } from '../../../base/attempt.ts';
import { ok, type Result } from '../../../base/result.ts';
import type { ModelRequest, Wire, WorkIo } from '../../../loop/ports.ts';
import type { Fault } from '../../../protocol/fault.ts';
import type { RawReply, ToolSpec } from '../../../protocol/model.ts';
import type { Endpoint } from '../endpoint.ts';
import { type Applied, applied, dialectWith, nothingApplied } from './apply.ts';
import type { QuirkStore } from './memory.ts';
import type { Quirks } from './quirks.ts';
import { type Adapted, nothingOmitted, type Refused, type Repair, repairFor } from './repair.ts';
import { unflattened } from './schemas.ts';
import type { TextTools } from './text-tools.ts';

/** Fields may be refused one after the other; any other class has one repair. */
const repairsAtMost = 4;
const repeatable: ReadonlySet<Repair['class']> = new Set(['parameter', 'schema', 'cap too large', 'image']);

export interface Adapting {
  readonly endpoint: Endpoint;
  readonly quirks: QuirkStore;
  /** How tools are spoken of in text; without it a server that refuses tools cannot be used. */
  readonly textTools?: TextTools;
  /** Opens the wire for an endpoint; called again when the dialect changes. */
  open(endpoint: Endpoint): Wire;
}

export function adaptingTo(adapting: Adapting): Wire {
  const learner = new Learner(adapting);
  return (request, io) => learner.ask(request, io);
}

/** One server and model, with what was learned of them so far. */
class Learner {
  readonly #adapting: Adapting;
  #adapted: Adapted;
  #stored: Quirks;
  #made: Applied;
  #wire: Wire;

  constructor(adapting: Adapting) {
    const { endpoint, quirks, open } = adapting;
    this.#adapting = adapting;
    this.#made = nothingApplied(adapting.textTools);
    this.#stored = quirks.of(endpoint.url, endpoint.modelId);
    this.#adapted = { quirks: this.#stored, omissions: nothingOmitted };
    this.#wire = open(endpointWith(endpoint, this.#stored));
  }

  async ask(request: ModelRequest, io: WorkIo): Promise<Result<RawReply, Fault>> {
    this.#catchUp();
    const before = this.#adapted;
    const tried: Repair[] = [];
    for (;;) {
      const answer = await this.#wire(applied(request, this.#adapted, this.#made), io);
      if (answer.ok) {
        this.#keep();
        return ok(wayBack(answer.value, request.tools, this.#adapted.quirks));
      }
      const refused = { fault: answer.fault, request, current: this.#adapted };
      const found = io.signal.aborted ? undefined : nextRepair(tried, refused);
      const repair = found?.quirks.tools === 'text' && !this.#adapting.textTools ? undefined : found;
      if (!repair) {
        // What did not help is not kept: the next request begins as before.
        if (tried.length > 0 && answer.fault.kind === 'refused') this.#adopt(before);
        return answer;
      }
      tried.push(repair);
      tell(repair, request, io);
      this.#adopt(repair);
    }
  }

  /** The reader of replies learns too: what it found out about streams is in the store. */
  #catchUp(): void {
    const { endpoint, quirks } = this.#adapting;
    const stored = quirks.of(endpoint.url, endpoint.modelId);
    if (stored !== this.#stored) this.#adopt({ ...this.#adapted, quirks: stored });
    this.#stored = stored;
  }

  #keep(): void {
    const { endpoint, quirks } = this.#adapting;
    if (this.#adapted.quirks === this.#stored) return;
    this.#stored = this.#adapted.quirks;
    quirks.keep(endpoint.url, endpoint.modelId, this.#stored);
  }

  #adopt({ quirks, omissions }: Adapted): void {
    this.#adapted = { quirks, omissions };
    this.#made = nothingApplied(this.#adapting.textTools);
    this.#wire = this.#adapting.open(endpointWith(this.#adapting.endpoint, quirks));
  }
}

function nextRepair(tried: readonly Repair[], refused: Refused): Repair | undefined {
  if (tried.length >= repairsAtMost) return undefined;
  const repair = repairFor(refused);
  const isSpent = repair && !repeatable.has(repair.class) && tried.some((one) => one.class === repair.class);
  return isSpent ? undefined : repair;
}

const endpointWith = (endpoint: Endpoint, quirks: Quirks): Endpoint => ({
  ...endpoint,
  dialect: dialectWith(endpoint.dialect, quirks),
  quirks,
});

function tell({ name, class: kind }: Repair, { model }: ModelRequest, io: WorkIo): void {
  io.emit({ type: 'noted', by: 'models', kind: 'adapted', data: { model, class: kind, change: name } });
}

/** Calls in the words of a flat schema, back in those of the tool's own. What is no JSON is left to the reader. */
function wayBack(raw: RawReply, tools: readonly ToolSpec[], { schemas }: Quirks): RawReply {
  if (schemas !== 'flat') return raw;
  const calls = raw.calls.map((call) => {
    const spec = tools.find(({ name }) => name === call.name);
    const input = attemptSync(
      () => JSON.parse(call.arguments) as unknown,
      () => undefined,
    );
    return spec && input.ok ? { ...call, arguments: JSON.stringify(unflattened(input.value, spec.parameters)) } : call;
  });
  return { ...raw, calls };
}
