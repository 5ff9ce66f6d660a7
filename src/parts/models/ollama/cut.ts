/** A prompt that fills the window to its brim is the rest of a longer one: what fits leaves room for the reply. */

/** `contextTokens` is the window that was asked for; a server that counts more has opened a larger one. */
export const fillsWindow = (contextTokens: number | undefined, tokens: number): boolean =>
  contextTokens !== undefined && tokens === contextTokens;
