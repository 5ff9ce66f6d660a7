import { expect, test } from 'vitest';
import { startGuard } from './guard.ts';
import { type StartOrder, startShell } from './start.ts';

async function startFails(more: Partial<StartOrder>): Promise<string> {
  const guard = await startGuard(process.env);
  if (!guard.ok) throw new Error(guard.fault);
  const order: StartOrder = { command: 'true', cwd: '/', env: process.env, shell: '/bin/sh', number: 1, input: 'open' };
  const faults: string[] = [];
  // More often than there are pipes: what fails must give them back.
  for (let round = 0; round < 30; round++) {
    const started = await startShell({ ...order, ...more }, guard.value);
    faults.push(started.ok ? 'started' : started.fault);
  }
  guard.value.close();
  expect([...new Set(faults)]).toEqual([faults[0]]);
  return faults[0] ?? '';
}

test('a missing shell, a missing directory and an environment that is too large are told with what to do', async () => {
  expect(await startFails({ shell: '/no/such/shell' })).toBe(
    'There is no shell at /no/such/shell. Install bash, or set PATH so that it is found.',
  );
  expect(await startFails({ cwd: '/no/such/folder' })).toBe('The working directory /no/such/folder is gone.');
  expect(await startFails({ env: { LARGE: 'x'.repeat(200_000) } })).toContain('environment is too large');
});

test('when all pipes are taken it is said', async () => {
  const guard = await startGuard(process.env);
  if (!guard.ok) throw new Error(guard.fault);
  while (guard.value.takePipe());
  const order: StartOrder = { command: 'true', cwd: '/', env: {}, shell: '/bin/sh', number: 1, input: 'none' };
  expect(await startShell(order, guard.value)).toMatchObject({ ok: false, fault: expect.stringContaining('Too many') });
  guard.value.close();
});
