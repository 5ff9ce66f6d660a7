/** A reply put together from Ollama's lines, or from the one of an answer that was not streamed. */
import type { Emit } from '../../../loop/ports.ts';
import type { FinishReason, RawReply, Usage } from '../../../protocol/model.ts';
import { CallGathering } from '../assembly/calls.ts';
import type { Assembly } from '../exchange.ts';
import type { Progress } from '../http.ts';
import { countOf, loose, textOf } from '../loose.ts';

type LineField = 'model' | 'message' | 'done' | 'done_reason' | 'prompt_eval_count' | 'eval_count';
type MessageField = 'content' | 'thinking' | 'tool_calls';

const finishReasons: Readonly<Record<string, FinishReason>> = { stop: 'stop', length: 'length' };

export class OllamaAssembly implements Assembly {
  /** A line with `done`. */
  isEnded = false;
  #finishWord: string | undefined;
  #servedBy: string | undefined;
  #usage: Usage | undefined;
  readonly #text: string[] = [];
  readonly #thinking: string[] = [];
  readonly #calls: CallGathering;
  readonly #emit: Emit;

  constructor(emit: Emit, toolNames: readonly string[]) {
    this.#emit = emit;
    this.#calls = new CallGathering(toolNames);
  }

  take(line: unknown): Progress {
    const { model, message, done, done_reason: word } = loose<LineField>(line);
    this.#servedBy ??= textOf(model) || undefined;
    this.#takeMessage(message);
    if (done !== true) return 'on';
    this.isEnded = true;
    this.#finishWord = textOf(word) || undefined;
    this.#usage = usageIn(line);
    return 'done';
  }

  /** The bytes say nothing about the end: only a line with `done` does. */
  end(): void {}

  get hasFinish(): boolean {
    return this.isEnded;
  }

  get isEmpty(): boolean {
    return this.#text.length === 0 && this.#thinking.length === 0 && this.#calls.calls.length === 0;
  }

  get namelessCalls(): number {
    return this.#calls.nameless;
  }

  get reply(): RawReply {
    const { calls } = this.#calls;
    const finish = this.#finish(calls.length > 0);
    const reasoning = this.#thinking.join('');
    return {
      text: this.#text.join(''),
      calls,
      finish,
      isCut: finish === 'length' || finish === 'unknown',
      ...(reasoning ? { reasoning, native: { thinking: reasoning } } : {}),
      ...(this.#finishWord === undefined ? {} : { finishWord: this.#finishWord }),
      ...(this.#usage ? { usage: this.#usage } : {}),
      ...(this.#servedBy === undefined ? {} : { servedBy: this.#servedBy }),
    };
  }

  /** `load` and `unload` answer no question: the model was only moved. Old servers say no word at all. */
  #finish(hasCalls: boolean): FinishReason {
    if (!this.isEnded) return 'unknown';
    const finish = this.#finishWord === undefined ? 'stop' : (finishReasons[this.#finishWord] ?? 'unknown');
    return finish === 'stop' && hasCalls ? 'calls' : finish;
  }

  #takeMessage(message: unknown): void {
    const { content, thinking, tool_calls: calls } = loose<MessageField>(message);
    if (textOf(thinking)) {
      this.#thinking.push(textOf(thinking));
      this.#emit({ type: 'reasoning.grew', delta: textOf(thinking) });
    }
    if (textOf(content)) {
      this.#text.push(textOf(content));
      this.#emit({ type: 'text.grew', delta: textOf(content) });
    }
    for (const growth of this.#calls.take(calls)) this.#emit({ type: 'call.grew', ...growth });
  }
}

/** Undefined where the last line counts nothing. */
function usageIn(line: unknown): Usage | undefined {
  const { prompt_eval_count: prompt, eval_count: answer } = loose<LineField>(line);
  if (countOf(prompt) === undefined && countOf(answer) === undefined) return undefined;
  return { inputTokens: countOf(prompt) ?? 0, outputTokens: countOf(answer) ?? 0 };
}
