/**
 * Against: a session that dies because its history no longer fits the model's window, or a server that cuts the prompt
 * silently, so that the model forgets its tools. The oldest tool results become one line each before a request that would not
 * fit, and after one that was refused as too long. Measured gain: not measured yet (ablation `compaction` of the bench).
 */
import type { List } from '../../base/list.ts';
import type { Compact, ModelRequest, Policy, Stop, View } from '../../loop/ports.ts';
import type { Recorded } from '../../protocol/event.ts';
import type { Fault } from '../../protocol/fault.ts';
import type { Message } from '../../protocol/message.ts';

interface Shortened {
  readonly cut: number;
  readonly messages: readonly Message[];
  readonly freedTokens: number;
}

interface Weighing {
  readonly tokensToFree: number;
  tokensOf(message: Message): number;
}

export interface CompactionOptions {
  /** The window of `provider/model` in tokens; undefined where nobody knows it. */
  readonly windowOf: (model: string) => number | undefined;
  readonly measure: {
    message(message: Message): number;
    fixed(request: ModelRequest): number;
  };
  readonly mask: (messages: List<Message>, wish: Weighing & { readonly keepSteps: number }) => Shortened | undefined;
  readonly trim: (messages: List<Message>, wish: Weighing) => Shortened | undefined;
}

/** What the session has shown so far. */
export interface CompactionState {
  /** The latest reply's usage; gone where the history was changed after it. */
  readonly heard: { readonly model: string; readonly inputTokens: number; readonly requestBytes: number } | undefined;
  /** Who answers: with a fallback it may be another model than the one that is asked for. */
  readonly answering: string | undefined;
  /** Windows that servers told in their refusals, by model. Tokens. */
  readonly windows: Readonly<Record<string, number>>;
  /** Compactions since the last accepted reply. */
  readonly rounds: number;
}

/** More in a row free nothing that matters. */
const roundsAtMost = 2;
/** Of the room for the prompt, how much may be used again after a compaction: a small cut would cost the server's cache at every step. */
const targetShare = 0.6;
/** Until a server has told its own count: ours may be so much too low. */
const uncalibrated = 1.15;
const keepLadder = [4, 2, 1] as const;
/** Once the user has spoken again, the model has seen what every step brought. */
const keepLadderBetweenTurns = [...keepLadder, 0] as const;

export function compaction(options: CompactionOptions): Policy<CompactionState> {
  return {
    id: 'compaction',
    fold: { initial: { heard: undefined, answering: undefined, windows: {}, rounds: 0 }, step },
    beforeModel(request, view) {
      const { refused } = view;
      if (refused) return afterRefusal(refused, request, view, options) ?? request;
      return beforehand(request, view, options);
    },
  };
}

function step(state: CompactionState, { event }: Recorded): CompactionState {
  switch (event.type) {
    case 'opened':
      // A change of model, or a new start: whoever answered before is not the one that is asked.
      return { ...state, answering: undefined };
    case 'heard': {
      const { usage } = event.raw;
      const { model, requestBytes } = event;
      const isCounted = usage !== undefined && !isAtLimit(usage.inputTokens, state.windows[model]);
      const heard = isCounted ? { model, requestBytes, inputTokens: usage.inputTokens } : undefined;
      return { ...state, heard, answering: model };
    }
    case 'replied':
    case 'prompted':
      return { ...state, rounds: 0 };
    case 'compacted':
      return { ...state, heard: undefined, rounds: state.rounds + 1 };
    case 'noted':
      return event.by === 'models' && tellsWindow.has(event.kind) ? learned(state, event.data ?? {}) : state;
    default:
      return state;
  }
}

const tellsWindow: ReadonlySet<string> = new Set(['overflow', 'prompt cut']);

/** The count of a prompt that was cut says how large the window is, and not how large the prompt. */
const isAtLimit = (tokens: number, window: number | undefined): boolean => window !== undefined && tokens >= window;

/** What a server said of its window is truer than any catalogue. */
function learned(state: CompactionState, { model, windowTokens }: Readonly<Record<string, unknown>>): CompactionState {
  if (typeof model !== 'string' || typeof windowTokens !== 'number') return state;
  return { ...state, answering: model, windows: { ...state.windows, [model]: windowTokens } };
}

interface Weight {
  /** The provider's tokens, as far as they can be known. */
  readonly prompt: number;
  /** Provider's tokens per token of our own estimate. */
  readonly ratio: number;
}

function weigh(request: ModelRequest, { heard, answering }: CompactionState, { measure }: CompactionOptions): Weight {
  const weights = request.messages.slice().map((message) => measure.message(message));
  const fixed = measure.fixed(request);
  const sum = (upTo: number) => weights.slice(0, upTo).reduce((total, tokens) => total + tokens, fixed);
  const ratio =
    heard && heard.model === (answering ?? request.model)
      ? ratioOf(heard.inputTokens, sum(lastReply(request.messages)))
      : uncalibrated;
  return { prompt: Math.ceil(sum(weights.length) * ratio), ratio };
}

/** The latest usage is that of the request which the latest reply answered. */
function lastReply(messages: List<Message>): number {
  for (let index = messages.length - 1; index >= 0; index--) if (messages.at(index)?.from === 'model') return index;
  return messages.length;
}

const ratioAtMost = 3;

/** A count of less than half is none: the server left out what it had cached, or cut the prompt. */
function ratioOf(counted: number, estimated: number): number {
  const ratio = counted / Math.max(1, estimated);
  return ratio < 0.5 ? uncalibrated : Math.min(ratio, ratioAtMost);
}

/** The window, and the room in it for the prompt: a reply must still fit behind it. */
interface Room {
  readonly window: number;
  readonly prompt: number;
}

const roomOf = (window: number): Room => ({
  window,
  prompt: window - Math.min(4096, Math.max(512, Math.floor(window / 8))),
});

function windowFor(model: string, state: CompactionState, { windowOf }: CompactionOptions): number | undefined {
  const known = [windowOf(model), state.windows[model]].filter((tokens) => tokens !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function beforehand(
  request: ModelRequest,
  { state }: View<CompactionState>,
  options: CompactionOptions,
): ModelRequest | Compact | Stop {
  const model = state.answering ?? request.model;
  const window = windowFor(model, state, options);
  if (window === undefined) return request;
  const room = roomOf(window);
  if (isFarFromEdge(request, { state, room }, options)) return request;
  const weight = weigh(request, state, options);
  const cap = request.maxOutputTokens ?? 0;
  if (weight.prompt <= room.prompt) return weight.prompt + cap <= window ? request : withRest(request, weight, room);
  const goal = { room: room.prompt, target: room.prompt * targetShare };
  const shorter = state.rounds < roundsAtMost ? shorten(request.messages, { weight, goal, options }) : undefined;
  if (shorter) return { compact: { cut: shorter.cut, messages: shorter.messages } };
  if (weight.prompt < window) return withRest(request, weight, room);
  const told = longestTold(request, weight, options);
  return told < window
    ? { stop: tooLong(model, weight, room), kind: 'overflow' }
    : { stop: tooLongATask(model, told, room), kind: 'usage' };
}

/** What the longest of the user's own words weighs with the prompt alone, in the provider's tokens: no compaction touches it. */
function longestTold(request: ModelRequest, { ratio }: Weight, { measure }: CompactionOptions): number {
  const told = request.messages.slice().filter((message) => message.from === 'user' && message.by === undefined);
  const longest = told.reduce((most, message) => Math.max(most, measure.message(message)), 0);
  return Math.ceil((longest + measure.fixed(request)) * ratio);
}

/** Fewer tokens for a byte than any text has: the server left out what it had cached. */
const leastPerByte = 0.12;

/** The server's latest count and what came since, weighed heavily: most requests need no weighing of the whole history. */
function isFarFromEdge(
  { messages, maxOutputTokens = 0 }: ModelRequest,
  { state: { heard, answering }, room }: { readonly state: CompactionState; readonly room: Room },
  { measure }: CompactionOptions,
): boolean {
  if (!heard || heard.model !== answering || heard.inputTokens < heard.requestBytes * leastPerByte) return false;
  let tokens = heard.inputTokens;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages.at(index);
    if (message) tokens += measure.message(message) * ratioAtMost;
    if (message?.from === 'model') break;
  }
  return tokens <= room.prompt && tokens + maxOutputTokens <= room.window;
}

/** As long a reply as the window still holds. */
const withRest = (request: ModelRequest, { prompt }: Weight, { window }: Room): ModelRequest => ({
  ...request,
  maxOutputTokens: Math.max(1, Math.min(window - prompt, request.maxOutputTokens ?? window)),
});

const tooLong = (model: string, { prompt }: Weight, { window }: Room): string =>
  `The conversation (about ${prompt} tokens) does not fit into the window of ${model} (${window} tokens), and there is ` +
  'nothing more to leave out. Start a new session, or choose a model with a larger window with -m.';

const tooLongATask = (model: string, tokens: number, { window }: Room): string =>
  `Your message alone (about ${tokens} tokens with the prompt) does not fit into the window of ${model} (${window} tokens), so ` +
  'nothing was sent. Name a file to be read in parts instead of giving its text, give less, or choose a model with a larger window with -m.';

/** How near to the window a prompt must be for a broken connection to mean that the server died of it. */
const nearWindow = 0.85;

/** The compaction that cures a refusal; undefined where it is about something else, or nothing can go. */
function afterRefusal(
  refused: Fault,
  request: ModelRequest,
  { state }: View<CompactionState>,
  options: CompactionOptions,
): Compact | undefined {
  if (state.rounds >= roundsAtMost) return undefined;
  const window = windowFor(state.answering ?? request.model, state, options);
  const guess = weigh(request, state, options);
  const weight = refused.promptTokens === undefined ? guess : recounted(guess, refused.promptTokens);
  if (refused.kind !== 'overflow' && !isLikelyCrash(refused, weight.prompt, window)) return undefined;
  // The server had the last word: whatever we believed of its window, this prompt was too long.
  const room = Math.min(window === undefined ? Number.POSITIVE_INFINITY : roomOf(window).prompt, weight.prompt * 0.9);
  const shorter = shorten(request.messages, { weight, goal: { room, target: room * targetShare }, options });
  return shorter && { compact: { cut: shorter.cut, messages: shorter.messages } };
}

const recounted = ({ prompt, ratio }: Weight, counted: number): Weight => ({
  prompt: counted,
  ratio: (ratio * counted) / Math.max(1, prompt),
});

const isLikelyCrash = ({ kind }: Fault, prompt: number, window: number | undefined): boolean =>
  (kind === 'unreachable' || kind === 'cut' || kind === 'stalled') &&
  window !== undefined &&
  prompt >= window * nearWindow;

interface Shortening {
  readonly weight: Weight;
  /** Both in the provider's tokens: `room` must be reached, `target` is better. */
  readonly goal: { readonly room: number; readonly target: number };
  readonly options: CompactionOptions;
}

/** Old results first, ever nearer to the end; then the newest is trimmed. What frees something is better than nothing. */
function shorten(
  messages: List<Message>,
  { weight: { prompt, ratio }, goal, options: { measure, mask, trim } }: Shortening,
): Shortened | undefined {
  const tokensOf = (message: Message) => measure.message(message);
  const free = (tokens: number) => Math.max(1, Math.ceil((prompt - tokens) / ratio));
  let best: Shortened | undefined;
  const ladder = messages.at(-1)?.from === 'tools' ? keepLadder : keepLadderBetweenTurns;
  for (const keepSteps of ladder) {
    const masked = mask(messages, { tokensToFree: free(goal.target), keepSteps, tokensOf });
    if (masked && prompt - masked.freedTokens * ratio <= goal.room) return masked;
    best = masked ?? best;
  }
  return best ?? trim(messages, { tokensToFree: free(goal.room), tokensOf });
}
