import { expect, test } from 'vitest';
import type { Event, Recorded } from '../../protocol/event.ts';
import { denialsOf } from './denials.ts';

const record = (events: readonly Event[], agent = 'main'): Recorded[] =>
  events.map((event, index) => ({ seq: index + 1, at: 0, agent, event }));

const step = (command: string, decision: 'allow' | 'deny', id: string): Event[] => [
  {
    type: 'replied',
    reply: { from: 'model', text: '', calls: [{ id: 'call_1', name: 'bash', input: { command } }] },
  },
  { type: 'decided', callId: id, decision, by: decision === 'deny' ? 'nobody' : 'mode:bypass', reason: 'why' },
  { type: 'answered', result: { callId: id, ok: false, text: 'x' } },
];

test('only denials are listed, with tool, input, author and reason', () => {
  const events = record([{ type: 'prompted', text: 'x' }, ...step('ls', 'allow', 'call_1')]);
  expect(denialsOf(events)).toEqual([]);
  expect(denialsOf(record([{ type: 'prompted', text: 'x' }, ...step('ls', 'deny', 'call_1')]))).toEqual([
    { callId: 'call_1', tool: 'bash', input: { command: 'ls' }, by: 'nobody', reason: 'why' },
  ]);
});

test('a denial finds its call although the server numbers calls anew in each reply', () => {
  const events = record([
    { type: 'prompted', text: 'x' },
    ...step('first', 'allow', 'call_1'),
    ...step('second', 'deny', 'call_1_2'),
  ]);
  expect(denialsOf(events)).toMatchObject([{ callId: 'call_1_2', input: { command: 'second' } }]);
});

test("agents' denials do not get in each other's way", () => {
  const prompted: Event = { type: 'prompted', text: 'x' };
  const main = record([prompted, ...step('main', 'deny', 'call_1')]);
  const helper = record([prompted, ...step('helper', 'deny', 'call_1')], 'helper');
  const mixed = main.flatMap((one, index) => [one, helper[index] ?? []]).flat();
  expect(denialsOf(mixed).map(({ input }) => input)).toEqual([{ command: 'main' }, { command: 'helper' }]);
});
