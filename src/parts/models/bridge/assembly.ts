/** A reply put together from the parts that a provider streams, or from the content that it gives at once. */
import type { Emit } from '../../../loop/ports.ts';
import type { FinishReason, RawReply, Usage } from '../../../protocol/model.ts';
import { isObject, listOf, loose, textOf } from '../loose.ts';
import { partBreak } from '../parts.ts';
import { usageIn } from './usage.ts';

type PartField =
  | 'type'
  | 'id'
  | 'delta'
  | 'text'
  | 'toolName'
  | 'toolCallId'
  | 'input'
  | 'providerMetadata'
  | 'providerExecuted'
  | 'finishReason'
  | 'usage'
  | 'modelId';

type Part = ReturnType<typeof loose<PartField>>;

/** A text, a thought or a call; `text` is joined once. */
interface Block {
  readonly type: 'text' | 'reasoning' | 'tool-call';
  readonly id: string;
  readonly name: string;
  readonly pieces: string[];
  bytes: number;
  metadata: object | undefined;
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'filtered',
  'tool-calls': 'calls',
};

export class SdkAssembly {
  #finishWord: string | undefined;
  #usage: Usage | undefined;
  #servedBy: string | undefined;
  readonly #blocks: Block[] = [];
  readonly #emit: Emit;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** One part of a stream. Kinds that are not known carry nothing that a reply needs. */
  take(part: unknown): void {
    const fields = loose<PartField>(part);
    const [kind = '', event] =
      /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(textOf(fields.type))?.slice(1) ?? [];
    if (kind)
      this.#takePiece(kind === 'tool-input' ? 'tool-call' : (kind as Block['type']), event ?? '', fields); // one of the two words left
    else if (fields.type === 'tool-call') this.#takeCall(fields);
    else if (fields.type === 'response-metadata') this.#servedBy ??= textOf(fields.modelId) || undefined;
    else if (fields.type === 'finish') this.#takeFinish(fields);
  }

  /** The result of an answer in one piece. */
  takeWhole(result: unknown): void {
    const { content, response, ...end } = loose<'content' | 'response' | 'finishReason' | 'usage'>(result);
    for (const part of listOf(content)) {
      const fields = loose<PartField>(part);
      if (fields.type === 'tool-call') this.#takeCall(fields);
      else if (fields.type === 'text' || fields.type === 'reasoning') {
        this.#say(this.#open(fields.type, fields), textOf(fields.text));
      }
    }
    this.#servedBy = textOf(loose<PartField>(response).modelId) || undefined;
    this.#takeFinish(end);
  }

  get hasFinish(): boolean {
    return this.#finishWord !== undefined;
  }

  get isEmpty(): boolean {
    return this.#blocks.every(({ bytes, type }) => bytes === 0 && type !== 'tool-call');
  }

  get reply(): RawReply {
    const finish = this.#finishWord === undefined ? 'unknown' : (finishReasons[this.#finishWord] ?? 'unknown');
    const calls = this.#of('tool-call').map((block) => ({ id: block.id, name: block.name, arguments: said(block) }));
    const reasoning = this.#of('reasoning').map(said).join(partBreak);
    const native = nativeOf(this.#blocks);
    return {
      text: this.#of('text').map(said).filter(Boolean).join(partBreak),
      calls,
      finish: finish === 'stop' && calls.length > 0 ? 'calls' : finish,
      isCut: finish === 'length' || finish === 'unknown',
      ...(reasoning ? { reasoning } : {}),
      ...(this.#finishWord === undefined ? {} : { finishWord: this.#finishWord }),
      ...(this.#usage ? { usage: this.#usage } : {}),
      ...(this.#servedBy === undefined ? {} : { servedBy: this.#servedBy }),
      ...(native ? { native } : {}),
    };
  }

  #of(type: Block['type']): Block[] {
    return this.#blocks.filter((block) => block.type === type);
  }

  #takePiece(type: Block['type'], event: string, part: Part): void {
    const id = textOf(part.id);
    const known = this.#blocks.findLast((block) => block.type === type && block.id === id);
    const block = event === 'start' || !known ? this.#open(type, part) : known;
    if (isObject(part.providerMetadata)) block.metadata = part.providerMetadata;
    this.#say(block, textOf(part.delta));
  }

  /** The whole of a call, whose pieces may have come before. What the provider ran itself is not ours to run. */
  #takeCall(part: Part): void {
    if (part.providerExecuted === true) return;
    const id = textOf(part.toolCallId);
    const block =
      this.#blocks.findLast((one) => one.type === 'tool-call' && one.id === id) ?? this.#open('tool-call', part);
    if (isObject(part.providerMetadata)) block.metadata = part.providerMetadata;
    const text = typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? {});
    if (said(block) === text) return;
    block.pieces.splice(0);
    block.bytes = 0;
    this.#say(block, text);
  }

  #open(type: Block['type'], { id, toolCallId, toolName, providerMetadata }: Part): Block {
    const metadata = isObject(providerMetadata) ? providerMetadata : undefined;
    const block = {
      type,
      id: textOf(toolCallId) || textOf(id),
      name: textOf(toolName),
      pieces: [],
      bytes: 0,
      metadata,
    };
    this.#blocks.push(block);
    return block;
  }

  #say(block: Block, text: string): void {
    if (text === '') return;
    const isFurther =
      block.bytes === 0 && this.#blocks.some((one) => one.type === block.type && one !== block && one.bytes > 0);
    block.pieces.push(text);
    block.bytes += text.length;
    if (block.type === 'tool-call') this.#emit({ type: 'call.grew', name: block.name, bytes: block.bytes });
    else this.#emit({ type: `${block.type}.grew`, delta: isFurther ? partBreak + text : text });
  }

  /** V3 gives the reason in its own words and in the vendor's. */
  #takeFinish({ finishReason, usage }: Pick<Part, 'finishReason' | 'usage'>): void {
    const word = textOf(finishReason) || textOf(loose<'unified'>(finishReason).unified);
    this.#finishWord = word || 'unknown';
    this.#usage = usageIn(usage);
  }
}

const said = ({ pieces }: Block): string => pieces.join('');

/** Undefined where the plain reply says it all. */
function nativeOf(blocks: readonly Block[]): { readonly parts: readonly object[] } | undefined {
  if (blocks.every(({ type, metadata }) => type !== 'reasoning' && metadata === undefined)) return undefined;
  const parts = blocks.map((block) => ({
    type: block.type,
    ...(block.type === 'tool-call' ? { toolCallId: block.id } : { text: said(block) }),
    ...(block.metadata ? { providerOptions: block.metadata } : {}),
  }));
  return { parts };
}
