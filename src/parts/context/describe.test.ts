import { expect, test } from 'vitest';
import type { Message } from '../../protocol/message.ts';
import { describeContext } from './describe.ts';
import { estimateTokens } from './estimate.ts';
import { formatContext } from './format.ts';

const messages: Message[] = [
  { from: 'user', text: 'fix it', images: [{ mediaType: 'image/png', base64: 'AAAA'.repeat(100_000) }] },
  {
    from: 'model',
    text: 'I look.',
    calls: [{ id: '1', name: 'read', input: { path: 'a' } }],
    native: { wire: 'chat', model: 'x/y', content: { reasoning: 'hm' } },
  },
  { from: 'tools', results: [{ callId: '1', ok: true, text: '\u4f60\u597d' }] },
  { from: 'user', text: 'go on', by: 'critic' },
  { from: 'user', text: 'thanks' },
];
const rows = describeContext({
  system: [
    { name: 'identity', text: 'You are Smew.' },
    { name: 'work', text: 'Work.' },
  ],
  tools: [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }],
  messages,
});

test('every fragment, tool and kind of message has a row', () => {
  expect(rows.map(({ part, name, count }) => `${part} ${name} ${count}`)).toEqual([
    'system identity 1',
    'system work 1',
    'tool read 1',
    "messages user's words 2",
    'messages images 1',
    "messages model's words 1",
    'messages tool calls 1',
    'messages native content (reasoning) 1',
    'messages tool results 1',
    'messages nudges by critic 1',
  ]);
});

test('sizes are UTF-8 bytes of the content', () => {
  expect(rows[0]?.bytes).toBe(13);
  expect(rows.find(({ name }) => name === 'tool results')?.bytes).toBe(6);
});

test('an image counts by the piece and not by its bytes', () => {
  expect(rows.find(({ name }) => name === 'images')).toMatchObject({ bytes: 400_000, tokensEstimate: 1000 });
});

test('the table has a sum for each group and one for all', () => {
  const table = formatContext(rows);
  expect(table).toMatch(/^System prompt +18 +~6$/m);
  expect(table).toMatch(/^ {2}user's words \(2\) +12 +~\d+$/m);
  expect(table).toMatch(/^Total +400,\d{3} +~1,\d{3}$/m);
});

test('an empty conversation still has its table', () => {
  expect(formatContext(describeContext({ system: [], tools: [], messages: [] }))).toMatch(/^Total +0 +~0$/m);
});

test.each([
  ['code', 'export const sum = (one: number, other: number): number => one + other;\n', 18],
  ['Chinese', '\u5728\u4ed3\u5e93\u91cc\u4fee\u590d\u5931\u8d25\u7684\u6d4b\u8bd5', 8],
  ['nothing', '', 0],
])('the estimate for %s is near the count of a real tokenizer', (_, text, tokens) => {
  expect(Math.abs(estimateTokens(text) - tokens)).toBeLessThanOrEqual(Math.ceil(tokens * 0.3));
});
