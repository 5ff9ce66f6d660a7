/** Bytes of a command's output as text, in whatever encoding they are. */
import { attemptSync, codeOf } from '../../base/attempt.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'windows-1252' | 'binary';

/** Enough to tell encodings apart, and little enough to look at twice. */
const sampleBytes = 4096;

/** The encoding of an output that begins with `bytes`; halves of characters at the ends do not count against one. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const sample = bytes.subarray(0, sampleBytes);
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const wide = wideOf(sample);
  if (wide) return wide;
  if (isBinary(sample)) return 'binary';
  return isAscii(sample) || looksLikeUtf8(sample) ? 'utf-8' : legacyOf(sample);
}

export const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80);

/** Text of Latin letters in UTF-16 has a zero in nearly every other place, and hardly one in the places between. */
export function wideOf(sample: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = Math.floor(sample.length / 2);
  if (half < 2) return undefined;
  if (odd > half * 0.6 && even < half * 0.1) return 'utf-16le';
  return even > half * 0.6 && odd < half * 0.1 ? 'utf-16be' : undefined;
}

/** Control characters that no text holds; NUL alone may part the entries of a list (`git ls-files -z`). */
export function isBinary(sample: Uint8Array): boolean {
  let controls = 0;
  let zeros = 0;
  for (const byte of sample) {
    if (byte === 0) zeros++;
    else if (byte < 7 || (byte > 13 && byte < 32 && byte !== 27)) controls++;
  }
  return controls > sample.length * 0.02 + 1 || zeros > sample.length * 0.34 + 1;
}

/** True unless what is broken outweighs what can only be UTF-8. */
export function looksLikeUtf8(sample: Uint8Array): boolean {
  const text = trimmed(new TextDecoder('utf-8', { ignoreBOM: true }).decode(sample));
  let broken = 0;
  let whole = 0;
  for (const character of text) {
    if (character === '\uFFFD') broken++;
    else if (character > '\u007f') whole++;
  }
  return broken === 0 || whole > broken;
}

/** Chinese where every high byte finds its pair and nearly all pairs are everyday characters; else Western. */
export function legacyOf(sample: Uint8Array): Encoding {
  const decoded = attemptSync(() => new TextDecoder('gb18030').decode(sample), codeOf);
  if (!decoded.ok) return 'windows-1252';
  let usual = 0;
  let odd = 0;
  for (const character of trimmed(decoded.value)) {
    if (/[\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e]/.test(character)) usual++;
    else if (character > '\u007f') odd++;
  }
  return usual > 1 && odd <= usual * 0.05 && isPaired(sample) ? 'gb18030' : 'windows-1252';
}

/** In GBK the everyday characters have two high bytes; an accented Western letter mostly stands between ASCII. */
function isPaired(sample: Uint8Array): boolean {
  let runs = 0;
  let oddRuns = 0;
  let length = 0;
  for (const byte of [...sample, 0]) {
    if (byte >= 0x80) length++;
    else {
      if (length > 0) runs++;
      if (length % 2 === 1) oddRuns++;
      length = 0;
    }
  }
  return oddRuns <= runs * 0.3;
}

/** Without the halves of characters where the bytes were cut. */
const trimmed = (text: string): string => text.replace(/^\uFFFD{1,3}|\uFFFD{1,3}$/g, '');

/** `bytes` as text; halves of characters at the ends are dropped. Binary bytes give what of them is text. */
export function decode(bytes: Uint8Array, encoding: Encoding): string {
  const label = encoding === 'binary' ? 'utf-8' : encoding;
  const decoded = attemptSync(() => new TextDecoder(label).decode(bytes), codeOf);
  // A runtime built without the tables of this encoding.
  return decoded.ok ? trimmed(decoded.value) : Buffer.from(bytes).toString('latin1');
}

/** Decodes chunks as they come, each whole. The encoding is settled by the first that is more than ASCII. */
export function liveDecoder(): (chunk: Uint8Array) => string {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  return (chunk) => {
    if (!decoder) {
      const encoding = encodingOf(chunk);
      if (isAscii(chunk) && encoding === 'utf-8') return new TextDecoder().decode(chunk);
      const label = encoding === 'binary' ? 'utf-8' : encoding;
      const made = attemptSync(() => new TextDecoder(label), codeOf);
      decoder = made.ok ? made.value : new TextDecoder();
    }
    return decoder.decode(chunk, { stream: true });
  };
}
