import { describe, expect, it } from 'vitest';
import { ok } from '../base/result.ts';
import type { Recorded } from '../protocol/event.ts';
import { newConversation } from './conversation.ts';
import { calls, deaf, fakeTools, memoryJournal, says, scriptedModel, stage } from './fakes.ts';
import type { Model, Permit, Policy } from './ports.ts';

const tools = fakeTools({
  read: { run: () => 'text' },
  write: { effect: 'writes', run: (input) => JSON.stringify(input) },
});
const once = <T>(value: T) => {
  let isUsed = false;
  return () => {
    if (isUsed) return undefined;
    isUsed = true;
    return value;
  };
};

describe('beforeModel', () => {
  it('adds to the request without touching the conversation', async () => {
    const { model, requests } = scriptedModel();
    const policy: Policy = {
      id: 'p',
      beforeModel: (request) => ({
        ...request,
        messages: request.messages.append({ from: 'user', text: 'reminder', by: 'p' }),
      }),
    };
    const { outcome } = await stage({ model, policies: [policy] }).play();
    expect([...(requests[0]?.messages ?? [])].map((message) => message.from === 'user' && message.text)).toEqual([
      'do it',
      'reminder',
    ]);
    expect(outcome.conversation.messages.length).toBe(2);
  });

  it('nudges before the request, by its own name', async () => {
    const nudge = once({ nudge: 'Mind the budget.' });
    const { events } = await stage({ policies: [{ id: 'p', beforeModel: (request) => nudge() ?? request }] }).play();
    expect(events[1]).toEqual({ type: 'nudged', by: 'p', text: 'Mind the budget.' });
    expect(events.at(-1)).toEqual({ type: 'released' });
  });

  it('compacts, and the request that follows is the shorter one', async () => {
    const { model, requests } = scriptedModel(calls('a:read'), says('done'));
    const policy: Policy = {
      id: 'p',
      beforeModel: (request) =>
        request.messages.length > 2
          ? { compact: { cut: 3, messages: [{ from: 'user', text: 'summary', by: 'p' }] } }
          : request,
    };
    await stage({ model, tools, policies: [policy] }).play();
    expect([...(requests[1]?.messages ?? [])]).toEqual([{ from: 'user', text: 'summary', by: 'p' }]);
  });

  it('stops the turn with its reason', async () => {
    const { events } = await stage({ policies: [{ id: 'p', beforeModel: () => ({ stop: 'Out of budget.' }) }] }).play();
    expect(events.at(-1)).toMatchObject({
      type: 'stopped',
      reason: 'policy',
      by: 'p',
      fault: { message: 'Out of budget.' },
    });
  });

  it('that takes until the turn is called off sends no request', async () => {
    const { model, requests } = scriptedModel();
    const scene = stage({
      model,
      policies: [
        {
          id: 'p',
          beforeModel: (request) => {
            scene.controller.abort('interrupted');
            return request;
          },
        },
      ],
    });
    expect((await scene.play()).events.at(-1)).toEqual({ type: 'stopped', reason: 'interrupted' });
    expect(requests).toEqual([]);
  });

  it('cannot send an illegal history', async () => {
    const { model, requests } = scriptedModel();
    const policy: Policy = {
      id: 'p',
      beforeModel: (request) => ({ ...request, messages: request.messages.append(calls('x:read')) }),
    };
    const { events } = await stage({ model, policies: [policy] }).play();
    expect(requests).toEqual([]);
    expect(events.at(-1)).toMatchObject({ reason: 'fault', fault: { kind: 'internal' } });
  });

  it('that compacts into nonsense, or for ever, ends the turn', async () => {
    const moves = [
      { cut: 99, messages: [] },
      { cut: 1, messages: [] },
      { cut: 0, messages: [] },
    ];
    for (const compact of moves) {
      const { events } = await stage({ policies: [{ id: 'p', beforeModel: () => ({ compact }) }] }).play();
      expect(events.at(-1)).toMatchObject({ type: 'stopped', reason: 'fault', fault: { kind: 'internal' } });
      const isLegal = compact.cut === 0;
      expect(events.filter(({ type }) => type === 'compacted').length).toBe(isLegal ? 4 : 0);
    }
  });
});

describe('afterModel', () => {
  it('changes the reply that is accepted', async () => {
    const { events } = await stage({
      policies: [{ id: 'p', afterModel: (reply) => ({ ...reply, text: `${reply.text}!` }) }],
    }).play();
    expect(events).toContainEqual({ type: 'replied', reply: says('done!') });
  });

  it('refuses a reply; the model sees it again with the reason, but for its calls', async () => {
    for (const refused of [says('I cannot'), says('', ...calls('a:read').calls)]) {
      const { model, requests } = scriptedModel(refused);
      const nudge = once({ nudge: 'You can.' });
      await stage({ model, tools, policies: [{ id: 'p', afterModel: (reply) => nudge() ?? reply }] }).play();
      const seen = [...(requests[1]?.messages ?? [])].map(({ from }) => from);
      expect(seen).toEqual(refused.calls.length > 0 ? ['user', 'user'] : ['user', 'model', 'user']);
    }
  });

  it('stops the turn with its reason and without the reply', async () => {
    const policy: Policy = { id: 'p', afterModel: () => ({ stop: 'No use.', kind: 'cut' }) };
    const { events } = await stage({ policies: [policy] }).play();
    expect(events.at(-1)).toMatchObject({
      type: 'stopped',
      reason: 'policy',
      by: 'p',
      fault: { kind: 'cut', message: 'No use.' },
    });
    expect(events.some(({ type }) => type === 'replied')).toBe(false);
  });
});

describe('beforeTool and afterTool', () => {
  it('rewrite the call under its old id, and the result', async () => {
    const policy: Policy = {
      id: 'p',
      beforeTool: (asked) => ({ ...asked, id: 'other', input: { path: 'b' } }),
      afterTool: (result) => ({ ...result, callId: 'other', text: `${result.text}, seen` }),
    };
    const { events } = await stage({ model: scriptedModel(calls('a:write')).model, tools, policies: [policy] }).play();
    expect(events).toContainEqual({ type: 'answered', result: { callId: 'a', ok: true, text: '{"path":"b"}, seen' } });
    expect(events).toContainEqual({
      type: 'noted',
      by: 'p',
      kind: 'call rewritten',
      data: { callId: 'a', name: 'write', input: { path: 'b' } },
    });
  });
});

describe('beforeFinish', () => {
  it('sends the model on, one gate at a time, until all are content', async () => {
    const first = once({ nudge: 'Test it.' });
    const second = once({ nudge: 'Say what you did.' });
    const policies: Policy[] = [
      { id: 'a', beforeFinish: first },
      { id: 'b', beforeFinish: second },
    ];
    const { events } = await stage({ policies }).play();
    expect(events.flatMap((event) => (event.type === 'nudged' ? event.by : []))).toEqual(['a', 'b']);
    expect(events.at(-1)).toEqual({ type: 'released' });
  });

  it('that is never content ends the turn at the limit of nudges', async () => {
    const { model, requests } = scriptedModel();
    const { events } = await stage({ model, policies: [{ id: 'p', beforeFinish: () => ({ nudge: 'More.' }) }] }).play({
      start: newConversation({ steps: 50, nudges: 3 }),
    });
    expect(requests.length).toBe(4);
    expect(events.at(-1)).toEqual({ type: 'stopped', reason: 'nudge limit', by: 'p' });
  });
});

describe('a policy with a bug', () => {
  it('ends the turn with a recorded internal fault, at whatever joint it throws', async () => {
    const boom = () => {
      throw new Error('boom');
    };
    for (const joint of ['beforeModel', 'afterModel', 'beforeTool', 'afterTool', 'beforeFinish'] as const) {
      const scene = stage({
        tools,
        model: scriptedModel(calls('a:read')).model,
        policies: [{ id: 'p', [joint]: boom }],
      });
      const { events } = await scene.play();
      expect(events.at(-1)).toMatchObject({
        type: 'stopped',
        reason: 'fault',
        fault: { kind: 'internal', message: 'A bug in Smew: boom' },
      });
    }
  });

  it('in its fold ends the turn too, and the event that broke it stays recorded', async () => {
    const policy: Policy = {
      id: 'p',
      fold: {
        initial: 0,
        step: (_, { event }) => {
          if (event.type === 'heard') throw new Error('boom');
          return 0;
        },
      },
    };
    const { events } = await stage({ policies: [policy] }).play();
    expect(events.map(({ type }) => type)).toEqual(['prompted', 'heard', 'replied', 'stopped']);
    expect(events.at(-1)).toMatchObject({
      fault: { message: expect.stringContaining('the fold of the policy p failed: boom') },
    });
  });
});

describe('the facts that work leaves', () => {
  it('are folded in before a policy judges the work', async () => {
    const kinds: unknown[] = [];
    const policy: Policy = {
      id: 'p',
      fold: { initial: '', step: (state, { event }) => (event.type === 'noted' ? event.kind : state) },
      afterTool: (result, { state }) => {
        kinds.push(state);
        return result;
      },
    };
    const diff = fakeTools({
      edit: {
        run: (_, io) => {
          io.emit({ type: 'noted', by: 'edit', kind: 'diff' });
          return 'edited';
        },
      },
    });
    await stage({ tools: diff, model: scriptedModel(calls('a:edit')).model, policies: [policy] }).play();
    expect(kinds).toEqual(['diff']);
  });

  it('or its voice, come too late when it has answered', async () => {
    const model: Model = async (_, io) => {
      setTimeout(() => io.emit({ type: 'text.grew', delta: 'late' }), 1);
      return ok(says('done'));
    };
    const slow: Policy = {
      id: 'p',
      afterModel: (reply) => new Promise((resolve) => setTimeout(() => resolve(reply), 10)),
    };
    const { happenings } = await stage({ model, policies: [slow] }).play();
    expect(happenings.every((happening) => 'seq' in happening)).toBe(true);
  });

  it('or those of a question that nobody waits for any more, are not heard in the next turn', async () => {
    const permit: Permit = async (asked, _, io) => {
      setTimeout(() => io.emit({ type: 'question.closed', callId: asked.id }), 150);
      return await deaf();
    };
    const scene = stage({
      tools,
      permit,
      model: scriptedModel(calls('a:read')).model,
      limits: { turnMs: 10, toolMs: 0, graceMs: 1 },
    });
    await scene.play();
    await new Promise((resolve) => setTimeout(resolve, 160));
    expect(scene.inbox.isEmpty).toBe(true);
  });
});

describe('the fold of a policy', () => {
  it('has seen every recorded event at every joint, also after a resume', async () => {
    const journal = memoryJournal();
    const seen: { state: unknown; recorded: readonly number[] }[] = [];
    const own = () => journal.recorded.filter(({ agent }) => agent === 'main').map(({ seq }) => seq);
    const looked =
      <T>(value: T) =>
      (view: { state: unknown }) => {
        seen.push({ state: view.state, recorded: own() });
        return value;
      };
    const policy: Policy = {
      id: 'counter',
      fold: { initial: [] as readonly number[], step: (state, { seq }) => [...(state as readonly number[]), seq] }, // its own state
      beforeModel: (request, view) => looked(request)(view),
      afterModel: (reply, view) => looked(reply)(view),
      beforeTool: (asked, view) => looked(asked)(view),
      afterTool: (result, view) => looked(result)(view),
      beforeFinish: looked(undefined),
    };
    const scene = stage({ journal, tools, policies: [policy], model: scriptedModel(calls('a:read', 'b:write')).model });
    const { outcome } = await scene.play();
    const sub = journal.append({ type: 'noted', by: 'x', kind: 'y' }, 'sub-1');
    expect(sub.ok).toBe(true);
    const past: readonly Recorded[] = [...journal.recorded];
    await scene.play({ start: outcome.conversation, control: { past } });
    expect(seen.length).toBeGreaterThan(8);
    for (const { state, recorded } of seen) expect(state).toEqual(recorded);
  });
});
