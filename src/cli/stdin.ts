/** What is piped into a run: read with a bound, and joined to the task. */
import { once } from 'node:events';
import type { Stats } from 'node:fs';
import type { Readable } from 'node:stream';
import { attempt, messageOf } from '../base/attempt.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import { noTask } from './run-args.ts';

/** The most that is taken from a pipe. */
export const inputLimitBytes = 1_000_000;

/** How long a run that has a task waits for the first byte of further input. */
export const patienceMs = 3000;

export interface PipedInput {
  readonly text: string;
  /** More came than `inputLimitBytes`; the rest was not read. */
  readonly isCut: boolean;
  /** Nothing came within `firstByteMs`, and nobody waits any longer. */
  readonly isSilent: boolean;
}

/** A pipe, a socket, or a file: something that can hold input. A terminal and /dev/null cannot. */
export const canHoldInput = (stats: Stats): boolean => stats.isFIFO() || stats.isSocket() || stats.isFile();

/**
 * Reads `stream` to its end or to the limit. `firstByteMs` bounds the wait for the first byte: many programs start others
 * with a pipe that they never write to nor close. Without it the wait has no end, for input that is the task itself.
 */
export async function readInput(stream: Readable, firstByteMs?: number): Promise<Result<PipedInput, Fault>> {
  const hasInput = firstByteMs === undefined || (await comesWithin(stream, firstByteMs));
  if (!hasInput) {
    stream.destroy();
    return ok({ text: '', isCut: false, isSilent: true });
  }
  const read = await attempt(
    () => readBytes(stream),
    (cause) => fault('usage', `What was piped in cannot be read: ${messageOf(cause)}.`),
  );
  if (!read.ok) return read;
  const isCut = read.value.length > inputLimitBytes;
  const taken = read.value.subarray(0, inputLimitBytes);
  if (taken.includes(0)) return fail(fault('usage', 'What was piped in is not text: it holds zero bytes.'));
  // With `stream`, half a letter at the cut is left out instead of becoming a replacement mark.
  const text = new TextDecoder().decode(taken, { stream: isCut });
  return ok({ text, isCut, isSilent: false });
}

/** Everything, or a little more than the limit. */
async function readBytes(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const piece = Buffer.from(chunk);
    chunks.push(piece);
    bytes += piece.length;
    if (bytes > inputLimitBytes) break;
  }
  return Buffer.concat(chunks);
}

async function comesWithin(stream: Readable, limitMs: number): Promise<boolean> {
  if (stream.readableLength > 0 || stream.readableEnded) return true;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), limitMs);
  // A broken stream counts as having come: reading it says what is wrong.
  const happens = (event: string) =>
    once(stream, event, { signal: over.signal }).then(
      () => true,
      () => !over.signal.aborted,
    );
  const came = await Promise.race([happens('readable'), happens('end')]);
  clearTimeout(timer);
  over.abort();
  return came;
}

export interface FullTask {
  readonly task: string;
  /** What the user should know: the input was cut, or did not come. */
  readonly notices: readonly string[];
}

/** The task that the model gets: what was written, with what was piped in set apart; or what was piped in alone. */
export function joinInput(task: string | undefined, input: PipedInput | undefined): Result<FullTask, Fault> {
  const text = input?.text ?? '';
  const notices = input ? noticesOf(input) : [];
  if (text.trim() === '') {
    return task === undefined ? fail(fault('usage', `The task is empty. ${noTask}`)) : ok({ task, notices });
  }
  const mark = input?.isCut ? `\n[cut here: the input is longer than ${inputLimitBytes} bytes]` : '';
  if (task === undefined) return ok({ task: `${text}${mark}`, notices });
  const tag = freeTag(text);
  return ok({ task: `${task}\n\n<${tag}>\n${text.replace(/\n$/, '')}${mark}\n</${tag}>`, notices });
}

const noticesOf = ({ isCut, isSilent }: PipedInput): string[] => [
  ...(isCut ? [`The piped input is longer than ${inputLimitBytes} bytes; only its beginning was taken.`] : []),
  ...(isSilent
    ? ['Standard input is open but nothing came; going on without it. To wait for a pipe, give no task.']
    : []),
];

/** A tag that the input cannot close. */
function freeTag(text: string): string {
  let tag = 'stdin';
  for (let number = 2; text.includes(`</${tag}>`); number++) tag = `stdin-${number}`;
  return tag;
}
