/** The one list of policies, in the order in which they act. */
import type { Policy } from '../../loop/ports.ts';

export interface LineupParts {
  readonly compaction: Policy;
  readonly shellNews: Policy;
  readonly unfinished: Policy;
  readonly specialTokens: Policy;
}

/** `off` names policies that the config switches off. */
export function lineup(parts: LineupParts, off: readonly string[]): Policy[] {
  const all: readonly Policy[] = [
    // First, so that nothing is appended to a request that does not fit.
    parts.compaction,
    // Its news ride on tool results, and an end that nobody heard of holds up the finish.
    parts.shellNews,
    // Before any gate: what is no answer needs no judging.
    parts.unfinished,
    parts.specialTokens,
  ];
  return all.filter(({ id }) => !off.includes(id));
}

/** Ids in `off` that no policy has. */
export const unknownPolicies = (parts: LineupParts, off: readonly string[]): string[] => {
  const ids = Object.values(parts).map(({ id }: Policy) => id);
  return off
    .filter((id) => !ids.includes(id))
    .map((id) => `policies.off: there is no policy "${id}". There are: ${ids.join(', ')}.`);
};
