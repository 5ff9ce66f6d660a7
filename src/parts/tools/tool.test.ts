import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { call } from './testing/scratch.ts';
import { defineTool, toolBox } from './tool.ts';

const Input = z.strictObject({
  path: z.string(),
  limit: z.optional(z.int()),
  mode: z.optional(z.enum(['fast', 'slow'])),
  default: z.optional(z.boolean()),
  edits: z.optional(z.array(z.strictObject({ old: z.string().check(z.minLength(1)) })).check(z.minLength(1))),
});

const tool = defineTool({
  name: 'sample',
  description: 'A sample.',
  effect: 'reads',
  input: Input,
  subject: ({ path }) => path,
  timeoutMs: ({ limit }) => limit,
  run: async ({ path }) => ({ ok: true, text: path }),
});

describe('an input that does not fit is refused in words that can be acted on', () => {
  test.each([
    [{}, '"path" is missing: wants a string.'],
    [{ path: 3 }, '"path": wants a string; got 3.'],
    [{ path: 'a', limit: 'x' }, '"limit": wants a number; got "x".'],
    [{ path: 'a', limit: 1.5 }, '"limit": wants a whole number; got 1.5.'],
    [{ path: 'a', mode: 'medium' }, '"mode": wants one of "fast", "slow"; got "medium".'],
    [{ path: 'a', edits: [] }, '"edits": wants at least 1 items; got [].'],
    [{ path: 'a', edits: [{ old: '' }] }, '"edits.0.old": wants at least 1 characters; got "".'],
    [{ path: 'a', file: 'b' }, 'There is no parameter "file". Its parameters are: path, limit, mode, default, edits.'],
    [{ path: 'a', edits: [{ old: 'x', neu: 'y' }] }, 'There is no parameter "neu" in "edits.0".'],
    ['text', 'The input: wants an object; got "text".'],
    [undefined, 'The input is missing: wants an object.'],
  ])('%j', async (input, said) => {
    const answer = await call(tool, input);
    expect(answer).toMatchObject({ ok: false, data: { refused: 'input' } });
    expect(answer.text).toBe(`sample was not run. ${said}`);
  });

  test('a huge wrong value does not come back whole', async () => {
    const answer = await call(tool, { path: { text: 'x'.repeat(5000) } });
    expect(answer.text.length).toBeLessThan(250);
  });

  test('ten wrong places are told by the first five', async () => {
    const answer = await call(tool, { path: 'a', edits: Array.from({ length: 10 }, () => ({ old: 1 })) });
    expect(answer.text).toContain('And 5 more of this kind.');
  });
});

test('a fitting input becomes a call with subject, time limit and effect', async () => {
  const prepared = tool.prepare({ path: 'a', limit: 5 });
  expect(prepared).toMatchObject({ ok: true, value: { effect: 'reads', subject: 'a', timeoutMs: 5 } });
  expect(await call(tool, { path: 'a' })).toEqual({ ok: true, text: 'a' });
});

test('the schema that a model sees holds no noise, and a parameter may be called default', () => {
  const { parameters } = tool.spec;
  const text = JSON.stringify(parameters);
  expect(text).not.toMatch(/\$schema|additionalProperties|9007199254740991/);
  expect(Object.keys(Object(parameters['properties']))).toContain('default');
  expect(parameters).toMatchObject({ type: 'object', required: ['path'] });
});

describe('the box', () => {
  const box = toolBox([tool]);
  const prepare = (more: object) => box.prepare({ id: '1', name: 'sample', input: { path: 'a' }, ...more });

  test('finds a tool by its name', () => {
    expect(prepare({})).toMatchObject({ ok: true });
    expect(box.specs).toEqual([tool.spec]);
  });

  test('names the tools, and the nearest, when there is none of that name', () => {
    expect(prepare({ name: 'Samples' })).toMatchObject({
      fault: { ok: false, text: 'There is no tool "Samples". Did you mean sample? The tools are: sample.' },
    });
    expect(prepare({ name: 'python' })).toMatchObject({
      fault: { text: 'There is no tool "python". The tools are: sample.' },
    });
  });

  test('says why arguments could not be read', () => {
    expect(prepare({ unreadable: 'sample was not run. It ends early.', input: '{"pa' })).toMatchObject({
      fault: { text: 'sample was not run. It ends early.' },
    });
  });
});
