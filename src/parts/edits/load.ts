/** Reads a text file whole, so that it can be edited without loss. */
import { isUtf8 } from 'node:buffer';
import { constants, promises as fs } from 'node:fs';
import { attempt, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { kindOf } from './save.ts';

export interface Loaded {
  readonly bytes: Uint8Array;
  /** Decoded; a byte-order mark is its first character. */
  readonly text: string;
}

/** `gone` when nothing is there; `unfit`, with a clause for the model, when it is there but cannot be edited as text. */
export type LoadFault = { readonly kind: 'gone' | 'unfit'; readonly why: string };

const editableBytes = 8 << 20;

export async function loadText(path: string): Promise<Result<Loaded, LoadFault>> {
  // Without blocking: a pipe that nobody writes to would hold the open for ever.
  const opened = await attempt(() => fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK), faultOf);
  if (!opened.ok) return opened;
  const file = opened.value;
  const stats = await attempt(() => file.stat(), faultOf);
  const why = !stats.ok || stats.value.isFile() ? undefined : `it is ${kindOf(stats.value)}`;
  const size = stats.ok ? stats.value.size : 0;
  const large = size > editableBytes ? `it is larger than 8 MB (${size} bytes)` : undefined;
  const read = why || large ? undefined : await attempt(() => file.readFile(), faultOf);
  await attempt(() => file.close(), faultOf);
  if (!stats.ok) return stats;
  if (!read) return unfit(why ?? large ?? '');
  if (!read.ok) return read;
  const bytes = read.value;
  if (bytes.includes(0)) return unfit('it is a binary file');
  if (!isUtf8(bytes)) return unfit('it is not UTF-8 text');
  return ok({ bytes, text: bytes.toString('utf8') });
}

const unfit = (why: string): Result<never, LoadFault> => fail({ kind: 'unfit', why });

const faultOf = (cause: unknown): LoadFault =>
  codeOf(cause) === 'ENOENT'
    ? { kind: 'gone', why: 'there is no such file' }
    : { kind: 'unfit', why: messageOf(cause) };
