/** Old tool results in one line each: what it was, how large, where the whole is. The same history is masked the same way. */
import type { List } from '../../base/list.ts';
import type { Message, ToolCall, ToolResult } from '../../protocol/message.ts';

export interface MaskWish {
  /** How many tokens must go. */
  readonly tokensToFree: number;
  /** So many of the last steps with tools stay as they are. */
  readonly keepSteps: number;
  /** Weighs a message. */
  tokensOf(message: Message): number;
}

/** The first `cut` messages are to be replaced by `messages`. */
export interface Shortened {
  readonly cut: number;
  readonly messages: readonly Message[];
  readonly freedTokens: number;
}

/** A mask of such a result would save nothing. Characters. */
const leastWorth = 240;
const mark = '[masked: ';
/** What stands here is a plan and not a finding. */
const keptTools: ReadonlySet<string> = new Set(['todo']);

/** Masks the oldest results first, no more of them than needed. Undefined where there is nothing to mask. */
export function maskOldest(messages: List<Message>, wish: MaskWish): Shortened | undefined {
  const end = firstKept(messages, wish.keepSteps);
  const shortened: Message[] = [];
  let cut = 0;
  let freed = 0;
  let calls: readonly ToolCall[] = [];
  for (const [index, message] of messages.slice(0, end).entries()) {
    if (message.from === 'model') ({ calls } = message);
    const masked = message.from === 'tools' ? { ...message, results: message.results.map(masking(calls)) } : message;
    const saved = masked === message ? 0 : wish.tokensOf(message) - wish.tokensOf(masked);
    shortened.push(saved > 0 ? masked : message);
    if (saved <= 0) continue;
    freed += saved;
    cut = index + 1;
    if (freed >= wish.tokensToFree) break;
  }
  return cut === 0 ? undefined : { cut, messages: shortened.slice(0, cut), freedTokens: freed };
}

/** Where the last steps begin that stay as they are. */
function firstKept(messages: List<Message>, keepSteps: number): number {
  let steps = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    if (messages.at(index)?.from !== 'tools') continue;
    if (steps === keepSteps) return index + 1;
    steps++;
  }
  return 0;
}

const masking =
  (calls: readonly ToolCall[]) =>
  (result: ToolResult): ToolResult => {
    const call = calls.find(({ id }) => id === result.callId);
    if (!call || keptTools.has(call.name) || result.text.length < leastWorth || result.text.startsWith(mark))
      return result;
    return { callId: result.callId, ok: result.ok, text: maskOf(call, result) };
  };

/** `[masked: read src/a.ts lines 1-400, 12,345 characters; read it again if you need it]` */
function maskOf(call: ToolCall, { ok, text, data }: ToolResult): string {
  const outcome = ok ? '' : ' (failed)';
  const spill = data?.['spill'];
  const whole = typeof spill === 'string' ? `the whole is in ${spill}` : again(call.name);
  return `${mark}${call.name} ${subjectOf(call)}${outcome}, ${grouped(text.length)} characters; ${whole}]`;
}

const again = (tool: string): string =>
  tool === 'read' ? 'read it again if you need it' : 'call it again if you need it';

const fields = (input: unknown): Readonly<Record<string, unknown>> =>
  // Any object has fields of unknown kinds.
  typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};

/** The texts of the input as they stand, each shortened; for a file also which lines. */
function subjectOf({ input }: ToolCall): string {
  const { offset, limit, ...rest } = fields(input);
  const words = Object.values(rest).filter((value) => typeof value === 'string');
  const subject = words.map((word) => shortened(word.replace(/\s+/g, ' ').trim(), 100)).join(' ');
  const from = typeof offset === 'number' ? offset : 1;
  const lines = typeof limit === 'number' ? ` lines ${from}-${from + limit - 1}` : '';
  return `${subject}${lines || (typeof offset === 'number' ? ` from line ${from}` : '')}`.trim();
}

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}...` : text;

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** The last resort: what the last step brought is itself too long. Its largest result keeps its beginning and its end. */
export function trimNewest(
  messages: List<Message>,
  { tokensToFree, tokensOf }: Omit<MaskWish, 'keepSteps'>,
): Shortened | undefined {
  const last = messages.at(-1);
  if (last?.from !== 'tools') return undefined;
  const largest = last.results.reduce((one, other) => (other.text.length > one.text.length ? other : one));
  const tokens = tokensOf({ from: 'tools', results: [largest] });
  const kept = Math.floor(largest.text.length * Math.max(0, 1 - (tokensToFree + tokensOfRemark) / tokens));
  if (kept < leastWorth) return undefined;
  const results = last.results.map((result) =>
    result === largest ? { ...result, text: trimmed(result.text, kept) } : result,
  );
  const shorter: Message = { from: 'tools', results };
  const freedTokens = tokensOf(last) - tokensOf(shorter);
  if (freedTokens <= 0) return undefined;
  return { cut: messages.length, messages: [...messages.slice(0, -1), shorter], freedTokens };
}

const tokensOfRemark = 40;

function trimmed(text: string, kept: number): string {
  const head = text.slice(0, Math.ceil(kept * 0.6)).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(text.length - Math.floor(kept * 0.4)).replace(/^[\udc00-\udfff]/, '');
  const gone = text.length - head.length - tail.length;
  return `${head}\n[${grouped(gone)} characters left out here: they do not fit into your context. Ask for a smaller part.]\n${tail}`;
}
