/** What is sent to the model, piece by piece, with its size, and a table of it: for `smew context`. */
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

const titles: Readonly<Record<ContextRow['part'], string>> = {
  system: 'System prompt',
  tool: 'Tools',
  messages: 'Messages',
};

/** Grouped, with a sum for each group and one for all; ends with a line break. */
export function formatContext(rows: readonly ContextRow[]): string {
  const lines: Line[] = [];
  for (const part of ['system', 'tool', 'messages'] as const) {
    const group = rows.filter((row) => row.part === part);
    lines.push(sumOf(titles[part], group));
    lines.push(...group.map((row) => lineOf(`  ${row.name}${row.count > 1 ? ` (${row.count})` : ''}`, row)));
  }
  lines.push(sumOf('Total', rows));
  const widths = [0, 1, 2].map((column) => Math.max(...[heading, ...lines].map((line) => line[column]?.length ?? 0)));
  const shown = [heading, ...lines].map(
    ([name, bytes, tokens]) =>
      `${name.padEnd(widths[0] ?? 0)}  ${bytes.padStart(widths[1] ?? 0)}  ${tokens.padStart(widths[2] ?? 0)}`,
  );
  return `${shown.join('\n')}\n\nTokens are estimates from the kinds of characters; the provider's own count is in the usage.\n`;
}

type Line = readonly [name: string, bytes: string, tokens: string];

const heading: Line = ['', 'bytes', 'tokens'];

const lineOf = (name: string, { bytes, tokensEstimate }: Pick<ContextRow, 'bytes' | 'tokensEstimate'>): Line => [
  name,
  grouped(bytes),
  `~${grouped(tokensEstimate)}`,
];

const sumOf = (name: string, rows: readonly ContextRow[]): Line =>
  lineOf(name, {
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
    tokensEstimate: rows.reduce((sum, row) => sum + row.tokensEstimate, 0),
  });

/** 12,345 in every locale. */
const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
