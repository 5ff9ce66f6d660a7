/** All blocks of a text, in order. Fences are told from the text around them in the same pass: a value may contain one. */
import { type Block, readBlock } from './block.ts';
import { callFence, dataFence, mayOpen } from './dialects.ts';
import { type Source, skipBlank } from './source.ts';
import { tagAt } from './tags.ts';

export interface Placed extends Block {
  /** The block fills a fence; `start` and `end` are then the fence's. */
  readonly fence?: 'call' | 'data';
}

/** At most so many blocks are looked at: a reply with more is no reply with calls. */
const mostBlocks = 256;

export function scan(source: Source): readonly Placed[] {
  const blocks: Placed[] = [];
  const opener = mayOpen();
  for (let match = opener.exec(source.plain); match && blocks.length < mostBlocks; match = opener.exec(source.plain)) {
    const mark = match.groups?.['fence'];
    const block = mark ? fencedAt(source, { at: match.index, mark }) : openAt(source, match);
    // Behind what was read; an empty match must not be found again.
    opener.lastIndex = Math.max(block?.end ?? 0, match.index + Math.max(1, match[0].length));
    if (block && isPlaced(block)) blocks.push(block);
    if (!source.spend(20)) break;
  }
  return blocks;
}

function openAt(source: Source, match: RegExpExecArray): Block | undefined {
  const start = skipBlank(source.text, match.index);
  if (source.plain[start] === '<' && !mayBegin(source, start)) return undefined;
  return readBlock(source, start);
}

/** Most angle brackets are no markup of ours: they are told quickly. */
function mayBegin(source: Source, at: number): boolean {
  const tag = tagAt(source.plain, at);
  if (!tag) return false;
  if (tag.role)
    return tag.role !== 'parameter' && tag.role !== 'key' && tag.role !== 'value' && tag.role !== 'separator';
  if (tag.isToken) return tag.word === 'start' || tag.word === 'channel';
  return !tag.isClosing && tag.attributes === '' && source.resolve(tag.written) !== undefined;
}

const isPlaced = (block: Placed | Hidden): block is Placed => 'found' in block;

interface Hidden {
  readonly end: number;
}

/** A fence; its content is a block only when there is nothing else in it. */
function fencedAt(source: Source, { at, mark }: { at: number; mark: string }): Placed | Hidden {
  const { text } = source;
  const lineEnd = indexOrEnd(text, '\n', at);
  const open = text.indexOf(mark, at) + mark.length;
  const info = text.slice(open, lineEnd).trim();
  // More ticks on the line: inline code, not a fence.
  if (mark.startsWith('`') && info.includes('`')) return { end: open };
  const body = Math.min(text.length, lineEnd + 1);
  const close = closeOf(text, { body, mark });
  const end = close ? close.end : text.length;
  const kind = callFence.test(info) ? 'call' : dataFence.test(info) ? 'data' : undefined;
  if (!kind) return { end };
  const block = fenceBlock(source, { from: body, to: close?.start ?? text.length, kind });
  return block ? { ...block, start: at, end: Math.max(end, block.end), fence: kind } : { end };
}

function fenceBlock(
  source: Source,
  { from, to, kind }: { from: number; to: number; kind: 'call' | 'data' },
): Block | undefined {
  const start = skipBlank(source.text, from);
  if (start >= to) return undefined;
  const inside = {
    ...source,
    text: source.text.slice(0, to),
    plain: source.plain.slice(0, to),
    isInside: kind === 'call',
  };
  const block = kind === 'call' ? readLines(inside, start) : readBlock(inside, start);
  if (!block || block.isLitter || skipBlank(inside.text, block.end) < to) return undefined;
  return block;
}

/** tool_code: a call a line, each as if inside of a wrapper. */
function readLines(source: Source, start: number): Block | undefined {
  const first = readBlock(source, start);
  const found = [...(first?.found ?? [])];
  let end = first?.end ?? start;
  for (let next = skipBlank(source.text, end); first && next < source.text.length; next = skipBlank(source.text, end)) {
    const more = readBlock(source, next);
    if (!more || more.fate || found.length > 64) return undefined;
    found.push(...more.found);
    end = more.end;
  }
  return first && { ...first, found, end, isMarked: true };
}

const indexOrEnd = (text: string, part: string, from: number): number => {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at;
};

/** The line that closes a fence: at least as many of the same marks, and nothing else. */
function closeOf(
  text: string,
  { body, mark }: { body: number; mark: string },
): { start: number; end: number } | undefined {
  const char = mark[0] === '~' ? '~' : '`';
  const line = new RegExp(`^[ \\t]{0,3}${char}{${mark.length},}[ \\t]*$`, 'gm');
  line.lastIndex = body;
  const match = line.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}
