/** What the scripted server needs to know of a wire to play a turn on it. */
import type { ScriptedTurn } from './turn.ts';

export interface Asked {
  /** The turn's number, from 0. */
  readonly turn: number;
  /** The address without the host. */
  readonly path: string;
  /** The parsed request. */
  readonly body: unknown;
  readonly requestBytes: number;
}

/** One event of a stream. */
export interface ScriptedEvent {
  /** Its name, on wires that name them. */
  readonly event?: string;
  readonly data: string;
}

export interface ScriptedWire {
  serves(path: string): boolean;
  /** Which turn, from 0, the request's own history asks for. */
  turnOf(body: unknown): number;
  isStreamed(request: Pick<Asked, 'path' | 'body'>): boolean;
  /** Of streams; `text/event-stream` where it is not given. */
  readonly streamType?: string;
  /** An event as text; as server-sent event where it is not given. */
  frame?(event: ScriptedEvent, lineEnd: string): string;
  /** What keeps a silent stream alive; a comment where it is not given. */
  readonly keepAlive?: string;
  events(turn: ScriptedTurn, asked: Asked): readonly ScriptedEvent[];
  /** The answer in one piece. */
  body(turn: ScriptedTurn, asked: Asked): string;
  /** How an error stands in the middle of a stream. */
  errorEvent(error: unknown): ScriptedEvent;
}

export const sseFrame = ({ event, data }: ScriptedEvent, lineEnd: string): string =>
  `${event === undefined ? '' : `event: ${event}${lineEnd}`}data: ${data}${lineEnd}${lineEnd}`;

export interface Counts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

/** Undefined where the turn has none. Four bytes a token is near enough for a script. */
export function countsOf(turn: ScriptedTurn, { requestBytes }: Asked): Counts | undefined {
  if (turn.usage === null) return undefined;
  const said = JSON.stringify([turn.text, turn.reasoning, turn.calls]).length;
  const counted = { inputTokens: Math.ceil(requestBytes / 4), outputTokens: Math.ceil(said / 4) };
  return { cachedTokens: 0, ...(turn.usage ?? counted) };
}

export const textPiece = 24;
export const argumentsPiece = 40;

/** The text in pieces of so many characters. */
export function pieces(text: string, length: number): string[] {
  const characters = [...text];
  const list: string[] = [];
  for (let at = 0; at < characters.length; at += length) list.push(characters.slice(at, at + length).join(''));
  return list;
}
