/** A call that was not understood: the model is told why as the call's result. */
export interface RefusedCall {
  readonly name: string;
  readonly reason: string;
  /** `cut`: it ends inside; `name`: no such tool; `syntax`, `schema`: its arguments; `unclear`: it can be read in two ways. */
  readonly class: 'cut' | 'syntax' | 'schema' | 'name' | 'unclear';
}

export const overCap = (tool: string, characters: number): string =>
  `${tool} was not run. The reply reached its output limit inside this call, after ${characters} characters. ` +
  'Send it again in smaller pieces: a shorter file first, the rest by further edits.';
