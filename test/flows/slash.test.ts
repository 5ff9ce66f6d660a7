/** Slash words through the built program: they are for the session, and no model hears them. */
import { expect, test } from 'vitest';
import { scene } from './scene.ts';

test('/model changes the model of the next request only, and /compact shortens what was said', () =>
  scene(
    [{ calls: [{ op: 'bash', command: 'seq 1 3000' }] }, { text: 'Counted.' }, { text: 'Still here.' }],
    async ({ run, server }) => {
      await run(['run', 'count', '--yolo']);
      expect((await run(['-c', '/model openai/other'])).stdout).toContain('openai/other');
      expect((await run(['-c', '/compact'])).code).toBe(0);
      expect(server.requests).toHaveLength(2);
      expect((await run(['run', '-c', 'and now?'])).stdout).toBe('Still here.\n');
      const models = server.requests.map(({ body }) => (body as { model: string }).model);
      expect(models).toEqual(['scripted', 'scripted', 'other']);
    },
  ));

test('a slash word needs a session; a path is a task like any other', () =>
  scene([{ text: 'A file.' }], async ({ run, server }) => {
    expect((await run(['run', '/compact'])).code).toBe(2);
    expect((await run(['run', '/etc/hosts'])).stdout).toBe('A file.\n');
    expect(server.requests).toHaveLength(1);
  }));
