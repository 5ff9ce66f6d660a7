/** The policies in their order, each with its fold kept up to date. */
import type { Recorded } from '../protocol/event.ts';
import type { Conversation } from './conversation.ts';
import type { Policy, View } from './ports.ts';

export class LineUp {
  readonly policies: readonly Policy[];
  readonly #states = new Map<string, unknown>();

  constructor(policies: readonly Policy[], past: Iterable<Recorded>) {
    this.policies = policies;
    for (const { id, fold } of policies) if (fold) this.#states.set(id, fold.initial);
    if (this.#states.size > 0) for (const recorded of past) this.step(recorded);
  }

  step(recorded: Recorded): void {
    for (const { id, fold } of this.policies) {
      if (fold) this.#states.set(id, fold.step(this.#states.get(id), recorded));
    }
  }

  view({ id }: Policy, conversation: Conversation): View {
    return { conversation, state: this.#states.get(id) };
  }
}
