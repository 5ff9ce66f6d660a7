/** A model's part, written in advance: neutral turns that fit any wire and any tool names. */
export type ScriptedCall =
  | { readonly op: 'read'; readonly path: string; readonly offset?: number; readonly limit?: number }
  | { readonly op: 'list'; readonly path?: string }
  | { readonly op: 'glob'; readonly pattern: string; readonly path?: string }
  | { readonly op: 'grep'; readonly pattern: string; readonly path?: string; readonly glob?: string }
  | { readonly op: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly op: 'write'; readonly path: string; readonly content: string }
  | { readonly op: 'bash'; readonly command: string; readonly timeout?: number }
  | { readonly op: 'todo'; readonly items: readonly unknown[] }
  /** A call as it is to stand on the wire; `rawArguments` need not be JSON. */
  | {
      readonly op: 'raw';
      readonly name: string;
      readonly args?: unknown;
      readonly rawArguments?: string;
      readonly id?: string;
    };

export interface ScriptedTurn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The wire's word; `stop` or `tool_calls` where it is not given, no word at all where it is null. */
  readonly finish?: string | null;
  /** Counted from the bytes where it is not given; left out where it is null. */
  readonly usage?: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedTokens?: number;
  } | null;
  readonly fault?: ScriptedFault;
}

/** What goes wrong with a turn's answer. An event is one `data:` line; bytes count from the start of the body. */
export type ScriptedFault = FaultShape & {
  /** How many requests for this turn it hits before all is well; every one where it is not given. */
  readonly times?: number;
};

type FaultShape =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** `end` ends the body properly, `close` and `reset` break the connection. */
  | {
      readonly kind: 'cut';
      readonly afterEvents?: number;
      readonly afterBytes?: number;
      readonly how: 'end' | 'close' | 'reset';
    }
  /** Nothing at all is said before the connection is reset. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** Silence after some events; with `comments`, keep-alive comments every so many milliseconds. */
  | { readonly kind: 'stall'; readonly afterEvents: number; readonly comments?: number }
  | { readonly kind: 'drip'; readonly bytes: number; readonly ms: number }
  | { readonly kind: 'raw'; readonly bytes: string | Uint8Array; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'garbage'; readonly line: string; readonly afterEvents: number }
  | { readonly kind: 'error'; readonly error: unknown; readonly afterEvents: number };

/** Carries the turn's number, so that a killed and resumed client gets the turn that is next. */
export const callIdOf = (turn: number, call: number): string => `turn${turn + 1}_${call + 1}`;

/**
 * Which turn, from 0, a history asks for: after the last that it shows. `replies` are the model's own, each as the ids of
 * its calls. A request that is repeated gets the same turn again.
 */
export function turnAfter(replies: Iterable<readonly string[]>): number {
  let next = 0;
  for (const ids of replies) {
    const numbers = ids.flatMap(numberIn);
    next = numbers.length > 0 ? Math.max(...numbers) : next + 1;
  }
  return next;
}

const numberIn = (id: string): number[] => {
  const [, number] = /^turn(\d+)_/.exec(id) ?? [];
  return number === undefined ? [] : [Number(number)];
};
