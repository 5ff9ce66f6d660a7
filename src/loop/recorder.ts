/** Writes events and folds them in, in that order: what is not in the journal did not happen. */
import { attempt, messageOf } from '../base/attempt.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Event, Recorded } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import { advance, type Conversation } from './conversation.ts';
import type { LineUp } from './lineup.ts';
import type { Journal } from './ports.ts';

export class Recorder {
  readonly #journal: Journal;
  readonly #lineUp: LineUp;
  readonly #agent: string;
  conversation: Conversation;

  constructor(start: Conversation, { journal, lineUp, agent }: { journal: Journal; lineUp: LineUp; agent: string }) {
    this.conversation = start;
    this.#journal = journal;
    this.#lineUp = lineUp;
    this.#agent = agent;
  }

  async record(event: Event, isSynced: boolean): Promise<Result<Recorded, Fault>> {
    const written = await attempt(() => this.#write(event, isSynced), journalBug);
    if (!written.ok) return written;
    if (!written.value.ok) return written.value;
    this.conversation = advance(this.conversation, event);
    this.#lineUp.step(written.value.value);
    return written.value;
  }

  async #write(event: Event, isSynced: boolean): Promise<Result<Recorded, Fault>> {
    const written = this.#journal.append(event, this.#agent);
    if (!written.ok || !isSynced) return written;
    const synced = await this.#journal.sync();
    return synced.ok ? ok(written.value) : fail(synced.fault);
  }
}

/** A journal answers with faults; one that throws has a bug, and whoever waits for the record must still hear of it. */
const journalBug = (cause: unknown): Fault => fault('internal', `A bug in the journal: ${messageOf(cause)}`);
