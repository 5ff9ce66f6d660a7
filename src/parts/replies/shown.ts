/** What is shown of a reply while it streams: the answer without thinking and without what may be the beginning of a call. */
import type { Emit } from '../../loop/ports.ts';
import type { Resolve, TextFilter } from './salvage/filter.ts';
import { textFilter } from './salvage/filter.ts';
import { type ThinkingDelta, type ThinkingFilter, thinkingFilter } from './salvage/thinking.ts';

export interface Shown {
  /** Stands between the wire and the one who listens. */
  readonly emit: Emit;
  /** The reply is read: shows what of its text was held back. */
  complete(text: string): void;
}

export function shownThrough(emit: Emit, resolve: Resolve): Shown {
  const thinking: ThinkingFilter = thinkingFilter();
  let filter: TextFilter = textFilter(resolve);
  let shown = '';
  const show = (delta: string): void => {
    if (delta === '') return;
    shown += delta;
    emit({ type: 'text.grew', delta });
  };
  const pass = ({ text, reasoning, isTakenBack }: ThinkingDelta): void => {
    if (isTakenBack && shown !== '') {
      emit({ type: 'reply.dropped', reason: 'What was shown was thinking.' });
      shown = '';
      filter = textFilter(resolve);
    }
    if (reasoning !== '') emit({ type: 'reasoning.grew', delta: reasoning });
    show(filter.push(text));
  };
  return {
    emit: (happening) => (happening.type === 'text.grew' ? pass(thinking.push(happening.delta)) : emit(happening)),
    complete: (text) => show(restOf(text, shown)),
  };
}

/** All as it comes. */
export const shownPlainly = (emit: Emit): Shown => ({ emit, complete: () => {} });

/** What of `text` comes after `shown`, blanks aside; nothing where they part, for what was shown cannot be changed. */
function restOf(text: string, shown: string): string {
  let at = 0;
  for (const character of shown) {
    if (/\s/.test(character)) continue;
    while (at < text.length && /\s/.test(text[at] ?? '')) at++;
    if (!text.startsWith(character, at)) return '';
    at += character.length;
  }
  const rest = text.slice(at);
  if (rest.trim() === '') return '';
  return /\s$/.test(shown) || shown === '' ? rest.trimStart() : rest;
}
