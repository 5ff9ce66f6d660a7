/** A session that says what a test wrote down. It ships beside the surface so that every surface test uses the same. */
import type { Event, Recorded } from '../../protocol/event.ts';
import type { Fault } from '../../protocol/fault.ts';
import type { LiveEvent } from '../../protocol/live.ts';
import type { ToolCall, ToolResult } from '../../protocol/message.ts';
import type { HeadlessRun } from './headless.ts';

export type Happening = Recorded | LiveEvent;

/** Numbers the events, 100 ms apart. */
export const record = (events: readonly Event[], agent = 'main'): Recorded[] =>
  events.map((event, index) => ({ seq: index + 1, at: 1_700_000_000_000 + index * 100, agent, event }));

export interface Script {
  readonly happenings: readonly Happening[];
  /** The journal's fault, returned at the end. */
  readonly broken?: Fault;
  /** Waits for a stop before it ends, as a long tool would. */
  readonly isEndless?: boolean;
  /** What is told of background shells, each once: while it runs, and at its end. */
  readonly shellEnds?: Readonly<Record<'ended' | 'all', string>>;
}

export interface ScriptedSession {
  readonly session: HeadlessRun['session'];
  /** What `stop` was called with. */
  readonly stops: readonly string[];
  /** What `prompt` was called with. */
  readonly prompts: readonly string[];
}

export function scriptedSession({ happenings, broken, isEndless = false, shellEnds }: Script): ScriptedSession {
  const stops: string[] = [];
  const prompts: string[] = [];
  const told = new Set<string>();
  let onStop = () => {};
  const stopped = new Promise<void>((resolve) => {
    onStop = resolve;
  });
  async function* play(): AsyncGenerator<Happening, Fault | undefined> {
    for (const happening of happenings) {
      yield happening;
      if (stops.length > 0) break;
    }
    if (isEndless) await stopped;
    const [by] = stops;
    if (by === 'interrupted') yield* record([{ type: 'stopped', reason: 'interrupted' }]);
    else if (by !== undefined) yield* record([{ type: 'stopped', reason: 'terminated', by }]);
    return broken;
  }
  return {
    stops,
    prompts,
    session: {
      id: 's-1',
      model: 'openai/mock',
      cwd: '/home/me/project',
      notices: [],
      prompt: (text) => {
        prompts.push(text);
        return play();
      },
      shellEnds: (which) => {
        if (told.has(which) || !shellEnds) return [];
        told.add(which);
        return [shellEnds[which]];
      },
      stop: (reason) => {
        stops.push(reason);
        onStop();
      },
    },
  };
}

export const heard = (inputTokens: number, outputTokens: number, cachedTokens?: number): Event => ({
  type: 'heard',
  model: 'openai/mock',
  raw: {
    text: '',
    calls: [],
    finish: 'stop',
    isCut: false,
    usage: { inputTokens, outputTokens, ...(cachedTokens === undefined ? {} : { cachedTokens }) },
  },
  requestBytes: 1000,
  totalMs: 10,
});

export const replied = (text: string, calls: readonly ToolCall[] = []): Event => ({
  type: 'replied',
  reply: { from: 'model', text, calls: [...calls] },
});

/** The events of one call that was allowed and ran. */
export const ran = (callId: string, answer: Omit<ToolResult, 'callId'>): Event[] => [
  { type: 'decided', callId, decision: 'allow', by: 'mode:bypass' },
  { type: 'started', callId },
  { type: 'answered', result: { callId, ...answer } },
];

/** The events of one call that was not allowed. */
export const denied = (callId: string, by: string, reason: string): Event[] => [
  { type: 'decided', callId, decision: 'deny', by, reason },
  { type: 'answered', result: { callId, ok: false, text: reason, data: { denied: by } } },
];

export const call = (id: string, name: string, input: unknown): ToolCall => ({ id, name, input });
