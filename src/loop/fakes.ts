/** Fakes of every port, for tests: a memory journal, a clock that is set by hand, tools from functions, a scripted model. */
import { sleep } from '../base/abort.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Event, Heard, Recorded } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { LiveEvent } from '../protocol/live.ts';
import type { Reply, ToolCall } from '../protocol/message.ts';
import type { Effect } from '../protocol/permission.ts';
import { type Conversation, newConversation } from './conversation.ts';
import { Inbox } from './inbox.ts';
import type { Deps } from './phase.ts';
import type { Clock, Journal, Model, ModelRequest, Permit, ToolAnswer, ToolBox, ToolIo, WorkIo } from './ports.ts';
import { type Control, type Outcome, run } from './run.ts';

export interface MemoryJournal extends Journal {
  readonly recorded: readonly Recorded[];
  /** What was done, in order: the type of each event appended, and `sync`. */
  readonly log: readonly string[];
}

/** `failAppend` and `failSync` say which call fails, counted from 1. */
export function memoryJournal(
  trouble: { failAppend?: number; failSync?: number } = {},
  clock = fakeClock(),
): MemoryJournal {
  const recorded: Recorded[] = [];
  const log: string[] = [];
  let appends = 0;
  let syncs = 0;
  return {
    recorded,
    log,
    append: (event, agent) => {
      if (++appends === trouble.failAppend) return fail(fault('storage', `append ${appends} failed`));
      const entry: Recorded = { seq: recorded.length + 1, at: clock.now(), agent, event };
      recorded.push(entry);
      log.push(event.type);
      return ok(entry);
    },
    sync: async () => {
      if (++syncs === trouble.failSync) return fail(fault('storage', `sync ${syncs} failed`));
      log.push('sync');
      return ok(undefined);
    },
  };
}

export interface FakeClock extends Clock {
  pass(ms: number): void;
}

export function fakeClock(start = 1_000): FakeClock {
  let now = start;
  return {
    now: () => now,
    pass: (ms) => {
      now += ms;
    },
  };
}

export interface FakeTool {
  /** `reads` unless said. */
  readonly effect?: Effect;
  readonly timeoutMs?: number;
  readonly run: (input: unknown, io: ToolIo) => string | ToolAnswer | Promise<string | ToolAnswer>;
}

/** Tools from plain functions; a text is an answer that succeeded. */
export function fakeTools(tools: Readonly<Record<string, FakeTool>>): ToolBox {
  return {
    specs: Object.keys(tools).map((name) => ({ name, description: name, parameters: {} })),
    prepare: ({ name, input }) => {
      const tool = tools[name];
      if (!tool) return fail({ ok: false, text: `There is no tool "${name}".` });
      return ok({
        effect: tool.effect ?? 'reads',
        subject: name,
        ...(tool.timeoutMs === undefined ? {} : { timeoutMs: tool.timeoutMs }),
        run: async (io) => {
          const answer = await tool.run(input, io);
          return typeof answer === 'string' ? { ok: true, text: answer } : answer;
        },
      });
    },
  };
}

/** A turn of a scripted model: what it says, how it fails, or what it does. */
export type ScriptedTurn =
  | Reply
  | Fault
  | ((request: ModelRequest, io: WorkIo) => Promise<Result<Reply, Fault>> | Result<Reply, Fault>);

export interface ScriptedModel {
  readonly model: Model;
  readonly requests: readonly ModelRequest[];
}

/** Plays its turns one after the other, and says "done" when they are used up. Each reply is heard first. */
export function scriptedModel(...turns: readonly ScriptedTurn[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    model: async (request, io) => {
      requests.push(request);
      const turn = turns[requests.length - 1] ?? says('done');
      if (typeof turn !== 'function' && 'kind' in turn) return fail(turn);
      const answer = typeof turn === 'function' ? await turn(request, io) : ok(turn);
      if (answer.ok) hear(answer.value, io);
      return answer;
    },
  };
}

/** Streams the text in one piece and leaves the raw reply for the journal. */
function hear(reply: Reply, io: WorkIo): void {
  if (reply.text) io.emit({ type: 'text.grew', delta: reply.text });
  io.emit(heard(reply));
}

export const heard = (reply: Reply): Heard => ({
  type: 'heard',
  model: 'fake/model',
  raw: {
    text: reply.text,
    calls: reply.calls.map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) ?? '' })),
    finish: reply.calls.length > 0 ? 'calls' : 'stop',
    isCut: false,
  },
  requestBytes: 0,
  totalMs: 0,
});

export const says = (text: string, ...calls: readonly ToolCall[]): Reply => ({
  from: 'model',
  text,
  calls: [...calls],
});
export const call = (id: string, name: string, input: unknown = {}): ToolCall => ({ id, name, input });

/** Calls tools and says nothing: `calls('a:read', 'b:write')`, each `id:name`. */
export const calls = (...names: readonly string[]): Reply =>
  says('', ...names.map((text) => call(text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1))));

export const permitAll: Permit = async () => ({ decision: 'allow', by: 'mode:bypass' });

/** Never comes back, whatever the signal says. */
export const deaf = (): Promise<never> => new Promise(() => {});

/** Comes back after `ms` milliseconds, or at once when called off. */
export const busy = async (ms: number, io: WorkIo): Promise<string> =>
  (await sleep(ms, io.signal)) ? 'ready' : 'stopped';

export interface Stage {
  readonly deps: Deps;
  readonly inbox: Inbox;
  readonly controller: AbortController;
  /** Runs to the end and keeps what was yielded; `each` is called after every happening with its number from 1. */
  play(options?: PlayOptions): Promise<Played>;
}

export interface PlayOptions {
  readonly start?: Conversation;
  readonly prompt?: string;
  readonly control?: Partial<Control>;
  readonly each?: (happening: Recorded | LiveEvent, count: number) => void | Promise<void>;
}

export interface Played {
  readonly happenings: readonly (Recorded | LiveEvent)[];
  readonly events: readonly Event[];
  readonly outcome: Outcome;
}

export const roomy = { steps: 50, nudges: 5 };

/** Everything that a run needs, with harmless defaults. */
export function stage(some: Partial<Deps> = {}): Stage {
  const deps: Deps = {
    model: scriptedModel().model,
    tools: fakeTools({}),
    permit: permitAll,
    policies: [],
    journal: memoryJournal(),
    clock: fakeClock(),
    request: { model: 'fake/model', system: [], tools: [] },
    limits: { turnMs: 0, toolMs: 5_000, graceMs: 20 },
    ...some,
  };
  const inbox = new Inbox();
  const controller = new AbortController();
  const play: Stage['play'] = async ({ start, prompt = 'do it', control, each } = {}) => {
    void inbox.record({ type: 'prompted', text: prompt }, true);
    const running = run(start ?? newConversation(roomy), deps, { signal: controller.signal, inbox, ...control });
    const happenings: (Recorded | LiveEvent)[] = [];
    let step = await running.next();
    while (!step.done) {
      happenings.push(step.value);
      await each?.(step.value, happenings.length);
      step = await running.next();
    }
    const events = happenings.flatMap((happening) => ('seq' in happening ? happening.event : []));
    return { happenings, events, outcome: step.value };
  };
  return { deps, inbox, controller, play };
}
