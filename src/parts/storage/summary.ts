/** What a list of sessions shows of each, gathered from its journal without reading every event. */
import { closeSync, openSync } from 'node:fs';
import * as z from 'zod/mini';
import { attemptSync } from '../../base/attempt.ts';
import { ok, type Result } from '../../base/result.ts';
import { type Recorded, StopReason } from '../../protocol/event.ts';
import type { Fault } from '../../protocol/fault.ts';
import { explain } from './faults.ts';
import type { LineCodec } from './line.ts';
import { readLines } from './lines.ts';
import { isKept, salvage } from './salvage.ts';

/** How the last turn ended. `unfinished`: it still runs, or the process died. `empty`: there was none. */
export const Ending = z.union([StopReason, z.enum(['released', 'unfinished', 'empty'])]);
export type Ending = z.infer<typeof Ending>;

export const Summary = z.object({
  name: z.optional(z.string()),
  /** One line, clipped. */
  firstPrompt: z.optional(z.string()),
  /** Milliseconds since 1970; 0 in a journal without a readable line. */
  startedAt: z.number(),
  lastAt: z.number(),
  turns: z.number(),
  /** `provider/model`, of the last `opened`. */
  model: z.optional(z.string()),
  cwd: z.optional(z.string()),
  forkOf: z.optional(z.string()),
  ending: Ending,
  /** How much of the file this covers: the next scan goes on from there. */
  scannedBytes: z.number(),
});
export type Summary = z.infer<typeof Summary>;

const nothing: Summary = { startedAt: 0, lastAt: 0, turns: 0, ending: 'empty', scannedBytes: 0 };
const clipLength = 100;

/** Brings a summary up to date with its journal, or makes one. Fails where the file cannot be read. */
export function summarise(path: string, codec: LineCodec, known: Summary = nothing): Result<Summary, Fault> {
  const file = attemptSync(() => openSync(path, 'r'), explain('open', path));
  if (!file.ok) return file;
  const summary = attemptSync(() => scan(file.value, codec, known), explain('read', path));
  closeSync(file.value);
  return summary.ok ? ok(summary.value) : summary;
}

function scan(file: number, codec: LineCodec, known: Summary): Summary {
  let summary = known;
  for (const { bytes, start, isWhole } of readLines(file, known.scannedBytes)) {
    if (!isWhole) break;
    summary = { ...step(summary, bytes, codec), scannedBytes: start + bytes.length + 1 };
  }
  return summary;
}

/** The head of a line as `line.ts` writes it, as far as the event's type. */
const head =
  /^\{"sum":"[0-9a-f]{8}","seq":\d+,"at":(\d+),"agent":"([^"]*)",(?:"parentCall":"[^"]*",)?"event":\{"type":"(\w+)"/;
const headLength = 400;
const telling = new Set(['opened', 'prompted', 'released', 'stopped']);

/** Most lines give only their time; the few that tell something are read whole, checksum and all. */
function step(summary: Summary, bytes: Buffer, codec: LineCodec): Summary {
  const [, at, agent, type] = head.exec(bytes.toString('latin1', 0, headLength)) ?? [];
  if (at === undefined || type === undefined) return tellAll(summary, bytes, codec);
  const timed = timedBy(summary, Number(at));
  return agent === 'main' && isTelling(summary, type, bytes) ? tellAll(timed, bytes, codec) : timed;
}

/** A reply tells something only where the words before it are lost. */
const isTelling = ({ ending }: Summary, type: string, bytes: Buffer): boolean =>
  telling.has(type) ||
  (type === 'noted' && bytes.includes('"named"')) ||
  (type === 'replied' && ending !== 'unfinished');

/** Every record of `main` in the line: as on loading, also those inside a damaged one (line ends of another system, say). */
function tellAll(summary: Summary, bytes: Buffer, codec: LineCodec): Summary {
  const line = codec.decode(bytes);
  const kept = isKept(line) ? [line] : line.what === 'damaged' ? salvage(bytes, codec) : [];
  return kept.reduce(
    (so, one) => (one.what === 'record' ? tell(timedBy(so, one.recorded.at), one.recorded) : so),
    summary,
  );
}

function timedBy(summary: Summary, at: number): Summary {
  const lastAt = Math.max(summary.lastAt, at);
  return { ...summary, startedAt: summary.startedAt || lastAt, lastAt };
}

function tell(summary: Summary, { agent, event }: Recorded): Summary {
  if (agent !== 'main') return summary;
  switch (event.type) {
    case 'opened': {
      const forkOf = event.forkOf ? { forkOf: event.forkOf.sessionId } : {};
      return { ...summary, model: event.model, cwd: event.cwd, ...forkOf };
    }
    case 'prompted':
      return { ...inTurn(summary), firstPrompt: summary.firstPrompt ?? clip(event.text) };
    case 'replied':
      return inTurn(summary);
    case 'released':
      return { ...summary, ending: 'released' };
    case 'stopped':
      return summary.ending === 'unfinished' ? { ...summary, ending: event.reason } : summary;
    case 'noted': {
      const name = event.kind === 'named' && event.by === 'session' ? event.data?.['name'] : undefined;
      return typeof name === 'string' ? { ...summary, name } : summary;
    }
    default:
      return summary;
  }
}

const inTurn = (summary: Summary): Summary =>
  summary.ending === 'unfinished' ? summary : { ...summary, turns: summary.turns + 1, ending: 'unfinished' };

function clip(text: string): string {
  const line = text
    .slice(0, clipLength * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > clipLength ? `${line.slice(0, clipLength - 3).trimEnd()}...` : line;
}
