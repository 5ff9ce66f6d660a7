import { expect, test } from 'vitest';
import type { PermitIo, PreparedCall } from '../../loop/ports.ts';
import type { Question } from '../../protocol/live.ts';
import type { Answer, Effect, Mode } from '../../protocol/permission.ts';
import { type PermitOptions, permit } from './permit.ts';

const call = { id: 'c1', name: 'bash', input: {} };
const prepared = (subject: string, effect: Effect = 'executes'): PreparedCall => ({
  effect,
  subject,
  run: async () => ({ ok: true, text: '' }),
});

function bench(answers: readonly Answer[], options: Partial<PermitOptions> = {}) {
  const log: string[] = [];
  const asked: Question[] = [];
  const left = [...answers];
  const controller = new AbortController();
  const io: PermitIo = {
    signal: controller.signal,
    emit: ({ type }) => log.push(type),
    waiting: async (work) => {
      log.push('clock stopped');
      const value = await work();
      log.push('clock on');
      return value;
    },
  };
  const ask = (question: Question): Promise<Answer> => {
    asked.push(question);
    const answer = left.shift();
    return answer ? Promise.resolve(answer) : new Promise(() => {});
  };
  return { gate: permit({ mode: () => 'default', rules: [], ask, ...options }), io, log, asked, controller };
}

test('a question is shown, asked with the clock stopped, and closed', async () => {
  const { gate, io, log, asked } = bench([{ answer: 'once' }]);
  expect(await gate(call, prepared('npm test'), io)).toEqual({ decision: 'allow', by: 'user' });
  expect(log).toEqual(['question.asked', 'clock stopped', 'clock on', 'question.closed']);
  expect(asked[0]).toMatchObject({ callId: 'c1', tool: 'bash', subject: 'npm test' });
});

test('"once" holds for one call', async () => {
  const { gate, io, asked } = bench([{ answer: 'once' }, { answer: 'once' }]);
  await gate(call, prepared('npm test'), io);
  await gate(call, prepared('npm test'), io);
  expect(asked).toHaveLength(2);
});

test('"session" holds for the same command line, and for no other', async () => {
  const { gate, io, asked } = bench([{ answer: 'session' }, { answer: 'no' }]);
  await gate(call, prepared('npm test'), io);
  expect(await gate(call, prepared('npm test'), io)).toEqual({ decision: 'allow', by: 'user' });
  expect((await gate(call, prepared('npm test x'), io)).decision).toBe('deny');
  expect(asked.map(({ subject }) => subject)).toEqual(['npm test', 'npm test x']);
});

test("the user's reason reaches the model", async () => {
  const { gate, io } = bench([{ answer: 'no', reason: 'use pnpm' }, { answer: 'no' }]);
  expect(await gate(call, prepared('npm i'), io)).toMatchObject({
    decision: 'deny',
    by: 'user',
    reason: 'bash was not run: the user said no and gave the reason: use pnpm',
  });
  expect((await gate(call, prepared('npm i'), io)).reason).toContain('Do not try the same by another way');
});

test('where nobody can be asked, an ask is a denial that tells the model and the user what to do', async () => {
  const { gate, io, log } = bench([], { ask: undefined });
  const shell = await gate(call, prepared('npm test'), io);
  expect(shell).toMatchObject({ decision: 'deny', by: 'nobody' });
  expect(shell.reason).toContain('--allowed-tools "bash(npm test)"');
  expect(shell.reason).toContain('Do what can be done without it');
  const edit = await gate({ ...call, name: 'edit' }, prepared('a.ts', 'writes'), io);
  expect(edit.reason).toContain('--permission-mode accept-edits');
  expect(log).toEqual([]);
});

test('an interrupt ends the waiting, even when the surface never answers', async () => {
  const { gate, io, log, controller } = bench([]);
  const deciding = gate(call, prepared('npm test'), io);
  controller.abort('interrupted');
  expect(await deciding).toMatchObject({ decision: 'deny', by: 'nobody' });
  expect(log.at(-1)).toBe('question.closed');
});

test('after an interrupt nothing is asked', async () => {
  const { gate, io, asked, controller } = bench([{ answer: 'once' }]);
  controller.abort('interrupted');
  expect((await gate(call, prepared('npm test'), io)).decision).toBe('deny');
  expect(asked).toEqual([]);
});

test('a change of mode holds from the next call', async () => {
  let mode: Mode = 'plan';
  const { gate, io } = bench([], { mode: () => mode });
  expect(await gate(call, prepared('ls'), io)).toMatchObject({ decision: 'deny', by: 'mode:plan' });
  mode = 'bypass';
  expect(await gate(call, prepared('ls'), io)).toEqual({ decision: 'allow', by: 'mode:bypass' });
});

test('a line that no rule covers is denied with the reason, and never with a rule for everything', async () => {
  const { gate, io } = bench([], { ask: undefined });
  for (const [line, found] of [
    ['npm test; rm x', ';'],
    ['cd a && npm test', '&'],
    ['echo "a;b"', ';'],
    ['npm test\nls', 'a line break'],
  ] as const) {
    const { reason } = await gate(call, prepared(line), io);
    expect(reason).toContain(`it holds ${found}`);
    expect(reason).toContain('even in quotes');
    expect(reason).toContain('--permission-mode bypass');
    expect(reason).not.toContain('--allowed-tools "bash"');
  }
  const quoted = await gate(call, prepared('git commit -m "a b"'), io);
  expect(quoted.reason).toContain('a rule for its first words');
  expect(quoted.reason).not.toContain('--allowed-tools "bash"');
});

test('a denied change of a protected file is never told to be allowed by accept-edits', async () => {
  const { gate, io } = bench([], { ask: undefined, mode: () => 'accept-edits' });
  const { decision, reason } = await gate({ ...call, name: 'edit' }, prepared('.git/config', 'writes'), io);
  expect(decision).toBe('deny');
  expect(reason).toContain('.git/config is protected');
  expect(reason).not.toContain('--permission-mode accept-edits');
  expect(reason).toContain('--permission-mode bypass');
});
