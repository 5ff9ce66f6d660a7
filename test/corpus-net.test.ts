/** Faults of providers seen in public trackers, over real HTTP: what is asked again, what is shortened, what is learned. */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { calls, fakeTools, heard, says, scriptedModel, stage } from '../src/loop/fakes.ts';
import { maskOldest, trimNewest } from '../src/parts/context/mask.ts';
import { createMeasure } from '../src/parts/context/measure.ts';
import { fitting } from '../src/parts/models/fit.ts';
import { createHttp } from '../src/parts/models/http.ts';
import { openWire } from '../src/parts/models/open.ts';
import { asking, ear, endpointAt } from '../src/parts/models/testing/asking.ts';
import { compaction } from '../src/parts/policies/compaction.ts';
import { type FaultKind, fault } from '../src/protocol/fault.ts';
import { entryOf, nothingSpent } from '../src/session/ledger.ts';
import { capReached } from '../src/session/limits.ts';

interface Row {
  readonly id: string;
  readonly trigger: {
    readonly http_status?: number;
    readonly headers?: Record<string, string>;
    readonly body?: string;
    readonly sse?: string[];
  };
  readonly expect: {
    readonly limit?: number;
    readonly learned_limit?: number;
    readonly wait_s?: number;
    readonly compactions_max?: number;
  };
}

const rows = new Map(
  readFileSync('test/fixtures/corpus/faults-e-net.jsonl', 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row) // our own file
    .map((row) => [row.id, row]),
);
const rowOf = (id: string): Row => {
  const row = rows.get(id);
  if (!row) throw new Error(`no row ${id}`);
  return row;
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Asks a server that answers as the row says, then as it should. */
async function answered({ trigger: { http_status: status = 200, headers, body, sse } }: Row, maxOutputTokens?: number) {
  let asked = 0;
  const caps: unknown[] = [];
  const listener: RequestListener = async (incoming, response) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of incoming) pieces.push(piece);
    caps.push(JSON.parse(Buffer.concat(pieces).toString()).max_tokens);
    const isFirst = asked++ === 0;
    response.writeHead(isFirst ? status : 200, { 'content-type': 'application/json', ...headers });
    const well = '{"choices":[{"message":{"content":"well"},"finish_reason":"stop"}]}';
    response.end(isFirst ? (body ?? sse?.map((line) => `${line}\n\n`).join('') ?? '') : well);
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = createHttp();
  closing.push(
    () => http.close(),
    () => server.close(),
  );
  const stop = new AbortController();
  const listened = ear(stop.signal);
  const emit: typeof listened.io.emit = (happening) => {
    listened.io.emit(happening);
    if (happening.type === 'retry.waited' && happening.delayMs > 1000) stop.abort();
  };
  const { port } = server.address() as AddressInfo; // it listens on a port
  const wire = fitting(
    openWire(endpointAt(`http://127.0.0.1:${port}/v1`), { http, clock: Date, random: () => 0, baseMs: 1 }),
  );
  const answer = await wire(asking([], maxOutputTokens === undefined ? {} : { maxOutputTokens }), {
    signal: stop.signal,
    emit,
  });
  return { answer, caps, waits: listened.of('retry.waited'), noted: listened.of('noted') };
}

const policyFor = (window: number | undefined) =>
  compaction({ windowOf: () => window, measure: createMeasure(), mask: maskOldest, trim: trimNewest });
const tools = fakeTools({ read: { run: () => 'words of a file\n'.repeat(400) } });
const steps = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => calls(`${id}:read`));

/** A session of six reads, whose next request fails so; how it ends and how often it was shortened. */
async function afterReads(failures: readonly Parameters<typeof fault>[], window?: number) {
  const model = scriptedModel(...steps, ...failures.map((one) => fault(...one)), says('done')).model;
  const { events } = await stage({ model, tools, policies: [policyFor(window)] }).play();
  return { end: events.at(-1)?.type, compactions: events.filter(({ type }) => type === 'compacted').length };
}

describe('E005 an error in a good stream', () => {
  it('is a provider error, and the request is sent again', async () => {
    const { answer, waits } = await answered(rowOf('E005'));
    expect(waits).toHaveLength(1);
    expect(answer).toMatchObject({ ok: true, value: { text: 'well' } });
  });
});

describe('E006 a good status with an error as its body', () => {
  it('is an overflow, which is met by a shorter history', async () => {
    expect((await answered(rowOf('E006'))).answer).toMatchObject({ ok: false, fault: { kind: 'overflow' } });
    expect(await afterReads([['overflow', 'maximum context length']])).toEqual({ end: 'released', compactions: 1 });
  });
});

describe('E007 too many requests', () => {
  it('are sent again when the server said', async () => {
    const row = rowOf('E007');
    const { waits } = await answered(row);
    expect(waits).toMatchObject([{ delayMs: (row.expect.wait_s ?? 0) * 1000 }]);
  });
});

describe('E008, E009 overflows in the words of servers', () => {
  it('tell the window; a smaller reserve is tried first where that is all', async () => {
    const { answer, caps, noted } = await answered(rowOf('E008'), 2000);
    expect(answer).toMatchObject({ ok: true });
    expect(caps).toEqual([2000, 1704]);
    expect(noted).toMatchObject([{ data: { windowTokens: rowOf('E008').expect.limit } }]);
  });

  it('tell the window; the history is shortened where the prompt is too long', async () => {
    const { answer } = await answered(rowOf('E009'));
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'overflow', windowTokens: rowOf('E009').expect.limit } });
  });
});

describe('E011 a server that is gone after a long prompt', () => {
  it('gets a shorter one, and a short one is not shortened', async () => {
    const gone: FaultKind = 'unreachable';
    expect(await afterReads([[gone, 'connection refused']], 12_600)).toEqual({ end: 'released', compactions: 1 });
    expect(await afterReads([[gone, 'connection refused']], 200_000)).toEqual({ end: 'stopped', compactions: 0 });
  });
});

describe('E017 a stream without usage', () => {
  it('is estimated and marked so', () => {
    const entry = entryOf({ ...heard(says('some words of a reply')), requestBytes: 40_000 }, () => undefined);
    expect(entry).toMatchObject({ isEstimate: true, usd: null });
    expect(entry.inputTokens).toBeGreaterThan(8000);
    expect(entry.outputTokens).toBeGreaterThan(3);
  });
});

describe('D014 thousands of steps with nobody watching', () => {
  it('stop at a cap of cost or tokens, which is no failure of a provider', () => {
    const turn = { ...nothingSpent, inputTokens: 3_000_000, usd: 6.26 };
    const spent = { turn, session: turn };
    expect(capReached({ cost: 5 }, spent)).toMatchObject({ kind: 'budget' });
    expect(capReached({ tokens: 1_000_000 }, spent)).toMatchObject({ kind: 'budget' });
    expect(capReached({ cost: 7, tokens: 4_000_000 }, spent)).toBeUndefined();
  });
});

describe('D026 a history that stays too long', () => {
  it('is shortened so many times in a row at most, and then said', async () => {
    const most = rowOf('D026').expect.compactions_max ?? 0;
    const { end, compactions } = await afterReads(Array.from({ length: 9 }, () => ['overflow', 'too long'] as const));
    expect(end).toBe('stopped');
    expect(compactions).toBeLessThanOrEqual(most);
  });
});

describe('D028 a window that is divided among slots', () => {
  it('is learned from the refusal, and the next requests fit it', async () => {
    const learned = rowOf('D028').expect.learned_limit ?? 0;
    const sizes: number[] = [];
    let refused = 0;
    const turns = Array.from({ length: 14 }, (_, index) => calls(`s${index}:read`));
    const model = scriptedModel(...turns).model;
    const serving: typeof model = async (request, io) => {
      const promptTokens = Math.ceil(JSON.stringify([...request.messages]).length / 4);
      sizes.push(promptTokens);
      if (promptTokens <= learned) return await model(request, io);
      refused++;
      const data = { model: request.model, windowTokens: learned, promptTokens };
      io.emit({ type: 'noted', by: 'models', kind: 'overflow', data });
      return { ok: false, fault: fault('overflow', 'too long', { windowTokens: learned, promptTokens }) };
    };
    const { events } = await stage({ model: serving, tools, policies: [policyFor(32_768)] }).play();
    expect(events.at(-1)).toEqual({ type: 'released' });
    expect(refused).toBe(1);
  });
});
