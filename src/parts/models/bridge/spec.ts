/**
 * What a provider of the AI SDK must have, as far as it is used: the common ground of `LanguageModelV2` and `V3`. Written
 * down here, so that nothing is imported; what comes back is read as loosely as from any server.
 */

export interface SdkModel {
  /** `name.kind`, as `openrouter.chat`. */
  readonly provider: string;
  readonly modelId: string;
  doStream(options: CallOptions): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
  doGenerate(options: CallOptions): PromiseLike<unknown>;
}

export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly object[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly providerOptions?: Readonly<Record<string, object>>;
  readonly abortSignal: AbortSignal;
  readonly includeRawChunks: false;
}

export type PromptMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly object[] };
