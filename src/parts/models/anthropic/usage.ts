/** Token counts of a message, which come in pieces: the input at the start, the output so far at the end. */
import type { Usage } from '../../../protocol/model.ts';
import { countOf, loose } from '../loose.ts';

type Field =
  | 'input_tokens'
  | 'output_tokens'
  | 'cache_read_input_tokens'
  | 'cache_creation_input_tokens'
  | 'output_tokens_details';

type Counts = Partial<Record<'input' | 'output' | 'read' | 'written' | 'thought', number>>;

export class UsageGathering {
  readonly #counts: Counts = {};

  /** Later counts take the place of earlier ones. Some servers send the input only at the end, and zeros before. */
  take(usage: unknown): void {
    const fields = loose<Field>(usage);
    this.#set('input', countOf(fields.input_tokens));
    this.#set('output', countOf(fields.output_tokens));
    this.#set('read', countOf(fields.cache_read_input_tokens));
    this.#set('written', countOf(fields.cache_creation_input_tokens));
    this.#set('thought', countOf(loose<'thinking_tokens'>(fields.output_tokens_details).thinking_tokens));
  }

  /** Undefined where nothing was counted. The wire's own input does not include what the cache read or wrote. */
  get usage(): Usage | undefined {
    const { input, output, read, written, thought } = this.#counts;
    if (input === undefined && output === undefined) return undefined;
    return {
      inputTokens: (input ?? 0) + (read ?? 0) + (written ?? 0),
      outputTokens: output ?? 0,
      ...(read === undefined ? {} : { cachedTokens: read }),
      ...(written === undefined ? {} : { cacheWriteTokens: written }),
      ...(thought === undefined ? {} : { reasoningTokens: thought }),
    };
  }

  #set(name: keyof Counts, count: number | undefined): void {
    if (count !== undefined) this.#counts[name] = count;
  }
}
