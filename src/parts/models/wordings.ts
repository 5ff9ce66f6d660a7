/** How vendors word their refusals. Data: the first row that fits decides. */
import type { FaultKind } from '../../protocol/fault.ts';

export interface Wording {
  readonly kind: FaultKind;
  readonly pattern: RegExp;
}

export const wordings: readonly Wording[] = [
  { kind: 'overflow', pattern: /context[ _]length[ _]exceeded|maximum context length|context window/i },
  { kind: 'overflow', pattern: /exceeds?\b.{0,60}\bcontext (?:size|length|window)|larger than the .{0,20}context/i },
  { kind: 'overflow', pattern: /(?:prompt|input|request) is too (?:long|large)|too many (?:input |prompt )?tokens/i },
  { kind: 'overflow', pattern: /input (?:token count|length)\b.{0,80}\bexceeds?/i },
  { kind: 'overflow', pattern: /exceeds? the (?:maximum|max|model'?s?)\b.{0,40}\btokens?\b/i },
  { kind: 'overflow', pattern: /reduce the length of the (?:messages|prompt|input|context)/i },
  { kind: 'overflow', pattern: /(?:n_keep|n_ctx|num_ctx)\b|truncat\w+ not allowed/i },
  { kind: 'quota', pattern: /insufficient[ _](?:quota|balance|credits?|funds)|exceeded your current quota/i },
  { kind: 'quota', pattern: /out of credits?|credit balance|requires more credits|payment required|recharge|arrears/i },
  { kind: 'rate', pattern: /rate[ _-]?limit|too many requests|(?:tokens|requests) per (?:minute|day|second)/i },
  { kind: 'unauthorised', pattern: /(?:invalid|incorrect|missing|wrong|no)[ _](?:x-)?api[ _-]?key|api[ _-]?key not/i },
  { kind: 'unauthorised', pattern: /unauthori[sz]ed|authentication|invalid[ _](?:bearer )?token/i },
  { kind: 'not found', pattern: /model[ _]not[ _]found|(?:no such|unknown) model|not a valid model/i },
  { kind: 'not found', pattern: /model\b.{0,100}\b(?:not found|does not exist|not available|doesn't exist)/i },
  { kind: 'overloaded', pattern: /overloaded|\bbusy\b|at capacity|unavailable|upstream|timed? ?out|try again/i },
  { kind: 'overloaded', pattern: /internal (?:server )?error|server[ _]error|bad gateway/i },
];

export const wordedKind = (text: string): FaultKind | undefined =>
  wordings.find(({ pattern }) => pattern.test(text))?.kind;
