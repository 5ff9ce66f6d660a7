/** Bodies that come compressed although streams ask for `identity`, and headers that only say so. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** The body as plain bytes. Rejects when the connection breaks before the first byte. */
export async function decoded(incoming: IncomingMessage): Promise<Readable> {
  const encoding = (incoming.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return incoming;
  const start = await peek(incoming);
  const unpack = start && !isPlainText(start) ? unpacker(encoding, start) : undefined;
  if (!unpack) return incoming;
  const { pipeline } = process.getBuiltinModule('node:stream');
  // Errors reach the reader through `unpack` itself, which pipeline destroys with them.
  return pipeline(incoming, unpack, () => {});
}

/** The first bytes, which stay in the stream; undefined when there are none. */
async function peek(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const { once } = process.getBuiltinModule('node:events');
  await once(incoming, 'readable');
  const first: unknown = incoming.read();
  if (!(first instanceof Uint8Array)) return undefined;
  incoming.unshift(first);
  return first;
}

const isPlainText = (start: Uint8Array): boolean =>
  /^\s*(?:data:|event:|: |\{\s*"|<!|<html)/i.test(Buffer.from(start.subarray(0, 16)).toString('latin1'));

function unpacker(encoding: string, start: Uint8Array) {
  const zlib = process.getBuiltinModule('node:zlib');
  // A body that is cut gives what came; that it is cut shows in the wire's own end mark.
  const lenient = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(lenient);
    case 'deflate':
      // The low four bits name zlib's method; without them it is a raw deflate stream.
      return ((start[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient);
    case 'br':
      return zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}
