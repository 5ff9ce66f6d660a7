/** An answer as steps in time, so that a fault is a change to a list. */
import type { ServerResponse } from 'node:http';
import { sleep } from '../../../base/abort.ts';
import type { ScriptedFault } from './turn.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** One an event; a body that is not streamed is a single piece. */
  readonly pieces: readonly Uint8Array[];
  /** An error in the middle of it. */
  error(error: unknown): Uint8Array;
  /** An event with any text in it. */
  event(data: string): Uint8Array;
  /** What says no more than that the server is there. */
  readonly keepAlive: Uint8Array;
}

type Ending = 'end' | 'close' | 'reset';
type Step =
  | { readonly bytes: Uint8Array }
  | { readonly waitMs: number }
  /** Says nothing more; with a comment every `comments` milliseconds. */
  | { readonly hold: Hold }
  | { readonly ending: Ending };

interface Hold {
  readonly comments: number | undefined;
  readonly keepAlive: Uint8Array;
}

interface Plan {
  readonly head: Pick<Answer, 'status' | 'headers'> | undefined;
  readonly steps: readonly Step[];
}

const end: Step = { ending: 'end' };
const wholly = (pieces: readonly Uint8Array[]): Step[] => pieces.map((bytes) => ({ bytes }));

/** What is sent when, with the fault in it. */
export function planOf(answer: Answer, fault: ScriptedFault | undefined): Plan {
  const { pieces, status, headers, keepAlive } = answer;
  const head = { status, headers };
  if (!fault) return { head, steps: [...wholly(pieces), end] };
  switch (fault.kind) {
    case 'status':
      return {
        head: { status: fault.status, headers: { 'content-type': 'application/json', ...fault.headers } },
        steps: [{ bytes: Buffer.from(fault.body ?? `{"error":{"message":"scripted ${fault.status}"}}`) }, end],
      };
    case 'cut':
      return { head, steps: [...wholly(cutPieces(pieces, fault)), { waitMs: 5 }, { ending: fault.how }] };
    case 'reset':
      return { head: undefined, steps: [{ ending: 'reset' }] };
    case 'delay':
      return { head, steps: [{ waitMs: fault.ms }, ...wholly(pieces), end] };
    case 'stall':
      return {
        head,
        steps: [...wholly(pieces.slice(0, fault.afterEvents)), { hold: { comments: fault.comments, keepAlive } }],
      };
    case 'drip':
      return { head, steps: [...slowly(Buffer.concat(pieces), fault), end] };
    case 'raw':
      return {
        head: { status, headers: { ...headers, ...fault.headers } },
        steps: [{ bytes: bytesOf(fault.bytes) }, end],
      };
    case 'garbage':
    case 'error': {
      const isGarbage = fault.kind === 'garbage';
      const bytes = isGarbage ? answer.event(fault.line) : answer.error(fault.error);
      const rest = isGarbage ? wholly(pieces.slice(fault.afterEvents)) : [];
      return { head, steps: [...wholly(pieces.slice(0, fault.afterEvents)), { bytes }, ...rest, end] };
    }
    default:
      return fault satisfies never;
  }
}

/** Runs the plan; returns when the answer is over or the client has gone. */
export async function play({ head, steps }: Plan, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.on('error', () => gone.abort());
  // The head waits for the first bytes: before them a server has said nothing.
  const write = (bytes: Uint8Array): boolean => {
    if (!response.headersSent && head) response.writeHead(head.status, head.headers);
    return response.write(bytes);
  };
  for (const step of steps) {
    if (gone.signal.aborted) return;
    if ('bytes' in step) write(step.bytes);
    else if ('waitMs' in step) await sleep(step.waitMs, gone.signal);
    else if ('hold' in step) await hold(step.hold, write, gone.signal);
    else finish(step.ending, response);
  }
}

async function hold(
  { comments, keepAlive }: Hold,
  write: (bytes: Uint8Array) => boolean,
  gone: AbortSignal,
): Promise<void> {
  while (await sleep(comments ?? 1000, gone)) if (comments !== undefined) write(keepAlive);
}

function finish(ending: Ending, response: ServerResponse): void {
  if (ending === 'end') response.end();
  else if (ending === 'close') response.socket?.destroy();
  else response.socket?.resetAndDestroy();
}

function cutPieces(
  pieces: readonly Uint8Array[],
  { afterEvents, afterBytes }: { readonly afterEvents?: number; readonly afterBytes?: number },
): readonly Uint8Array[] {
  const kept = afterEvents === undefined ? pieces : pieces.slice(0, afterEvents);
  return afterBytes === undefined ? kept : [Buffer.concat(kept).subarray(0, afterBytes)];
}

function slowly(body: Buffer, { bytes, ms }: { readonly bytes: number; readonly ms: number }): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < body.length; at += bytes) steps.push({ bytes: body.subarray(at, at + bytes) }, { waitMs: ms });
  return steps;
}

const bytesOf = (bytes: string | Uint8Array): Uint8Array => (typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
