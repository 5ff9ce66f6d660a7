/** The one implementation of Session: a conversation, its journal, and at most one turn under way. */
import { fail, ok, type Result } from '../base/result.ts';
import { advance, type Conversation, conversationOf, isRunning, type Limits } from '../loop/conversation.ts';
import { Inbox } from '../loop/inbox.ts';
import type { Deps } from '../loop/phase.ts';
import type { Journal } from '../loop/ports.ts';
import { type Outcome, run } from '../loop/run.ts';
import type { Event, Prompted, Recorded } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { LiveEvent } from '../protocol/live.ts';
import type { Image } from '../protocol/message.ts';
import { shortenHistory } from './compact.ts';
import type { Session } from './session.ts';

export interface SessionParts {
  readonly id: string;
  readonly cwd: string;
  readonly deps: Deps;
  readonly limits: Limits;
  readonly past: readonly Recorded[];
  /** Written before the first word: a session in which nothing is said leaves nothing behind. */
  readonly firstEvents: readonly Event[];
  readonly notices: readonly string[];
  readonly spent: Session['spent'];
  readonly shellEnds?: Session['shellEnds'];
  readonly close: () => Promise<void>;
}

export function liveSession(parts: SessionParts): Session {
  const { limits } = parts;
  const past = [...parts.past];
  const deps = { ...parts.deps, journal: keeping(parts.deps.journal, past) };
  const inbox = new Inbox();
  let pending = [...crashOf(conversationOf(past, limits)), ...parts.firstEvents];
  let conversation = conversationOf(past, limits);
  let turn: AbortController | undefined;

  /** Writes an event that belongs to no turn. */
  const append = (event: Event): Result<Recorded, Fault> => {
    const written = deps.journal.append(event, 'main');
    if (!written.ok) return written;
    conversation = advance(conversation, event);
    return written;
  };

  /** What was written; fails at the first event that cannot be. */
  const open = (): Result<readonly Recorded[], Fault> => {
    const opened: Recorded[] = [];
    for (let event = pending[0]; event; event = pending[0]) {
      const written = append(event);
      if (!written.ok) return written;
      pending = pending.slice(1);
      opened.push(written.value);
    }
    return ok(opened);
  };

  async function* drive(
    prompted: Prompted,
    signal: AbortSignal,
  ): AsyncGenerator<Recorded | LiveEvent, Fault | undefined> {
    let outcome: Outcome | undefined;
    try {
      const opened = open();
      if (!opened.ok) return opened.fault;
      yield* opened.value;
      void inbox.record(prompted, true);
      outcome = yield* run(conversation, deps, { signal, inbox, past: [...past] });
      return outcome.fault;
    } finally {
      turn = undefined;
      conversation = outcome?.conversation ?? conversationOf(past, limits);
      // A surface that walked away in mid-turn: what was recorded counts, and the turn ends here.
      if (!outcome && isRunning(conversation)) append({ type: 'stopped', reason: 'interrupted' });
    }
  }

  return {
    id: parts.id,
    model: deps.request.model,
    cwd: parts.cwd,
    conversation: () => conversation,
    past: () => past,
    notices: parts.notices,
    prompt(text, images) {
      if (turn) throw new Error('a turn is under way: use say()');
      turn = new AbortController();
      return drive(wordsOf(text, images), turn.signal);
    },
    async say(text) {
      const said = inbox.say(wordsOf(text));
      if (!said) return fail(fault('usage', 'No turn is under way: start one instead.'));
      const broken = await said;
      return broken ? fail(broken) : ok(undefined);
    },
    spent: parts.spent,
    shellEnds: parts.shellEnds ?? (() => []),
    begin() {
      const opened = open();
      return opened.ok ? ok(undefined) : opened;
    },
    compact() {
      if (turn) return fail(fault('usage', 'A turn is under way: compact when it is done.'));
      const shortened = shortenHistory(conversation.messages);
      if (!shortened) return ok(0);
      const written = append(shortened.event);
      return written.ok ? ok(shortened.freedTokens) : written;
    },
    stop: (reason) => turn?.abort(reason),
    close: parts.close,
  };
}

/** A journal that also keeps in memory what it wrote. */
const keeping = (journal: Journal, past: Recorded[]): Journal => ({
  append: (event, agent) => {
    const written = journal.append(event, agent);
    if (written.ok) past.push(written.value);
    return written;
  },
  sync: () => journal.sync(),
});

const wordsOf = (text: string, images: readonly Image[] = []): Prompted => ({
  type: 'prompted',
  text,
  ...(images.length > 0 ? { images: [...images] } : {}),
});

/** The end of a turn that a crash left open: its calls are answered "outcome unknown" and never run again silently. */
const crashOf = (conversation: Conversation): Event[] =>
  isRunning(conversation) ? [{ type: 'stopped', reason: 'crashed' }] : [];
