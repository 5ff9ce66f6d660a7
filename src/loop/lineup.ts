/** The policies in their order, each with its fold kept up to date. */
import { attemptSync, messageOf } from '../base/attempt.ts';
import type { Recorded } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Conversation } from './conversation.ts';
import type { Policy, View } from './ports.ts';

export class LineUp {
  readonly policies: readonly Policy[];
  readonly #states = new Map<string, unknown>();
  #fault: Fault | undefined;

  constructor(policies: readonly Policy[], past: Iterable<Recorded>) {
    this.policies = policies;
    for (const { id, fold } of policies) if (fold) this.#states.set(id, fold.initial);
    if (this.#states.size > 0) for (const recorded of past) this.step(recorded);
  }

  /** The first fold that threw: its policy can no longer be trusted, and the turn must end. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  step(recorded: Recorded): void {
    for (const { id, fold } of this.policies) {
      if (!fold) continue;
      const next = attemptSync(() => fold.step(this.#states.get(id), recorded), messageOf);
      if (next.ok) this.#states.set(id, next.value);
      else this.#fault ??= fault('internal', `A bug in Smew: the fold of the policy ${id} failed: ${next.fault}`);
    }
  }

  view({ id }: Policy, conversation: Conversation, refused?: Fault): View {
    return { conversation, state: this.#states.get(id), ...(refused ? { refused } : {}) };
  }
}
