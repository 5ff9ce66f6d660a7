/** Content blocks of a reply as they grow. */
import { isObject, loose, textOf } from '../loose.ts';

export type Block =
  | { readonly kind: 'text'; readonly pieces: string[] }
  /** `start` holds the fields of the block that do not grow. */
  | { readonly kind: 'thinking'; readonly start: object; readonly pieces: string[]; readonly signature: string[] }
  | { readonly kind: 'redacted_thinking'; readonly start: object; readonly pieces: string[] }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      /** Arguments that came whole at the start; empty where they come in pieces. */
      readonly input: string;
      readonly pieces: string[];
      /** Characters so far. */
      bytes: number;
    };

type BlockField = 'type' | 'text' | 'thinking' | 'signature' | 'id' | 'name' | 'input';

/** Undefined for a kind of block that we asked nobody for. */
export function openBlock(value: unknown): Block | undefined {
  const { type, text, thinking, signature, id, name, input } = loose<BlockField>(value);
  const start = isObject(value) ? value : {};
  switch (type) {
    case 'text':
      return { kind: 'text', pieces: piece(textOf(text)) };
    case 'thinking':
      return { kind: 'thinking', start, pieces: piece(textOf(thinking)), signature: piece(textOf(signature)) };
    case 'redacted_thinking':
      return { kind: 'redacted_thinking', start, pieces: [] };
    case 'tool_use': {
      const whole = isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : textOf(input);
      return { kind: 'call', id: textOf(id), name: textOf(name), input: whole, pieces: [], bytes: whole.length };
    }
    default:
      return undefined;
  }
}

type DeltaField = 'type' | 'text' | 'thinking' | 'signature' | 'partial_json';

/** The block with the delta in it, and the text that is new. */
export function takeDelta(known: Block | undefined, delta: unknown): { block: Block | undefined; news: string } {
  const { type, text, thinking, signature, partial_json: json } = loose<DeltaField>(delta);
  const block = known ?? (type === 'text_delta' || type === 'thinking_delta' ? opened(type) : undefined);
  const news = newsFor(block, { text: textOf(text), thinking: textOf(thinking), json: textOf(json) });
  if (block && news !== '') block.pieces.push(news);
  if (block?.kind === 'call') block.bytes += news.length;
  if (block?.kind === 'thinking' && textOf(signature)) block.signature.push(textOf(signature));
  return { block, news };
}

const opened = (type: string): Block | undefined =>
  openBlock(type === 'text_delta' ? { type: 'text' } : { type: 'thinking' });

function newsFor(block: Block | undefined, news: { text: string; thinking: string; json: string }): string {
  switch (block?.kind) {
    case 'text':
      return news.text;
    case 'thinking':
      return news.thinking;
    case 'call':
      return news.json;
    case 'redacted_thinking':
    case undefined:
      return '';
    default:
      return block satisfies never;
  }
}

export const isFilled = (block: Block): boolean => block.kind === 'call' || block.pieces.some((text) => text !== '');

/** As it goes back: thinking with everything that came, texts and calls as their places. */
export function closedBlock(block: Block): object {
  switch (block.kind) {
    case 'text':
      return { type: 'text', text: block.pieces.join('') };
    case 'thinking':
      return { ...block.start, thinking: block.pieces.join(''), ...signatureOf(block) };
    case 'redacted_thinking':
      return block.start;
    case 'call':
      return { type: 'tool_use', id: block.id };
    default:
      return block satisfies never;
  }
}

/** Servers that sign nothing get no signature back. */
function signatureOf({ start, signature }: Extract<Block, { kind: 'thinking' }>): { readonly signature?: string } {
  const hasOne = signature.length > 0 || 'signature' in start;
  return hasOne ? { signature: signature.join('') } : {};
}

const piece = (text: string): string[] => (text === '' ? [] : [text]);
