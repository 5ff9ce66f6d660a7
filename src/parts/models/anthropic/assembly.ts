/** A reply put together from the events of a message, or from the one message of an answer that was not streamed. */
import type { Emit } from '../../../loop/ports.ts';
import type { FinishReason, RawReply } from '../../../protocol/model.ts';
import { TextGathering } from '../assembly/texts.ts';
import type { Assembly } from '../exchange.ts';
import type { Progress } from '../http.ts';
import { listOf, loose, textOf } from '../loose.ts';
import { type Block, closedBlock, isFilled, openBlock, takeDelta } from './blocks.ts';
import { isThinking, type NativeBlocks } from './native.ts';
import { UsageGathering } from './usage.ts';

const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'filtered',
  sensitive: 'filtered',
};

type EventField = 'type' | 'index' | 'message' | 'content_block' | 'delta' | 'usage';
type MessageField = 'model' | 'content' | 'stop_reason' | 'usage';

export class MessageAssembly implements Assembly {
  isEnded = false;
  #finishWord: string | undefined;
  #servedBy: string | undefined;
  /** In the order in which they were opened. */
  readonly #blocks = new Map<number, Block>();
  /** The block that is being written thinks, which may take minutes of nothing but pings. */
  #isThinking = false;
  readonly #usage = new UsageGathering();
  readonly #text: TextGathering;
  readonly #emit: Emit;

  constructor(emit: Emit) {
    this.#emit = emit;
    this.#text = new TextGathering(emit);
  }

  take(chunk: unknown): Progress {
    const { type, index, message, content_block: block, delta, usage } = loose<EventField>(chunk);
    const place = typeof index === 'number' ? index : this.#blocks.size;
    switch (type) {
      case 'message_start':
        this.#takeMessage(message);
        return 'alive';
      case 'content_block_start':
        this.#open(place, block);
        return 'on';
      case 'content_block_delta':
        this.#grow(place, delta);
        return 'on';
      case 'content_block_stop':
        this.#isThinking = false;
        return 'on';
      case 'message_delta':
        this.#finishWord = textOf(loose<'stop_reason'>(delta).stop_reason) || this.#finishWord;
        this.#usage.take(usage);
        return 'on';
      case 'message_stop':
        this.end();
        return 'done';
      case 'message':
        this.#takeMessage(chunk);
        return 'on';
      default:
        return this.#isThinking ? 'on' : 'alive';
    }
  }

  end(): void {
    this.isEnded = true;
  }

  get hasFinish(): boolean {
    return this.#finishWord !== undefined;
  }

  get isEmpty(): boolean {
    return ![...this.#blocks.values()].some(isFilled);
  }

  get namelessCalls(): number {
    return [...this.#blocks.values()].filter((block) => block.kind === 'call' && block.name === '').length;
  }

  get reply(): RawReply {
    const blocks = [...this.#blocks.values()];
    const calls = blocks.flatMap((block) => (block.kind === 'call' && block.name !== '' ? [callOf(block)] : []));
    const reasoning = blocks.map((block) => (block.kind === 'thinking' ? block.pieces.join('') : '')).join('');
    const finish = this.#finish(calls.length > 0);
    const { usage } = this.#usage;
    const native = nativeOf(blocks);
    return {
      text: this.#text.text,
      calls,
      finish,
      isCut: finish === 'length' || this.#finishWord === 'pause_turn' || (!this.hasFinish && !this.isEnded),
      ...(reasoning ? { reasoning } : {}),
      ...(this.#finishWord === undefined ? {} : { finishWord: this.#finishWord }),
      ...(usage ? { usage } : {}),
      ...(this.#servedBy === undefined ? {} : { servedBy: this.#servedBy }),
      ...(native ? { native } : {}),
    };
  }

  /** An end without a word is a plain stop. */
  #finish(hasCalls: boolean): FinishReason {
    if (this.#finishWord !== undefined) return finishReasons[this.#finishWord] ?? 'unknown';
    if (!this.isEnded) return 'unknown';
    return hasCalls ? 'calls' : 'stop';
  }

  /** The frame of a stream, or the whole message with its content. */
  #takeMessage(message: unknown): void {
    const { model, content, stop_reason: word, usage } = loose<MessageField>(message);
    this.#servedBy ??= textOf(model) || undefined;
    this.#finishWord = textOf(word) || this.#finishWord;
    this.#usage.take(usage);
    for (const block of listOf(content)) this.#open(this.#blocks.size, block);
  }

  #open(index: number, value: unknown): void {
    const block = openBlock(value);
    if (!block) return;
    this.#blocks.set(index, block);
    this.#isThinking = isThinking(block.kind);
    if (block.kind === 'text') this.#text.open();
    this.#tell(block, block.kind === 'call' ? '' : block.pieces.join(''));
  }

  /** A delta of a block that was never opened opens it: some servers leave that out. */
  #grow(index: number, delta: unknown): void {
    const { block, news } = takeDelta(this.#blocks.get(index), delta);
    if (!block) return;
    if (!this.#blocks.has(index) && block.kind === 'text') this.#text.open();
    this.#blocks.set(index, block);
    this.#tell(block, news);
  }

  #tell(block: Block, news: string): void {
    if (block.kind === 'text') this.#text.say(news);
    else if (block.kind === 'call') this.#emit({ type: 'call.grew', name: block.name, bytes: block.bytes });
    else if (news !== '') this.#emit({ type: 'reasoning.grew', delta: news });
  }
}

const callOf = (block: Extract<Block, { kind: 'call' }>): RawReply['calls'][number] => ({
  id: block.id,
  name: block.name,
  arguments: block.pieces.join('') || block.input,
});

/** Only thinking must go back; without any the reply says all that there is to say. */
const nativeOf = (blocks: readonly Block[]): NativeBlocks | undefined =>
  blocks.some(({ kind }) => isThinking(kind))
    ? { blocks: blocks.filter((block) => block.kind !== 'call' || block.name !== '').map(closedBlock) }
    : undefined;
