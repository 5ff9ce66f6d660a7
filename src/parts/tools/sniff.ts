/** What kind of content a file holds, from its first bytes. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export type Content =
  | { readonly kind: 'text'; readonly encoding: Encoding; readonly hasBom: boolean }
  | { readonly kind: 'image' | 'binary'; readonly format: string };

/** [format, offset, bytes as text in Latin-1]; the first that fits counts. */
const magics: readonly (readonly ['image' | 'binary', string, number, string])[] = [
  ['image', 'PNG image', 0, '\x89PNG\r\n\x1a\n'],
  ['image', 'JPEG image', 0, '\xff\xd8\xff'],
  ['image', 'GIF image', 0, 'GIF8'],
  ['image', 'WebP image', 8, 'WEBP'],
  ['image', 'AVIF image', 4, 'ftypavif'],
  ['image', 'HEIC image', 4, 'ftyphei'],
  ['image', 'TIFF image', 0, 'II*\0'],
  ['image', 'TIFF image', 0, 'MM\0*'],
  ['image', 'icon', 0, '\0\0\x01\0'],
  ['binary', 'PDF document', 0, '%PDF-'],
  ['binary', 'ELF program or library', 0, '\x7fELF'],
  ['binary', 'Mach-O program or library', 0, '\xcf\xfa\xed\xfe'],
  ['binary', 'Java class', 0, '\xca\xfe\xba\xbe'],
  ['binary', 'WebAssembly module', 0, '\0asm'],
  ['binary', 'Zip archive (also docx, xlsx, jar)', 0, 'PK\x03\x04'],
  ['binary', 'gzip archive', 0, '\x1f\x8b'],
  ['binary', 'zstd archive', 0, '\x28\xb5\x2f\xfd'],
  ['binary', 'xz archive', 0, '\xfd7zXZ\0'],
  ['binary', 'bzip2 archive', 0, 'BZh'],
  ['binary', '7z archive', 0, '7z\xbc\xaf\x27\x1c'],
  ['binary', 'tar archive', 257, 'ustar'],
  ['binary', 'SQLite database', 0, 'SQLite format 3\0'],
  ['binary', 'audio or video', 4, 'ftyp'],
  ['binary', 'audio or video', 0, 'OggS'],
  ['binary', 'audio or video', 0, 'ID3'],
  ['binary', 'audio or video', 0, 'RIFF'],
  ['binary', 'font', 0, 'wOF2'],
  ['binary', 'font', 0, 'wOFF'],
];

/** `head` is the first few kilobytes. */
export function sniff(head: Uint8Array): Content {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 300)).toString('latin1');
  if (start.startsWith('\xef\xbb\xbf')) return { kind: 'text', encoding: 'utf-8', hasBom: true };
  for (const [kind, format, offset, bytes] of magics) {
    if (start.startsWith(bytes, offset)) return isReallyText(head, format) ? plain : { kind, format };
  }
  if (start.startsWith('\xff\xfe')) return { kind: 'text', encoding: 'utf-16le', hasBom: true };
  if (start.startsWith('\xfe\xff')) return { kind: 'text', encoding: 'utf-16be', hasBom: true };
  return sniffUnmarked(head);
}

const plain: Content = { kind: 'text', encoding: 'utf-8', hasBom: false };

/** A few magics are plain letters, with which a note or a program may begin as well. */
const isReallyText = (head: Uint8Array, format: string): boolean =>
  (format === 'bzip2 archive' || format.startsWith('audio') || format === 'font' || format.endsWith('image')) &&
  controlShare(head) === 0 &&
  isUtf8(head);

function sniffUnmarked(head: Uint8Array): Content {
  const zeros = [0, 0];
  for (let index = 0; index < head.length; index++)
    if (head[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = head.length / 2;
  // Western text in UTF-16 has a zero in nearly every second byte, and in no other.
  if (half >= 4 && odd > half * 0.7 && even === 0) return { kind: 'text', encoding: 'utf-16le', hasBom: false };
  if (half >= 4 && even > half * 0.7 && odd === 0) return { kind: 'text', encoding: 'utf-16be', hasBom: false };
  if (even + odd > 0 || controlShare(head) > 0.1) return { kind: 'binary', format: 'unknown format' };
  return plain;
}

/** Share of bytes that text does not hold: controls other than tab, line ends, form feed, backspace and escape. */
function controlShare(head: Uint8Array): number {
  let controls = 0;
  for (const byte of head) if ((byte < 32 && (byte < 8 || byte > 13) && byte !== 27) || byte === 127) controls++;
  return head.length === 0 ? 0 : controls / head.length;
}

function isUtf8(head: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(head);
  return !text.slice(0, -1).includes('\ufffd');
}
