import { expect, it } from 'vitest';
import { ok } from '../base/result.ts';
import type { Event, Recorded } from '../protocol/event.ts';
import { conversationOf, newConversation } from './conversation.ts';
import { call, fakeTools, memoryJournal, roomy, says, scriptedModel, stage } from './fakes.ts';
import type { Deps } from './phase.ts';
import type { Model, Permit, Policy, ToolBox } from './ports.ts';

/** Gives the next recorded event of a kind each time it is asked. */
function reader(recorded: readonly Recorded[]) {
  const left = recorded.map(({ event }) => event);
  return <T extends Event['type']>(type: T): Extract<Event, { type: T }> => {
    const place = left.findIndex((event) => event.type === type);
    const [event] = left.splice(place, 1);
    if (place < 0 || event?.type !== type) throw new Error(`the record has no further ${type}`);
    return event as Extract<Event, { type: T }>; // just compared
  };
}

/** The recorded world: its replies, its decisions, its answers. */
function recordedWorld(recorded: readonly Recorded[], tools: ToolBox): Partial<Deps> {
  const next = reader(recorded);
  const model: Model = async (_, io) => {
    io.emit(next('heard'));
    return ok(next('replied').reply);
  };
  const permit: Permit = async () => {
    const { decision, by, reason } = next('decided');
    return reason === undefined ? { decision, by } : { decision, by, reason };
  };
  return {
    model,
    permit,
    tools: {
      specs: tools.specs,
      prepare: (asked) => {
        const prepared = tools.prepare(asked);
        const run = async () => {
          const { ok: isOk, text, data } = next('answered').result;
          return data ? { ok: isOk, text, data } : { ok: isOk, text };
        };
        return prepared.ok ? ok({ ...prepared.value, run }) : prepared;
      },
    },
  };
}

it('a recorded session replays to the same events and an equal conversation', async () => {
  const journal = memoryJournal();
  const tools = fakeTools({
    look: { run: (input) => `${JSON.stringify(input)} at ${performance.now()}` },
    change: { effect: 'writes', run: () => ({ ok: false, text: 'disk full', data: { free: 0 } }) },
  });
  const gate: Policy = {
    id: 'gate',
    beforeFinish: ({ conversation }) => (conversation.turn.nudges === 0 ? { nudge: 'Look once more.' } : undefined),
  };
  const first = stage({
    journal,
    tools,
    policies: [gate],
    model: scriptedModel(
      says('I look', call('1', 'look', { path: 'a' }), call('1', 'look', { path: 'b' }), call('', 'change')),
      says('sure', call('1', 'look')),
      says('finished'),
      says('finished indeed'),
    ).model,
    permit: async ({ name }) => ({ decision: 'allow', by: name === 'change' ? 'user' : 'mode:default' }),
  });
  const { outcome } = await first.play();
  const again = stage({ policies: [gate], journal: memoryJournal(), ...recordedWorld(journal.recorded, tools) });
  const second = await again.play();
  expect(second.events).toEqual(journal.recorded.map(({ event }) => event));
  expect([...second.outcome.conversation.messages]).toEqual([...outcome.conversation.messages]);
  expect([...conversationOf(journal.recorded, roomy).messages]).toEqual([...outcome.conversation.messages]);
  expect(outcome.conversation.phase).toEqual(conversationOf(journal.recorded, roomy).phase);
});

it('a hundred turns in a row on one inbox leave nothing in it', async () => {
  const scene = stage({ tools: fakeTools({ look: { run: () => 'x' } }) });
  let start = newConversation(roomy);
  for (let turn = 1; turn <= 100; turn++) {
    const { outcome } = await scene.play({ start });
    start = outcome.conversation;
    expect(start.turn.number).toBe(turn);
    expect(scene.inbox.isEmpty).toBe(true);
  }
});
