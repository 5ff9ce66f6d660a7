import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Recorded } from '../protocol/event.ts';
import { fault } from '../protocol/fault.ts';
import type { LiveEvent } from '../protocol/live.ts';
import { conversationOf, newConversation } from './conversation.ts';
import { busy, calls, deaf, fakeTools, memoryJournal, roomy, says, scriptedModel, stage } from './fakes.ts';
import { historyFaults } from './history.ts';
import type { Deps } from './phase.ts';
import type { Permit, PermitIo } from './ports.ts';

const typeOf = (happening: Recorded | LiveEvent): string =>
  'seq' in happening ? happening.event.type : happening.type;
const quick = { read: { run: () => 'text' }, write: { effect: 'writes' as const, run: () => 'written' } };
const reads = () => stage({ tools: fakeTools(quick), model: scriptedModel(calls('a:read')).model });
const endings = (events: readonly { type: string }[]) =>
  events.filter(({ type }) => type === 'stopped' || type === 'released');

describe('a run', () => {
  it('records a whole turn in the order in which things happen', async () => {
    const { play } = stage({
      tools: fakeTools(quick),
      model: scriptedModel(says('looking', ...calls('a:read').calls), calls('b:write'), says('done')).model,
    });
    const { happenings, outcome } = await play();
    const turn = ['heard', 'replied', 'decided', 'started', 'answered'];
    expect(happenings.map(typeOf)).toEqual([
      'prompted',
      'text.grew',
      ...turn,
      ...turn,
      'text.grew',
      'heard',
      'replied',
      'released',
    ]);
    expect(outcome.conversation.phase).toEqual({ name: 'done', ending: 'released' });
  });

  it('syncs before a word counts and before a tool starts, once for a batch', async () => {
    const journal = memoryJournal();
    let logged: readonly string[] = [];
    const look = {
      run: () => {
        logged = [...journal.log];
        return 'text';
      },
    };
    const { play } = stage({
      journal,
      tools: fakeTools({ look, ...quick }),
      model: scriptedModel(calls('a:read', 'b:look')).model,
    });
    await play();
    expect(logged).toEqual([
      'prompted',
      'sync',
      'heard',
      'replied',
      'decided',
      'decided',
      'started',
      'started',
      'sync',
    ]);
  });

  it('numbers only what is stored, and yields the journal in its order', async () => {
    const { play, deps } = reads();
    const { happenings } = await play();
    const stored = happenings.flatMap((happening) => ('seq' in happening ? happening : []));
    expect(stored).toEqual('recorded' in deps.journal ? deps.journal.recorded : []);
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  });

  it('comes back at once when there is nothing to do', async () => {
    const { deps, inbox, controller } = stage();
    const { run } = await import('./run.ts');
    const step = await run(newConversation(roomy), deps, { signal: controller.signal, inbox }).next();
    expect(step.done).toBe(true);
  });

  it('ends at the step limit, and the next turn starts anew', async () => {
    const endless = scriptedModel(calls('a:read'), calls('b:read'), calls('c:read'), says('late'));
    const scene = stage({ tools: fakeTools(quick), model: endless.model });
    const first = await scene.play({ start: newConversation({ steps: 2, nudges: 0 }) });
    expect(first.events.at(-1)).toEqual({ type: 'stopped', reason: 'step limit' });
    expect(endless.requests.length).toBe(2);
    const second = await scene.play({ start: first.outcome.conversation });
    expect(second.outcome.conversation.turn).toMatchObject({ number: 2, steps: 2 });
    expect(second.events.at(-1)).toEqual({ type: 'released' });
  });

  it('ends with the fault of a model that gave up', async () => {
    const { play } = stage({ model: scriptedModel(fault('quota', 'no credit')).model });
    const { events } = await play();
    expect(events.at(-1)).toEqual({ type: 'stopped', reason: 'fault', fault: fault('quota', 'no credit') });
  });

  it('records a bug in the model as an internal fault', async () => {
    for (const thrown of [new Error('boom'), 'boom', Object.create(null)]) {
      const { play } = stage({
        model: async () => {
          throw thrown;
        },
      });
      const { events } = await play();
      expect(events.at(-1)).toMatchObject({ type: 'stopped', reason: 'fault', fault: { kind: 'internal' } });
    }
  });

  it('ends at the limit of time', async () => {
    const slow = scriptedModel(async (_, io) => ({ ok: true, value: says(await busy(5_000, io)) }));
    const { play } = stage({ model: slow.model, limits: { turnMs: 30, toolMs: 0, graceMs: 5 } });
    const { events } = await play();
    expect(events.at(-1)).toMatchObject({ type: 'stopped', reason: 'time limit' });
  });

  it('does not count the time that a person thinks, also when two waits overlap', async () => {
    const ask: Permit = async (_, __, io: PermitIo) => {
      await Promise.all([
        io.waiting(() => new Promise((resolve) => setTimeout(resolve, 60))),
        io.waiting(() => new Promise((resolve) => setTimeout(resolve, 120))),
      ]);
      return { decision: 'allow', by: 'user' };
    };
    const { play } = stage({
      tools: fakeTools(quick),
      model: scriptedModel(calls('a:write')).model,
      permit: ask,
      clock: { now: () => performance.now() },
      limits: { turnMs: 60, toolMs: 0, graceMs: 5 },
    });
    expect((await play()).events.at(-1)).toEqual({ type: 'released' });
  });

  it('gives the turn that a late word begins a clock of its own', async () => {
    const scene = stage({
      model: scriptedModel(async (_, io) => ({ ok: true, value: says(await busy(5_000, io)) }), says('heard you'))
        .model,
      limits: { turnMs: 40, toolMs: 0, graceMs: 5 },
    });
    const { events } = await scene.play({
      each: (happening) => {
        if (typeOf(happening) === 'stopped') void scene.inbox.say({ type: 'prompted', text: 'still there?' });
      },
    });
    expect(endings(events).map(({ type }) => type)).toEqual(['stopped', 'released']);
  });

  it('does not run a call again that was running when the process died', async () => {
    let ran = 0;
    const scene = stage({ tools: fakeTools({ pay: { effect: 'executes', run: () => `paid ${++ran}` } }) });
    const events = [
      { type: 'prompted', text: 'pay' },
      { type: 'replied', reply: calls('a:pay', 'b:pay') },
      { type: 'started', callId: 'a' },
    ] as const;
    const past = events.map((event, index) => ({
      seq: index,
      at: 0,
      agent: 'main',
      event: structuredClone(event) as Recorded['event'],
    })); // literals of events
    const { outcome } = await scene.play({ start: conversationOf(past, roomy), prompt: 'and now?' });
    expect(ran).toBe(0);
    expect([...outcome.conversation.messages][2]).toMatchObject({
      results: [{ data: { outcome: 'unknown' } }, { data: { outcome: 'not run' } }],
    });
    expect(historyFaults(outcome.conversation.messages)).toEqual([]);
  });
});

describe('what is left behind', () => {
  it('a model that ignores the signal is left after the grace', async () => {
    const scene = stage({ model: scriptedModel(deaf).model, limits: { turnMs: 0, toolMs: 0, graceMs: 10 } });
    setTimeout(() => scene.controller.abort('interrupted'), 10);
    const { events } = await scene.play();
    expect(events.at(-1)).toEqual({ type: 'stopped', reason: 'interrupted' });
  });

  it('keeps the text that had been streamed, unless it was dropped', async () => {
    for (const isDropped of [true, false]) {
      const scene = stage({
        model: scriptedModel(async (_, io) => {
          io.emit({ type: 'text.grew', delta: 'half a ' });
          io.emit({ type: 'text.grew', delta: 'sentence' });
          if (isDropped) io.emit({ type: 'reply.dropped', reason: 'cut' });
          return await deaf();
        }).model,
      });
      setTimeout(() => scene.controller.abort('interrupted'), 10);
      const { events, outcome } = await scene.play();
      const partial = isDropped ? {} : { partial: 'half a sentence' };
      expect(events.at(-1)).toEqual({ type: 'stopped', reason: 'interrupted', ...partial });
      expect(outcome.conversation.messages.length).toBe(isDropped ? 1 : 2);
    }
  });

  it('a signal names itself in the ending', async () => {
    const scene = stage({ model: scriptedModel(deaf).model });
    scene.controller.abort('SIGTERM');
    expect((await scene.play()).events.at(-1)).toEqual({ type: 'stopped', reason: 'terminated', by: 'SIGTERM' });
  });

  it('a permission that never answers and a gate that never answers do not hold up an interrupt', async () => {
    const stuck: Partial<Deps>[] = [
      { permit: deaf },
      ...(['beforeTool', 'afterTool', 'beforeModel', 'afterModel', 'beforeFinish'] as const).map((joint) => ({
        policies: [{ id: 'p', [joint]: deaf }],
      })),
    ];
    for (const some of stuck) {
      const { model } = scriptedModel(calls('a:read'));
      const scene = stage({ tools: fakeTools(quick), model, ...some, limits: { turnMs: 0, toolMs: 0, graceMs: 5 } });
      setTimeout(() => scene.controller.abort('interrupted'), 20);
      expect((await scene.play()).events.at(-1)).toEqual({ type: 'stopped', reason: 'interrupted' });
    }
  });

  it('a chatty tool that is deaf does not keep the run from ending, nor speak into the next', async () => {
    let timer: NodeJS.Timeout | undefined;
    const chatty = {
      run: (_: unknown, { emit, callId }: { emit: (live: LiveEvent) => void; callId: string }) => {
        timer = setInterval(() => {
          for (let line = 0; line < 10; line++) emit({ type: 'tool.printed', callId, text: 'y' });
        }, 1);
        return deaf();
      },
    };
    const scene = stage({
      tools: fakeTools({ chatty }),
      model: scriptedModel(calls('a:chatty')).model,
      limits: { turnMs: 0, toolMs: 30, graceMs: 5 },
    });
    const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
    const first = await scene.play({ each: slowly, control: { signal: AbortSignal.timeout(60) } });
    expect(endings(first.events).length).toBe(1);
    const second = await scene.play();
    clearInterval(timer);
    expect(second.happenings.map(typeOf)).not.toContain('tool.printed');
  });

  it('an abandoned generator leaves no timer and no listener, and calls off what runs', async () => {
    const calledOff: unknown[] = [];
    const timersBefore = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const scene = stage({
      tools: fakeTools({
        slow: {
          run: async (_, io) => {
            const word = await busy(50_000, io);
            calledOff.push(word);
            return word;
          },
        },
      }),
      model: scriptedModel(calls('a:slow')).model,
      limits: { turnMs: 60_000, toolMs: 60_000, graceMs: 60_000 },
    });
    const { run } = await import('./run.ts');
    void scene.inbox.record({ type: 'prompted', text: 'x' }, true);
    for await (const happening of run(newConversation(roomy), scene.deps, {
      signal: scene.controller.signal,
      inbox: scene.inbox,
    })) {
      if (typeOf(happening) === 'started') break;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    const timersAfter = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    expect(timersAfter).toBeLessThanOrEqual(timersBefore);
    expect(getEventListeners(scene.controller.signal, 'abort')).toEqual([]);
    expect(scene.inbox.say({ type: 'prompted', text: 'anyone?' })).toBeUndefined();
    expect(scene.inbox.isEmpty).toBe(true);
  });
});
