/** What is sent to the model, piece by piece, with its size: for `smew context`. */
import type { Message } from '../../protocol/message.ts';
import type { Fragment, ToolSpec } from '../../protocol/model.ts';
import { estimateTokens, tokensOfImage } from './estimate.ts';

export interface ContextRow {
  readonly part: 'system' | 'tool' | 'messages';
  /** A fragment's or tool's name; for messages what they are. */
  readonly name: string;
  /** How many messages, calls or results are in it; 1 for a fragment or tool. */
  readonly count: number;
  /** UTF-8 bytes of the content; what a wire puts around it is not in here. */
  readonly bytes: number;
  /** See estimate.ts. */
  readonly tokensEstimate: number;
}

export interface ContextFacts {
  readonly system: readonly Fragment[];
  readonly tools: readonly ToolSpec[];
  readonly messages: Iterable<Message>;
}

const images = 'images';

/** One row for each fragment and tool, and for each kind of message that occurs. */
export function describeContext({ system, tools, messages }: ContextFacts): ContextRow[] {
  const kinds = new Map<string, string[]>();
  for (const message of messages) {
    for (const [kind, text] of piecesOf(message)) {
      const texts = kinds.get(kind);
      if (texts) texts.push(text);
      else kinds.set(kind, [text]);
    }
  }
  return [
    ...system.map(({ name, text }) => row('system', name, [text])),
    ...tools.map((tool) => row('tool', tool.name, [JSON.stringify(tool)])),
    ...[...kinds].map(([kind, texts]) => row('messages', kind, texts)),
  ];
}

function row(part: ContextRow['part'], name: string, texts: readonly string[]): ContextRow {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const tokensOf = name === images ? () => tokensOfImage : estimateTokens;
  const tokensEstimate = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  return { part, name, count: texts.length, bytes, tokensEstimate };
}

function piecesOf(message: Message): [kind: string, text: string][] {
  switch (message.from) {
    case 'user': {
      const pictures = (message.images ?? []).map(({ base64 }): [string, string] => [images, base64]);
      return [[message.by === undefined ? "user's words" : `nudges by ${message.by}`, message.text], ...pictures];
    }
    case 'model': {
      const calls = message.calls.map(({ name, input }): [string, string] => [
        'tool calls',
        JSON.stringify({ name, input }),
      ]);
      const said: [string, string][] = message.text === '' ? [] : [["model's words", message.text]];
      const native: [string, string][] = message.native
        ? [['native content (reasoning)', JSON.stringify(message.native.content) ?? '']]
        : [];
      return [...said, ...calls, ...native];
    }
    case 'tools':
      return message.results.map(({ text }) => ['tool results', text]);
    default:
      return message satisfies never;
  }
}
