import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Event } from '../protocol/event.ts';
import { busy, call, calls, deaf, type FakeTool, fakeTools, says, scriptedModel, stage } from './fakes.ts';
import type { Permit } from './ports.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const answersOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'answered' ? event.result : []));

/** Tools that note when they begin and end, and how many run at once. */
function watched(ms: number) {
  const seen: string[] = [];
  let now = 0;
  let most = 0;
  const tool = (effect: FakeTool['effect'] & string): FakeTool => ({
    effect,
    run: async (_, { callId }) => {
      most = Math.max(most, ++now);
      seen.push(`+${callId}`);
      await pause(ms);
      seen.push(`-${callId}`);
      now--;
      return callId;
    },
  });
  return {
    seen,
    most: () => most,
    tools: fakeTools({ read: tool('reads'), write: tool('writes'), run: tool('executes') }),
  };
}

const actOn = (reply: ReturnType<typeof calls>, some: Parameters<typeof stage>[0] = {}) =>
  stage({ model: scriptedModel(reply).model, ...some });

describe('tools', () => {
  it('overlap where they read, at most eight at once, and answer in the order of the calls', async () => {
    const { most, tools } = watched(5);
    const names = Array.from({ length: 20 }, (_, index) => `r${index}`);
    const { events } = await actOn(calls(...names.map((name) => `${name}:read`)), { tools }).play();
    expect(most()).toBe(8);
    expect(answersOf(events).map(({ callId }) => callId)).toEqual(names);
  });

  it('run alone where they write or execute', async () => {
    const { seen, tools } = watched(3);
    await actOn(calls('a:read', 'b:read', 'c:write', 'd:run', 'e:read'), { tools }).play();
    expect(seen).toEqual(['+a', '+b', '-a', '-b', '+c', '-c', '+d', '-d', '+e', '-e']);
  });

  it('run alone also where a policy made a writer of a reader', async () => {
    const { seen, tools } = watched(3);
    const rewrite = {
      id: 'p',
      beforeTool: (asked: ReturnType<typeof call>) => (asked.id === 'b' ? { ...asked, name: 'write' } : asked),
    };
    const { events } = await actOn(calls('a:read', 'b:read', 'c:read'), { tools, policies: [rewrite] }).play();
    expect(seen).toEqual(['+a', '-a', '+b', '-b', '+c', '-c']);
    expect(events).toContainEqual({
      type: 'noted',
      by: 'p',
      kind: 'call rewritten',
      data: { callId: 'b', name: 'write', input: {} },
    });
  });

  it('answer in the order of the calls when the last is the quickest', async () => {
    const tools = fakeTools({ read: { run: (_, { callId }) => pause(callId === 'a' ? 20 : 1).then(() => callId) } });
    const { events } = await actOn(calls('a:read', 'b:read', 'c:read'), { tools }).play();
    expect(answersOf(events).map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  });

  it('that throw answer with the text of what they threw', async () => {
    const boom = {
      run: () => {
        throw new Error('disk on fire');
      },
    };
    const { events } = await actOn(calls('a:boom'), { tools: fakeTools({ boom }) }).play();
    expect(answersOf(events)).toEqual([{ callId: 'a', ok: false, text: 'boom failed: disk on fire' }]);
    expect(events.at(-1)).toEqual({ type: 'released' });
  });

  it('that are unknown get the answer of the tool box, and are never decided nor started', async () => {
    const { events } = await actOn(calls('a:none')).play();
    expect(answersOf(events)).toEqual([{ callId: 'a', ok: false, text: 'There is no tool "none".' }]);
    expect(events.map(({ type }) => type)).not.toContain('started');
  });

  it('that do not heed their time limit are left behind and answered; the turn goes on', async () => {
    const tools = fakeTools({ hang: { run: deaf, timeoutMs: 15 }, read: { run: () => 'text' } });
    const { events } = await actOn(calls('a:hang', 'b:read'), { tools }).play();
    const [first, second] = answersOf(events);
    expect(first).toMatchObject({ ok: false, data: { outcome: 'unknown' } });
    expect(first?.text).toContain('hang did not finish within 0.015 s');
    expect(second?.text).toBe('text');
    expect(events.at(-1)).toEqual({ type: 'released' });
  });

  it('that heed it answer with what they have, and what they throw then counts as out of time', async () => {
    const tools = fakeTools({
      soft: { timeoutMs: 10, run: (_, io) => busy(9_000, io) },
      loud: {
        timeoutMs: 10,
        run: async (_, io) => {
          await busy(9_000, io);
          throw new Error('AbortError');
        },
      },
    });
    const { events } = await actOn(calls('a:soft', 'b:loud'), { tools }).play();
    expect(answersOf(events)[0]).toMatchObject({ ok: true, text: 'stopped' });
    expect(answersOf(events)[1]?.text).toContain('did not finish');
  });

  it('have no limit where it is 0, and one beyond the reach of timers does not ring at once', async () => {
    const tools = fakeTools({
      one: { timeoutMs: Number.POSITIVE_INFINITY, run: (_, io) => busy(15, io) },
      two: { run: (_, io) => busy(15, io) },
    });
    const { events } = await actOn(calls('a:one', 'b:two'), {
      tools,
      limits: { turnMs: 0, toolMs: 0, graceMs: 5 },
    }).play();
    expect(answersOf(events).map(({ text }) => text)).toEqual(['ready', 'ready']);
  });
});

describe('a long turn', () => {
  it('gathers no listeners on its signal', async () => {
    const counts: number[] = [];
    const permit: Permit = async (_, __, io) => {
      counts.push(getEventListeners(io.signal, 'abort').length);
      return { decision: 'allow', by: 'user' };
    };
    const turns = Array.from({ length: 30 }, (_, step) => calls(`${step}:read`));
    await stage({
      model: scriptedModel(...turns).model,
      permit,
      tools: fakeTools({ read: { run: () => 'text' } }),
    }).play();
    expect(counts.length).toBe(30);
    expect(new Set(counts).size).toBe(1);
  });
});

describe('permission', () => {
  it('is asked in the order of the calls, and before anything of the batch starts', async () => {
    const asked: string[] = [];
    const permit: Permit = async ({ id }) => {
      asked.push(id);
      await pause(id === 'a' ? 10 : 1);
      return { decision: 'allow', by: 'user' };
    };
    const { tools } = watched(1);
    const { events } = await actOn(calls('a:read', 'b:read', 'c:write'), { tools, permit }).play();
    expect(asked).toEqual(['a', 'b', 'c']);
    const kinds = events.flatMap((event) =>
      event.type === 'decided' || event.type === 'started'
        ? `${event.type} ${event.callId}`
        : event.type === 'answered'
          ? `answered ${event.result.callId}`
          : [],
    );
    expect(kinds).toEqual([
      'decided a',
      'decided b',
      'started a',
      'started b',
      'answered a',
      'answered b',
      'decided c',
      'started c',
      'answered c',
    ]);
  });

  it('refused: its reason reaches the model, and the tool does not run', async () => {
    const { seen, tools } = watched(1);
    const { model, requests } = scriptedModel(calls('a:write'));
    const permit: Permit = async () => ({ decision: 'deny', by: 'user', reason: 'Not on a Friday.' });
    const { events } = await stage({ tools, permit, model }).play();
    expect(seen).toEqual([]);
    expect(requests[1]?.messages.at(-1)).toEqual({
      from: 'tools',
      results: [{ callId: 'a', ok: false, text: 'Not on a Friday.', data: { denied: 'user' } }],
    });
    expect(events).toContainEqual({
      type: 'decided',
      callId: 'a',
      decision: 'deny',
      by: 'user',
      reason: 'Not on a Friday.',
    });
  });

  it.each(['read', 'write'])('given while the turn was called off starts nothing (%s)', async (name) => {
    const { seen, tools } = watched(1);
    const scene = stage({
      tools,
      model: scriptedModel(calls(`a:${name}`)).model,
      permit: async () => {
        scene.controller.abort('interrupted');
        return { decision: 'allow', by: 'user' };
      },
    });
    const { events } = await scene.play();
    expect(seen).toEqual([]);
    expect(events.map(({ type }) => type)).not.toContain('started');
    expect(events.at(-1)).toEqual({ type: 'stopped', reason: 'interrupted' });
  });

  it('is not asked for a call that a policy denied', async () => {
    let asked = 0;
    const { events } = await actOn(says('', call('a', 'read')), {
      tools: fakeTools({ read: { run: () => 'text' } }),
      policies: [{ id: 'guard', beforeTool: () => ({ deny: 'Read it already.' }) }],
      permit: async () => {
        asked++;
        return { decision: 'allow', by: 'user' };
      },
    }).play();
    expect(asked).toBe(0);
    expect(events).toContainEqual({
      type: 'decided',
      callId: 'a',
      decision: 'deny',
      by: 'policy:guard',
      reason: 'Read it already.',
    });
    expect(answersOf(events)).toEqual([{ callId: 'a', ok: false, text: 'Read it already.' }]);
  });
});
