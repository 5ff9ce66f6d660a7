import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event, Recorded } from '../protocol/event.ts';
import type { LiveEvent } from '../protocol/live.ts';
import { conversationOf, isRunning } from './conversation.ts';
import {
  busy,
  calls,
  fakeTools,
  type MemoryJournal,
  memoryJournal,
  roomy,
  says,
  scriptedModel,
  stage,
} from './fakes.ts';
import { historyFaults } from './history.ts';

/** A turn with everything in it: readers, a writer, a nudge, a tool that speaks while it runs. */
function busyTurn(journal: MemoryJournal) {
  const ran: string[] = [];
  const tool = (effect: 'reads' | 'writes') => ({
    effect,
    run: async (_: unknown, io: Parameters<typeof busy>[1] & { callId: string }) => {
      ran.push(io.callId);
      io.emit({ type: 'tool.printed', callId: io.callId, text: 'x' });
      return await busy(1, io);
    },
  });
  let isNudged = false;
  const scene = stage({
    journal,
    tools: fakeTools({ read: tool('reads'), write: tool('writes') }),
    model: scriptedModel(says('look', ...calls('a:read', 'b:read').calls), calls('c:write', 'd:none'), says('done'))
      .model,
    policies: [
      {
        id: 'critic',
        beforeFinish: () => {
          if (isNudged) return undefined;
          isNudged = true;
          return { nudge: 'Run the test.' };
        },
      },
    ],
  });
  return { scene, ran };
}

const isStored = (happening: Recorded | LiveEvent): happening is Recorded => 'seq' in happening;
const ofType = <T extends Event['type']>(recorded: readonly Recorded[], type: T) =>
  recorded.flatMap(({ event }) => (event.type === type ? (event as Extract<Event, { type: T }>) : [])); // just compared

/** What must be true of every journal, wherever its run ended. */
function expectWhole(recorded: readonly Recorded[]) {
  const folded = conversationOf(recorded, roomy);
  expect(isRunning(folded)).toBe(false);
  expect(historyFaults(folded.messages)).toEqual([]);
  const order = recorded.map(({ event }) => event);
  for (const { callId } of ofType(recorded, 'started')) {
    const place = (type: string) =>
      order.findIndex((event) => event.type === type && 'callId' in event && event.callId === callId);
    expect(place('decided')).toBeLessThan(place('started'));
  }
  const answered = ofType(recorded, 'answered').map(({ result }) => result.callId);
  expect(new Set(answered).size).toBe(answered.length);
  return folded;
}

async function lengthOfBusyTurn(): Promise<number> {
  return (await busyTurn(memoryJournal()).scene.play()).happenings.length;
}

describe('an interrupt', () => {
  it('after any happening ends the turn, answers every call once, and starts nothing more', async () => {
    const length = await lengthOfBusyTurn();
    expect(length).toBeGreaterThan(25);
    for (let cut = 1; cut <= length; cut++) {
      const journal = memoryJournal();
      const { scene, ran } = busyTurn(journal);
      let ranBefore: string[] = [];
      const { happenings } = await scene.play({
        each: (_, count) => {
          if (count !== cut) return;
          scene.controller.abort('interrupted');
          ranBefore = [...ran];
        },
      });
      expect(ran).toEqual(ranBefore);
      expect(happenings.filter(isStored)).toEqual(journal.recorded);
      const folded = expectWhole(journal.recorded);
      expect(folded.phase.name).toBe('done');
      expect(ofType(journal.recorded, 'stopped').length + ofType(journal.recorded, 'released').length).toBe(1);
    }
  });

  it('at any time ends it too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 60 }), async (ticks) => {
        const journal = memoryJournal();
        const { scene } = busyTurn(journal);
        const wait = async () => {
          for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
          scene.controller.abort('interrupted');
        };
        void wait();
        await scene.play();
        expectWhole(journal.recorded);
      }),
      { numRuns: 60, seed: 3 },
    );
  });
});

describe('a word of the user', () => {
  it('said after any happening is acknowledged, recorded and heard exactly once', async () => {
    const length = await lengthOfBusyTurn();
    for (let cut = 1; cut <= length; cut++) {
      const journal = memoryJournal();
      const { scene } = busyTurn(journal);
      let said: Promise<unknown> | undefined;
      const { outcome } = await scene.play({
        each: (_, count) => {
          if (count === cut) said = scene.inbox.say({ type: 'prompted', text: 'one more thing' });
        },
      });
      expect(said).toBeDefined();
      expect(await said).toBeUndefined();
      expectWhole(journal.recorded);
      const heard = [...outcome.conversation.messages].filter(
        (message) => message.from === 'user' && message.text === 'one more thing',
      );
      expect(heard.length).toBe(1);
      expect(outcome.conversation.messages.at(-1)?.from).toBe('model');
      expect(ofType(journal.recorded, 'prompted').length).toBe(2);
    }
  });

  it('said together with an interrupt, in either order, is not lost', async () => {
    const length = await lengthOfBusyTurn();
    for (let cut = 1; cut <= length; cut++) {
      for (const isWordFirst of [true, false]) {
        const journal = memoryJournal();
        const { scene } = busyTurn(journal);
        const { outcome } = await scene.play({
          each: (_, count) => {
            if (count !== cut) return;
            if (!isWordFirst) scene.controller.abort('interrupted');
            void scene.inbox.say({ type: 'prompted', text: 'stop that' });
            if (isWordFirst) scene.controller.abort('interrupted');
          },
        });
        expectWhole(journal.recorded);
        const words = [...outcome.conversation.messages].flatMap((one) =>
          one.from === 'user' && !one.by ? one.text : [],
        );
        expect(words).toEqual(['do it', 'stop that']);
      }
    }
  });

  it('is on the disk at once while a tool works in silence', async () => {
    let finish = () => {};
    const silent = { run: () => new Promise<string>((resolve) => (finish = () => resolve('ready'))) };
    const scene = stage({ tools: fakeTools({ silent }), model: scriptedModel(calls('a:silent')).model });
    const playing = scene.play();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await scene.inbox.say({ type: 'prompted', text: 'hello?' })).toBeUndefined();
    const { journal } = scene.deps;
    const log = 'log' in journal ? (journal as MemoryJournal).log : []; // the stage's own
    expect(log.slice(-2)).toEqual(['prompted', 'sync']);
    finish();
    const { outcome } = await playing;
    expect([...outcome.conversation.messages].map(({ from }) => from)).toEqual([
      'user',
      'model',
      'tools',
      'user',
      'model',
    ]);
  });

  it('said while the gates close the turn makes it go on, and nothing says that it ended', async () => {
    let open = () => {};
    let isFirst = true;
    const gate = {
      id: 'gate',
      beforeFinish: async () => {
        if (isFirst) await new Promise<void>((resolve) => (open = resolve));
        isFirst = false;
        return undefined;
      },
    };
    const scene = stage({ model: scriptedModel(says('one'), says('two')).model, policies: [gate] });
    const playing = scene.play();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await scene.inbox.say({ type: 'prompted', text: 'wait' });
    open();
    const { events } = await playing;
    expect(events.filter(({ type }) => type === 'released').length).toBe(1);
    expect(events.at(-2)).toEqual({ type: 'replied', reply: says('two') });
  });

  it('said when no turn runs is not taken', async () => {
    const scene = stage();
    expect(scene.inbox.say({ type: 'prompted', text: 'x' })).toBeUndefined();
    await scene.play();
    expect(scene.inbox.say({ type: 'prompted', text: 'x' })).toBeUndefined();
  });
});

describe('a journal that fails', () => {
  it('at any append: nothing runs after it, and no tool ran whose start is not written', async () => {
    const whole = memoryJournal();
    await busyTurn(whole).scene.play();
    for (let failing = 1; failing <= whole.recorded.length; failing++) {
      const journal = memoryJournal({ failAppend: failing });
      const { scene, ran } = busyTurn(journal);
      const { outcome, happenings } = await scene.play();
      expect(outcome.fault?.message).toBe(`append ${failing} failed`);
      await new Promise((resolve) => setTimeout(resolve, 3));
      expect(happenings.filter(isStored)).toEqual(journal.recorded);
      expect(journal.recorded.length).toBe(failing - 1);
      const startedCalls = ofType(journal.recorded, 'started').map(({ callId }) => callId);
      for (const id of ran) expect(startedCalls).toContain(id);
      expect(isRunning(outcome.conversation)).toBe(false);
      expect(historyFaults(outcome.conversation.messages)).toEqual([]);
    }
  });

  it('at any sync: the tool that waited for it does not run', async () => {
    for (const failing of [1, 2, 3]) {
      const journal = memoryJournal({ failSync: failing });
      const { scene, ran } = busyTurn(journal);
      const { outcome } = await scene.play();
      expect(outcome.fault?.message).toBe(`sync ${failing} failed`);
      expect(ran.length).toBe([0, 0, 2][failing - 1]);
    }
  });

  it('asks nobody for permission after it broke', async () => {
    let asked = 0;
    const journal = memoryJournal({ failAppend: 4 });
    const scene = stage({
      journal,
      tools: fakeTools({ read: { run: () => 'text' } }),
      model: scriptedModel(calls('a:read', 'b:read')).model,
      permit: async () => {
        asked++;
        return { decision: 'allow', by: 'user' };
      },
    });
    await scene.play();
    expect(asked).toBe(1);
  });

  it('tells everybody who still waits for a record, also one that throws', async () => {
    for (const throws of [false, true]) {
      const journal = memoryJournal(throws ? {} : { failAppend: 4 });
      const append = journal.append.bind(journal);
      let appends = 0;
      const broken: MemoryJournal = {
        ...journal,
        append: (event, agent) => {
          if (++appends === 4 && throws) throw new Error('a bug');
          return append(event, agent);
        },
      };
      const { scene } = busyTurn(broken);
      const said: (Promise<unknown> | undefined)[] = [];
      const { outcome } = await scene.play({
        each: (_, count) => {
          if (count === 4) for (const text of ['x', 'y']) said.push(scene.inbox.say({ type: 'prompted', text }));
        },
      });
      expect(outcome.fault).toBeDefined();
      for (const one of await Promise.all(said)) expect(one).toEqual(outcome.fault);
    }
  });
});
