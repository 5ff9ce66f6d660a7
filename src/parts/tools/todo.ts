/**
 * todo: the model's task list. Each call replaces the list, so the newest result is the state and nothing is kept
 * here. It changes nothing in the world and is therefore a reader, which nobody needs to allow.
 */
import * as z from 'zod/mini';
import { defineTool, type Tool } from './tool.ts';

const Item = z.strictObject({ text: z.string(), status: z.enum(['pending', 'active', 'done']) });
type Item = z.infer<typeof Item>;

const Input = z.strictObject({ items: z.array(Item) });

const marks: Readonly<Record<Item['status'], string>> = { pending: '[ ]', active: '[>]', done: '[x]' };

export function todoTool(): Tool {
  return defineTool({
    name: 'todo',
    description:
      'Show the user your plan for work of three or more steps, and keep it up to date. Each call replaces the list; one item is active.',
    effect: 'reads',
    input: Input,
    subject: ({ items }) => countsOf(items),
    run: ({ items }) =>
      Promise.resolve({
        ok: true,
        text: [countsOf(items), ...items.map(({ text, status }) => `${marks[status]} ${text}`)].join('\n'),
        data: { items },
      }),
  });
}

function countsOf(items: readonly Item[]): string {
  if (items.length === 0) return 'The list is empty.';
  const done = items.filter(({ status }) => status === 'done').length;
  return `${done} of ${items.length} done.`;
}
