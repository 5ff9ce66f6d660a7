/** The text of a reply that comes in several parts. */
import type { Emit } from '../../../loop/ports.ts';
import { partBreak } from '../parts.ts';

export class TextGathering {
  readonly #pieces: string[] = [];
  #isFresh = true;
  readonly #emit: Emit;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** What is said next is a part of its own. */
  open(): void {
    this.#isFresh = true;
  }

  say(text: string): void {
    if (text === '') return;
    const delta = this.#isFresh && this.#pieces.length > 0 ? partBreak + text : text;
    this.#isFresh = false;
    this.#pieces.push(delta);
    this.#emit({ type: 'text.grew', delta });
  }

  get text(): string {
    return this.#pieces.join('');
  }
}
