/** A reply put together from chunks, or from the one body of an answer that was not streamed. */
import type { Emit } from '../../../loop/ports.ts';
import type { FinishReason, RawReply, Usage } from '../../../protocol/model.ts';
import { CallGathering } from '../assembly/calls.ts';
import type { Assembly } from '../exchange.ts';
import type { Progress } from '../http.ts';
import { isObject, listOf, loose, textOf } from '../loose.ts';
import { ReasoningGathering } from './reasoning.ts';
import { usageIn } from './usage.ts';

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'calls',
  function_call: 'calls',
  tool_use: 'calls',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  max_completion_tokens: 'length',
  model_length: 'length',
  content_filter: 'filtered',
  safety: 'filtered',
  refusal: 'filtered',
};

type MessageField = 'content' | 'refusal' | 'tool_calls' | 'function_call';

export class ReplyAssembly implements Assembly {
  /** The end was said: `[DONE]`, or a whole body. */
  isEnded = false;
  #finishWord: string | undefined;
  #servedBy: string | undefined;
  #usage: Usage | undefined;
  readonly #text: string[] = [];
  readonly #calls: CallGathering;
  readonly #reasoning = new ReasoningGathering();
  readonly #emit: Emit;

  /** `names` are those of the declared tools. */
  constructor(emit: Emit, names: Iterable<string> = []) {
    this.#emit = emit;
    this.#calls = new CallGathering(names);
  }

  /** Takes one chunk as it was parsed; whatever does not fit the format is passed over. */
  take(chunk: unknown): Progress {
    const body = unwrapped(chunk);
    const { choices, model } = loose<'choices' | 'model'>(body);
    this.#servedBy ??= textOf(model) || undefined;
    this.#usage = usageIn(body) ?? this.#usage;
    for (const choice of listOf(choices)) {
      const {
        index,
        delta,
        message,
        finish_reason: word,
      } = loose<'index' | 'delta' | 'message' | 'finish_reason'>(choice);
      if (typeof index === 'number' && index !== 0) continue;
      this.#takeMessage(delta ?? this.#news(message));
      if (textOf(word)) this.#finishWord = textOf(word);
    }
    return 'on';
  }

  end(): void {
    this.isEnded = true;
  }

  /** True once the server has said why the model ended. */
  get hasFinish(): boolean {
    return this.#finishWord !== undefined;
  }

  get isEmpty(): boolean {
    return this.#text.length === 0 && this.#calls.calls.length === 0 && this.#reasoning.text === '';
  }

  get namelessCalls(): number {
    return this.#calls.nameless;
  }

  get reply(): RawReply {
    const calls = this.#calls.calls;
    const finish = this.#finish(calls.length > 0);
    const { text: reasoning, native } = this.#reasoning;
    return {
      text: this.#text.join(''),
      calls,
      finish,
      isCut: finish === 'length' || this.#finishWord === 'error' || (!this.hasFinish && !this.isEnded),
      ...(reasoning ? { reasoning } : {}),
      ...(this.#finishWord === undefined ? {} : { finishWord: this.#finishWord }),
      ...(this.#usage ? { usage: this.#usage } : {}),
      ...(this.#servedBy === undefined ? {} : { servedBy: this.#servedBy }),
      ...(native ? { native } : {}),
    };
  }

  /** An end without a word is a plain stop. */
  #finish(hasCalls: boolean): FinishReason {
    if (this.#finishWord !== undefined) return finishReasons[this.#finishWord.toLowerCase()] ?? 'unknown';
    if (!this.isEnded) return 'unknown';
    return hasCalls ? 'calls' : 'stop';
  }

  /** A stream may end with the whole message once more: its text was taken already. Calls know themselves again. */
  #news(message: unknown): unknown {
    if (this.#text.length === 0 || !isObject(message)) return message;
    const { content, ...rest } = loose<'content'>(message);
    return content === this.#text.join('') ? rest : message;
  }

  #takeMessage(message: unknown): void {
    const { content, refusal, tool_calls: calls, function_call: single } = loose<MessageField>(message);
    const thought = this.#reasoning.take(message);
    if (thought) this.#emit({ type: 'reasoning.grew', delta: thought });
    for (const part of Array.isArray(content) ? content : [content]) this.#takeContent(part);
    if (textOf(refusal)) this.#say(textOf(refusal));
    for (const growth of [...this.#calls.take(calls), ...this.#calls.takeFunction(single)]) {
      this.#emit({ type: 'call.grew', ...growth });
    }
  }

  /** Text, or a part of a list: text, or thinking that itself is a list of texts. */
  #takeContent(part: unknown): void {
    const { text, thinking } = loose<'text' | 'thinking'>(part);
    const thought =
      listOf(thinking)
        .map((piece) => textOf(loose<'text'>(piece).text))
        .join('') || textOf(thinking);
    if (thought) {
      this.#reasoning.takePart(thought);
      this.#emit({ type: 'reasoning.grew', delta: thought });
    }
    const said = textOf(part) || textOf(text);
    if (said) this.#say(said);
  }

  #say(text: string): void {
    this.#text.push(text);
    this.#emit({ type: 'text.grew', delta: text });
  }
}

/** Some gateways wrap the whole body once more. */
const unwrapped = (chunk: unknown): unknown => {
  const { choices, data } = loose<'choices' | 'data'>(chunk);
  return choices === undefined && loose<'choices'>(data).choices !== undefined ? data : chunk;
};
