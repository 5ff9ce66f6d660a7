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
export interface LoadFault {
  readonly kind: 'gone' | 'unfit';
  readonly why: string;
  /** Of text that a program could convert to UTF-8; as iconv names it. */
  readonly encoding?: WideEncoding;
}

type WideEncoding = 'UTF-16LE' | 'UTF-16BE';

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
  const encoding = wideOf(bytes);
  if (encoding) return fail({ kind: 'unfit', why: `it is ${encoding} text, not UTF-8`, encoding });
  if (bytes.includes(0)) return unfit('it is a binary file');
  if (!isUtf8(bytes)) return unfit('it is not UTF-8 text');
  return ok({ bytes, text: bytes.toString('utf8') });
}

const sampleBytes = 8192;

/** By its mark; without one, Western text in UTF-16 has a zero in nearly every second byte and in no other. */
function wideOf(bytes: Uint8Array): WideEncoding | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'UTF-16LE';
  if (first === 0xfe && second === 0xff) return 'UTF-16BE';
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 2;
  if (half < 4) return undefined;
  if (odd > half * 0.7 && even === 0) return 'UTF-16LE';
  return even > half * 0.7 && odd === 0 ? 'UTF-16BE' : undefined;
}

const unfit = (why: string): Result<never, LoadFault> => fail({ kind: 'unfit', why });

const faultOf = (cause: unknown): LoadFault =>
  codeOf(cause) === 'ENOENT'
    ? { kind: 'gone', why: 'there is no such file' }
    : { kind: 'unfit', why: messageOf(cause) };
