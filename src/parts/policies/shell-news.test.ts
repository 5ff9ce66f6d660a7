import { expect, test } from 'vitest';
import { newConversation } from '../../loop/conversation.ts';
import { shellNews } from './shell-news.ts';

const view = { conversation: newConversation({ steps: 1, nudges: 1 }), state: undefined };
const result = { callId: '1', ok: true, text: 'read' };

test('what happened in the background is told with the next result', async () => {
  const policy = shellNews({ news: () => '[Shell 1 has ended: exit code 1.]', endings: () => '' });
  expect(await policy.afterTool?.(result, view)).toEqual({
    ...result,
    text: 'read\n[Shell 1 has ended: exit code 1.]',
  });
  expect(await policy.beforeFinish?.(view)).toBeUndefined();
});

test('without news a result stays as it is; an end that nobody heard of holds up the finish', async () => {
  const policy = shellNews({ news: () => '', endings: () => '[Shell 1 has ended: exit code 1.]' });
  expect(await policy.afterTool?.(result, view)).toBe(result);
  expect(await policy.beforeFinish?.(view)).toMatchObject({ nudge: expect.stringContaining('exit code 1') });
});
