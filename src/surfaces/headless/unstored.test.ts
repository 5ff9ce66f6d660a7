import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { fault } from '../../protocol/fault.ts';
import { runHeadless } from './headless.ts';
import { runOf, sink } from './play.ts';
import { record, scriptedSession } from './scripted-session.ts';

test.each([
  ['not said where nothing of the session was stored', 0, false],
  ['said where an earlier turn was', 1, true],
] as const)('how to go on is %s', async (_, stored, isSaid) => {
  const { session } = scriptedSession({ happenings: [], broken: fault('storage', 'The disk is full.') });
  const err = sink();
  const past = () => record([{ type: 'released' }]).slice(0, stored);
  await runHeadless(runOf({ ...session, past }, new EventEmitter(), { err: err.stream }));
  expect(err.text()).toContain('The disk is full.');
  expect(err.text().includes('to go on')).toBe(isSaid);
});
