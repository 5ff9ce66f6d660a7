/** HTTP that answers from a record. */
import { ok } from '../../base/result.ts';
import type { Http, Progress } from '../../parts/models/http.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { ReplyCase } from './case.ts';

export function recordedHttp(recorded: ReplyCase): Http {
  const { status = 200, headers = {}, sse } = recorded;
  // A recorded body is unpacked already, whatever its header said.
  const { 'content-encoding': _, ...told } = lowered(headers);
  const pieces = piecesOf(recorded);
  const broken = endingOf(sse);
  return {
    send: async () =>
      ok({
        status,
        headers: told,
        read: async (take: (bytes: Uint8Array) => Progress) => {
          for (const piece of pieces) if (take(piece) === 'done') return undefined;
          return broken;
        },
      }),
    close: () => {},
  };
}

const lowered = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function piecesOf({ body, sse, packets_hex: packets }: ReplyCase): Uint8Array[] {
  if (packets) return packets.map((digits) => Buffer.from(digits, 'hex'));
  if (sse) {
    const lines = sse.filter((line) => !isEvent(line));
    return [Buffer.from(`${lines.join('\n')}\n\n`)];
  }
  if (body === undefined) return [];
  return [Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))];
}

const isEvent = (line: string): boolean => /^<(?:connection|idle)\b.*>$/.test(line);

function endingOf(lines: readonly string[] = []): Fault | undefined {
  const event = lines.find(isEvent);
  if (event === undefined) return undefined;
  return event.startsWith('<idle')
    ? fault('stalled', 'The stream fell silent.')
    : fault('cut', 'The connection was closed in the middle of its answer.');
}
