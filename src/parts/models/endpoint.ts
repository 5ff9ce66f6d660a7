/** A model that can be talked to: its address, key and dialect, all resolved. */
import type { Clock } from '../../loop/ports.ts';
import type { Http } from './http.ts';
import type { Quirks } from './refusals/quirks.ts';

/** Where servers of one wire differ. */
export interface Dialect {
  /** The name of the output cap: newer OpenAI models refuse `max_tokens`, everybody else knows only that. */
  readonly capField: 'max_tokens' | 'max_completion_tokens';
  /** False where `stream_options` is refused; such servers send the usage unasked. */
  readonly asksForUsage: boolean;
  /** False asks for the whole reply in one piece. */
  readonly streams: boolean;
}

export interface Endpoint {
  readonly provider: string;
  /** The provider's own id of the model; may hold slashes. */
  readonly modelId: string;
  /** `provider/model`, as it stands in requests and the journal. */
  readonly model: string;
  readonly wire: WireName;
  /** Where requests go: the base URL with the wire's path. */
  readonly url: string;
  /** The address without version and path: where a server's own calls start. */
  readonly root: string;
  /** The first key included. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every key there is, the first one in use; see `withKey`. Empty where none is needed. */
  readonly keys: readonly string[];
  /** Texts that must never be shown or stored. */
  readonly secrets: readonly string[];
  /** The environment variables that may hold the key. */
  readonly keyVariables: readonly string[];
  readonly dialect: Dialect;
  /** What this server was found to refuse; requests come adapted to it already, but for fields of the body. */
  readonly quirks?: Quirks;
  /** The window that is worked with, in tokens: what Ollama is told to open. */
  readonly contextTokens?: number;
  /** How long Ollama keeps the model loaded after a request: `30m`, or seconds; negative for ever. */
  readonly keepAlive?: string | number;
  /** The provider of the AI SDK behind the wire `sdk`. */
  readonly sdk?: SdkSource;
}

export interface SdkSource {
  /** A package or the path of a module; `#name` after it for an export that is not found by itself. */
  readonly specifier: string;
  /** Where packages and paths are looked for: the directory of the user's config, never a project's. */
  readonly directory: string;
  readonly baseUrl?: string;
}

/** The wire formats; each is a folder beside this file. */
export type WireName = 'chat' | 'responses' | 'anthropic' | 'gemini' | 'ollama' | 'sdk';

/** What a wire needs from outside. */
export interface WireOptions {
  readonly http: Http;
  readonly clock: Clock;
}
