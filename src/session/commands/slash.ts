/** Slash words: what a user types to the session itself instead of to the model. */
import { ok, type Result } from '../../base/result.ts';
import type { Fault } from '../../protocol/fault.ts';
import type { Session } from '../session.ts';

export type Slash =
  | { readonly name: 'compact' }
  /** Another model for what comes next; nothing that was said changes. */
  | { readonly name: 'model'; readonly model: string };

/** Only these words, alone on the line: a path such as `/etc/hosts` or a question about one is a task like any other. */
export function readSlash(text: string): Slash | undefined {
  const [word, argument, ...rest] = text.trim().split(/\s+/);
  if (rest.length > 0) return undefined;
  if (word === '/model') return argument === undefined ? undefined : { name: 'model', model: argument };
  return word === '/compact' && argument === undefined ? { name: 'compact' } : undefined;
}

/** Does it and says what was done. For `model` the session was opened with that model. */
export function obeySlash(slash: Slash, session: Session): Result<string, Fault> {
  const begun = session.begin();
  if (!begun.ok) return begun;
  switch (slash.name) {
    case 'compact': {
      const freed = session.compact();
      if (!freed.ok) return freed;
      if (freed.value === 0) return ok('There is nothing to leave out.');
      return ok(`About ${freed.value} tokens of old tool results are left out from now on.`);
    }
    case 'model':
      return ok(`The next request goes to ${session.model}.`);
    default:
      return slash satisfies never;
  }
}
