/** read: a text file, or a page of it, with line numbers. */
import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import * as z from 'zod/mini';
import { attempt, codeOf, messageOf } from '../../base/attempt.ts';
import type { ToolAnswer, ToolIo } from '../../loop/ports.ts';
import { createPage, type Page, splitLines } from './page.ts';
import { quoted } from './quoted.ts';
import { fingerprint, largeFingerprint, type SeenFiles } from './seen.ts';
import { sizeText } from './size.ts';
import { type Content, sniff } from './sniff.ts';
import { streamInto } from './stream.ts';
import { defineTool, type Tool } from './tool.ts';
import type { Place, Workspace } from './workspace.ts';

export interface ReadDeps {
  readonly workspace: Workspace;
  readonly seen: SeenFiles;
}

const Input = z.strictObject({
  path: z.string(),
  offset: z.optional(z.int().check(z.describe('first line, from 1'))),
  limit: z.optional(z.int().check(z.describe('lines, default 500'))),
});
type Input = z.infer<typeof Input>;

const linesByDefault = 500;
const linesAtMost = 2000;
const pageBytes = 30_000;
const lineCharacters = 1000;
/** Larger files are streamed, and known by size and time instead of content. */
const wholeAtMostBytes = 8 << 20;
const countAtMostBytes = 256 << 20;

export function readTool({ workspace, seen }: ReadDeps): Tool {
  return defineTool({
    name: 'read',
    description:
      'Read a text file; lines come numbered (number, tab, text). Required before edit. Long files come in pages: go on with offset. For directories use list, to find text grep.',
    effect: 'reads',
    input: Input,
    subject: ({ path }) => workspace.subject(path),
    run: async (input, io) => {
      const place = await workspace.resolveForRead(input.path);
      if (!place.ok) return refuse(place.fault);
      // Without blocking: a FIFO that nobody writes to would hold the open for ever.
      const opened = await attempt(() => open(place.value.absolute, constants.O_RDONLY | constants.O_NONBLOCK), codeOf);
      if (!opened.ok) return refuse(cannotOpen(place.value, opened.fault));
      const answer = await attempt(
        () => readOpened({ place: place.value, handle: opened.value, seen }, input, io),
        messageOf,
      );
      await opened.value.close();
      return answer.ok ? answer.value : refuse(`${place.value.shown} could not be read: ${answer.fault}`);
    },
  });
}

interface Source {
  readonly place: Place;
  readonly handle: FileHandle;
  readonly seen: SeenFiles;
}

/** Everything that a page of text needs to say about its file. */
interface Reading {
  readonly page: Page;
  readonly lines: number | undefined;
  readonly size: number;
  readonly hash: string;
  readonly remarks: readonly string[];
}

async function readOpened(source: Source, input: Input, io: ToolIo): Promise<ToolAnswer> {
  const { place, handle } = source;
  const stats = await handle.stat();
  if (stats.isDirectory()) return refuse(`${place.shown} is a directory: use list.`);
  if (!stats.isFile()) return refuse(`${place.shown} is no regular file but a ${specialKind(stats)}: it was not read.`);
  const head = Buffer.alloc(8192);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  if (bytesRead === 0) return emptyFile(source);
  const content = sniff(head.subarray(0, bytesRead));
  if (content.kind !== 'text') return notText(place, content, stats.size);
  const isLarge = stats.size > wholeAtMostBytes;
  if (isLarge && content.encoding !== 'utf-8')
    return refuse(
      `${place.shown} is ${content.encoding.toUpperCase()} text of ${sizeText(stats.size)}, too large to decode. Use bash: iconv -f ${content.encoding} -t utf-8 FILE | sed -n 1,200p`,
    );
  const offset = input.offset ?? 1;
  if (isLarge && offset < 0)
    return refuse(`${place.shown} is too large (${sizeText(stats.size)}) to count from its end: use bash with tail.`);
  const limit = input.limit === undefined || input.limit < 1 ? linesByDefault : Math.min(input.limit, linesAtMost);
  const reading = isLarge
    ? await readLarge(handle, stats, { offset, limit, signal: io.signal })
    : await readWhole(handle, content, { offset, limit, signal: io.signal });
  return show(source, reading);
}

interface Range {
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

const pageAt = (first: number, { limit }: Range): Page =>
  createPage(Math.max(1, first), { lines: limit, bytes: pageBytes, lineCharacters });

async function readWhole(
  handle: FileHandle,
  content: Extract<Content, { kind: 'text' }>,
  range: Range,
): Promise<Reading> {
  range.signal.throwIfAborted();
  const size = (await handle.stat()).size;
  const bytes = await readAll(handle, size);
  // TextDecoder takes the byte order mark away itself.
  const text = new TextDecoder(content.encoding).decode(bytes);
  const lines = splitLines(text);
  const page = pageAt(range.offset < 0 ? lines.length + range.offset + 1 : range.offset, range);
  for (const line of lines.slice(page.first - 1)) if (!page.add(line, line.length)) break;
  return {
    page,
    lines: lines.length,
    size: bytes.length,
    hash: fingerprint(bytes),
    remarks: remarksOn(bytes, text, content),
  };
}

/** To the end, whatever the size said: files under /proc say 0. */
async function readAll(handle: FileHandle, size: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(Math.max(4096, size - position + 1));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}

async function readLarge(handle: FileHandle, stats: Stats, range: Range): Promise<Reading> {
  const page = pageAt(range.offset, range);
  const { lines } = await streamInto(page, handle, { signal: range.signal, countAtMostBytes });
  return { page, lines, size: stats.size, hash: largeFingerprint(stats), remarks: [] };
}

function remarksOn(bytes: Buffer, text: string, { encoding, hasBom }: Extract<Content, { kind: 'text' }>): string[] {
  const crlf = text.includes('\r\n');
  const isMixed = crlf && /(^|[^\r])\n/.test(text);
  return [
    ...(encoding === 'utf-8' ? [] : [`${encoding.toUpperCase()}, decoded`]),
    ...(hasBom ? ['starts with a byte order mark'] : []),
    ...(encoding === 'utf-8' && !isUtf8(bytes) ? ['not valid UTF-8: bytes that do not fit are shown as \ufffd'] : []),
    ...(crlf ? [isMixed ? 'mixed CRLF and LF line ends' : 'CRLF line ends'] : []),
    ...(text.endsWith('\n') ? [] : ['no newline at the end']),
  ];
}

function show({ place, seen }: Source, { page, lines, size, hash, remarks }: Reading): ToolAnswer {
  const { first } = page;
  const last = page.last();
  if (last < first)
    return refuse(
      `${place.shown} has ${countOf(lines ?? 0)}: there is nothing at offset ${first}. Use an offset up to ${lines}.`,
    );
  seen.remember({ path: place.absolute, hash });
  const notes = [extent(page, lines, size), ...remarks].join('; ');
  return {
    ok: true,
    text: `${page.text()}\n(${notes})${cutNote(page, place.shown)}`,
    data: {
      path: place.shown,
      first,
      last,
      ...(lines === undefined ? {} : { lines }),
      file: { path: place.absolute, hash },
    },
  };
}

function extent(page: Page, lines: number | undefined, size: number): string {
  const range = `lines ${page.first}-${page.last()}`;
  if (lines === undefined) return `${range} of a file of ${sizeText(size)}; go on with offset ${page.last() + 1}`;
  if (page.last() < lines) return `${range} of ${lines}; go on with offset ${page.last() + 1}`;
  return page.first === 1 ? `all ${countOf(lines)}` : `${range} of ${lines}, the end`;
}

function cutNote(page: Page, shown: string): string {
  const [first] = page.cut();
  if (!first) return '';
  const from = lineCharacters + 1;
  return `\n(Long lines were cut. The rest of line ${first.line}, in bash: sed -n ${first.line}p ${quoted(shown)} | cut -c${from}-${from + 4000})`;
}

const countOf = (lines: number): string => (lines === 1 ? '1 line' : `${lines} lines`);
const refuse = (text: string): ToolAnswer => ({ ok: false, text });

function emptyFile({ place, seen }: Source): ToolAnswer {
  const file = { path: place.absolute, hash: fingerprint(new Uint8Array()) };
  seen.remember(file);
  return { ok: true, text: `${place.shown} is empty (0 bytes).`, data: { path: place.shown, lines: 0, file } };
}

function notText(place: Place, { kind, format }: Exclude<Content, { kind: 'text' }>, size: number): ToolAnswer {
  const what = kind === 'image' ? `an image (${format}, ${sizeText(size)})` : `binary (${format}, ${sizeText(size)})`;
  const advice =
    kind === 'image' ? '' : ' If you need a part of it, use bash: file, strings, xxd, or the tool for its format.';
  return {
    ok: false,
    text: `${place.shown} is ${what}: it cannot be shown as text.${advice}`,
    data: { path: place.shown, format, size },
  };
}

function specialKind(stats: Stats): string {
  if (stats.isFIFO()) return 'FIFO';
  if (stats.isSocket()) return 'socket';
  return stats.isCharacterDevice() || stats.isBlockDevice() ? 'device' : 'special file';
}

function cannotOpen({ shown }: Place, code: string | undefined): string {
  if (code === 'EACCES' || code === 'EPERM') return `${shown} cannot be read: permission denied by the system.`;
  if (code === 'ENXIO') return `${shown} is no regular file but a socket or device: it was not read.`;
  return `${shown} cannot be opened: ${code ?? 'unknown error'}.`;
}
