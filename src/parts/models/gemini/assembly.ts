/** A reply put together from the responses of a stream, or from the one of an answer that was not streamed. */
import type { Emit } from '../../../loop/ports.ts';
import type { FinishReason, RawReply, Usage } from '../../../protocol/model.ts';
import type { Assembly } from '../exchange.ts';
import type { Progress } from '../http.ts';
import { isObject, listOf, loose, textOf } from '../loose.ts';
import { type CallField, type PartField, PartGathering } from './parts.ts';
import { responsesIn } from './refusals.ts';
import { usageIn } from './usage.ts';

/** Every other word is a failure of the model or the service: the reply is not whole. */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'filtered',
  RECITATION: 'filtered',
  LANGUAGE: 'filtered',
  BLOCKLIST: 'filtered',
  PROHIBITED_CONTENT: 'filtered',
  SPII: 'filtered',
  MODEL_ARMOR: 'filtered',
  IMAGE_SAFETY: 'filtered',
  IMAGE_PROHIBITED_CONTENT: 'filtered',
  IMAGE_RECITATION: 'filtered',
};

type ResponseField = 'candidates' | 'promptFeedback' | 'usageMetadata' | 'modelVersion';
type CandidateField = 'index' | 'content' | 'finishReason';

export class GeminiAssembly implements Assembly {
  isEnded = false;
  namelessCalls = 0;
  #finishWord: string | undefined;
  #isBlocked = false;
  #servedBy: string | undefined;
  #usage: Usage | undefined;
  readonly #text: string[] = [];
  readonly #thoughts: string[] = [];
  readonly #calls: RawReply['calls'] = [];
  readonly #parts = new PartGathering();
  readonly #emit: Emit;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  take(chunk: unknown): Progress {
    for (const response of responsesIn(chunk)) this.#takeResponse(response);
    return 'on';
  }

  /** This wire has no end mark of its own: only a finish word ends a reply. */
  end(): void {
    this.isEnded = this.hasFinish;
  }

  get hasFinish(): boolean {
    return this.#finishWord !== undefined;
  }

  get isEmpty(): boolean {
    return this.#text.length === 0 && this.#thoughts.length === 0 && this.#calls.length === 0;
  }

  get reply(): RawReply {
    const finish = this.#finish();
    const reasoning = this.#thoughts.join('');
    const native = this.#parts.native;
    return {
      text: this.#text.join(''),
      calls: this.#calls,
      finish,
      isCut: finish === 'length' || finish === 'unknown',
      ...(reasoning ? { reasoning } : {}),
      ...(this.#finishWord === undefined ? {} : { finishWord: this.#finishWord }),
      ...(this.#usage ? { usage: this.#usage } : {}),
      ...(this.#servedBy === undefined ? {} : { servedBy: this.#servedBy }),
      ...(native ? { native } : {}),
    };
  }

  #finish(): FinishReason {
    if (this.#finishWord === undefined) return 'unknown';
    if (this.#isBlocked) return 'filtered';
    const finish = finishReasons[this.#finishWord] ?? 'unknown';
    return finish === 'stop' && this.#calls.length > 0 ? 'calls' : finish;
  }

  #takeResponse(response: unknown): void {
    const { candidates, promptFeedback, usageMetadata, modelVersion } = loose<ResponseField>(response);
    this.#servedBy ??= textOf(modelVersion) || undefined;
    this.#usage = usageIn(usageMetadata) ?? this.#usage;
    const { blockReason } = loose<'blockReason'>(promptFeedback);
    if (textOf(blockReason)) {
      this.#isBlocked = true;
      this.#finishWord = textOf(blockReason);
    }
    for (const candidate of listOf(candidates)) this.#takeCandidate(candidate);
  }

  #takeCandidate(candidate: unknown): void {
    const { index, content, finishReason: word } = loose<CandidateField>(candidate);
    if (typeof index === 'number' && index !== 0) return;
    for (const part of listOf(loose<'parts'>(content).parts)) if (isObject(part)) this.#takePart(part);
    if (textOf(word) && textOf(word) !== 'FINISH_REASON_UNSPECIFIED') this.#finishWord = textOf(word);
  }

  #takePart(part: object): void {
    const { text, thought, functionCall } = loose<PartField>(part);
    this.#parts.take(part);
    if (isObject(functionCall)) this.#takeCall(functionCall);
    const said = textOf(text);
    if (said === '') return;
    if (thought) {
      this.#thoughts.push(said);
      this.#emit({ type: 'reasoning.grew', delta: said });
    } else {
      this.#text.push(said);
      this.#emit({ type: 'text.grew', delta: said });
    }
  }

  #takeCall(call: object): void {
    const { id, name, args } = loose<CallField>(call);
    if (!textOf(name)) {
      this.namelessCalls++;
      return;
    }
    const text = typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args);
    this.#calls.push({ id: textOf(id), name: textOf(name), arguments: text });
    this.#emit({ type: 'call.grew', name: textOf(name), bytes: text.length });
  }
}
