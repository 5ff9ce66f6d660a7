/** Replies that end the turn without being an answer. */
import type { Reply } from '../../protocol/message.ts';

/** `nothing`: not a word; `thinking`: nothing but thinking; `announced`: it says what comes next and does not do it. */
export type Lapse = 'nothing' | 'thinking' | 'announced';

export function lapseOf({ text, reasoning = '', calls }: Reply): Lapse | undefined {
  if (calls.length > 0 || text.trim() !== '') return undefined;
  return reasoning.trim() === '' ? 'nothing' : 'thinking';
}
