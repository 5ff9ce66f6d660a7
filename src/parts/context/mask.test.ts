import { describe, expect, it } from 'vitest';
import { List } from '../../base/list.ts';
import type { Message, ToolCall } from '../../protocol/message.ts';
import { maskOldest, trimNewest } from './mask.ts';
import { createMeasure } from './measure.ts';

const measure = createMeasure();
const tokensOf = (message: Message) => measure.message(message);
const long = 'line of a file\n'.repeat(823);

const step = (
  id: string,
  name: string,
  input: unknown,
  result: Partial<{ text: string; ok: boolean; data: Record<string, unknown> }> = {},
): Message[] => {
  const call: ToolCall = { id, name, input };
  return [
    { from: 'model', text: `I call ${name}.`, calls: [call] },
    { from: 'tools', results: [{ callId: id, ok: true, text: long, ...result }] },
  ];
};
const history = (...steps: Message[][]) => List.from<Message>([{ from: 'user', text: 'Do it.' }, ...steps.flat()]);
const texts = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.from === 'tools' ? message.results.map(({ text }) => text) : []));

describe('a masked result', () => {
  it.each([
    [
      step('a', 'read', { path: 'src/a.ts', offset: 1, limit: 400 }),
      '[masked: read src/a.ts lines 1-400, 12,345 characters; read it again if you need it]',
    ],
    [
      step('a', 'read', { path: 'src/a.ts' }),
      '[masked: read src/a.ts, 12,345 characters; read it again if you need it]',
    ],
    [
      step('a', 'bash', { command: 'npm test' }, { ok: false }),
      '[masked: bash npm test (failed), 12,345 characters; call it again if you need it]',
    ],
    [
      step('a', 'bash', { command: 'seq 1 9' }, { data: { spill: '/data/a.txt' } }),
      '[masked: bash seq 1 9, 12,345 characters; the whole is in /data/a.txt]',
    ],
    [
      step('a', 'grep', { pattern: 'x y', path: 'src' }),
      '[masked: grep x y src, 12,345 characters; call it again if you need it]',
    ],
  ])('says what it was and where the whole is: %#', (one, line) => {
    const masked = maskOldest(history(one), { tokensToFree: 1, keepSteps: 0, tokensOf });
    expect(texts(masked?.messages ?? [])).toEqual([line]);
  });

  it('is the oldest first, and no more than is needed', () => {
    const messages = history(
      step('a', 'read', { path: 'a' }),
      step('b', 'read', { path: 'b' }),
      step('c', 'read', { path: 'c' }),
    );
    const masked = maskOldest(messages, { tokensToFree: 100, keepSteps: 0, tokensOf });
    expect(masked).toMatchObject({ cut: 3 });
    expect(masked?.messages.slice(0, 2)).toEqual(messages.slice(0, 2));
    expect(masked?.freedTokens).toBeGreaterThan(100);
  });

  it('is never one of the last steps, a plan, a short one, or one that is masked already', () => {
    const plan = step('t', 'todo', { items: [] });
    const short = step('s', 'bash', { command: 'true' }, { text: 'ok' });
    const messages = history(plan, short, step('a', 'read', { path: 'a' }), step('b', 'read', { path: 'b' }));
    const wish = { tokensToFree: 1e9, keepSteps: 1, tokensOf };
    const once = maskOldest(messages, wish);
    expect(texts(once?.messages ?? []).map((text) => text.slice(0, 16))).toEqual([
      long.slice(0, 16),
      'ok',
      '[masked: read a,',
    ]);
    const after = List.from([...(once?.messages ?? []), ...messages.slice(once?.cut)]);
    expect(maskOldest(after, wish)).toBeUndefined();
    expect(maskOldest(messages, wish)).toEqual(once);
  });

  it('leaves every word of the user and of the model', () => {
    const messages = history(
      step('a', 'read', { path: 'a' }),
      [{ from: 'user', text: long }],
      step('b', 'read', { path: 'b' }),
    );
    const masked = maskOldest(messages, { tokensToFree: 1e9, keepSteps: 0, tokensOf });
    const words = (list: readonly Message[]) => list.filter(({ from }) => from !== 'tools');
    expect(words(masked?.messages ?? [])).toEqual(words(messages.slice(0, masked?.cut)));
  });
});

describe('a newest result that is too long', () => {
  it('keeps its beginning and its end, and says how much is gone', () => {
    const messages = history(step('a', 'read', { path: 'a' }, { text: `first ${long} last` }));
    const trimmed = trimNewest(messages, { tokensToFree: 1500, tokensOf });
    const [text = ''] = texts(trimmed?.messages ?? []);
    expect(text).toMatch(/^first /);
    expect(text).toMatch(/ last$/);
    expect(text).toMatch(/\[[\d,]+ characters left out here/);
    expect(trimmed?.freedTokens).toBeGreaterThanOrEqual(1400);
    expect(trimNewest(messages, { tokensToFree: 1e9, tokensOf })).toBeUndefined();
  });
});
