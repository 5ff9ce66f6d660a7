/** Writes events and folds them in, in that order: what is not in the journal did not happen. */
import type { Event, Recorded } from '../protocol/event.ts';
import type { Fault } from '../protocol/fault.ts';
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

  async record(event: Event, isSynced: boolean): Promise<{ recorded: Recorded } | { broken: Fault }> {
    const written = this.#journal.append(event, this.#agent);
    if (!written.ok) return { broken: written.fault };
    const synced = isSynced ? await this.#journal.sync() : undefined;
    if (synced && !synced.ok) return { broken: synced.fault };
    this.conversation = advance(this.conversation, event);
    this.#lineUp.step(written.value);
    return { recorded: written.value };
  }
}
