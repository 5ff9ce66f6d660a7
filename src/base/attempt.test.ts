import { describe, expect, it } from 'vitest';
import { attempt, attemptSync, codeOf, messageOf } from './attempt.ts';

const boom = (): never => {
  throw new Error('boom');
};

describe('attempt', () => {
  it('gives a value, or what was made of the thing thrown, also when it was thrown before the first await', async () => {
    expect(await attempt(async () => 1, messageOf)).toEqual({ ok: true, value: 1 });
    expect(await attempt(async () => boom(), messageOf)).toEqual({ ok: false, fault: 'boom' });
    expect(await attempt(boom, messageOf)).toEqual({ ok: false, fault: 'boom' });
    expect(attemptSync(() => 1, messageOf)).toEqual({ ok: true, value: 1 });
    expect(attemptSync(boom, messageOf)).toEqual({ ok: false, fault: 'boom' });
  });
});

describe('the message of something thrown', () => {
  it.each<[unknown, string]>([
    [new Error('boom'), 'boom'],
    ['text', 'text'],
    [undefined, 'undefined'],
    [Symbol('s'), 'Symbol(s)'],
    [{ message: 'not an Error' }, 'not an Error'],
    [Object.create(null), '[object Object]'],
    [new TypeError(), 'TypeError'],
    [new AggregateError([new Error('refused ::1'), new Error('refused 127.0.0.1')]), 'refused ::1; refused 127.0.0.1'],
  ])('%# is never empty', (cause, message) => {
    expect(messageOf(cause)).toBe(message);
  });
});

describe('the code of something thrown', () => {
  it('is the code of a Node error, and nothing else', () => {
    expect(codeOf(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
    for (const cause of [new Error('x'), null, 'ENOENT', { code: 5 }]) expect(codeOf(cause)).toBeUndefined();
  });
});
