/** How vendors word their refusals. Data: the first row that fits decides. */
import type { FaultKind } from '../../protocol/fault.ts';

export interface Wording {
  readonly kind: FaultKind;
  readonly pattern: RegExp;
}

export const wordings: readonly Wording[] = [
  { kind: 'overflow', pattern: /context[ _]length[ _]exceeded|maximum context length|context window/i },
  {
    kind: 'overflow',
    pattern: /longer than .{0,30}context|context length is only|resulting in a maximum input length/i,
  },
  { kind: 'overflow', pattern: /exceeds?\b.{0,60}\bcontext (?:size|length|window)|larger than the .{0,20}context/i },
  {
    kind: 'overflow',
    pattern:
      /(?:prompt|input|request) is (?:too (?:long|large)|longer than the context)|too many (?:input |prompt )?tokens/i,
  },
  { kind: 'overflow', pattern: /context[ _]?window[ _]?exceeded|(?:prompt|input) too long|maximum model length/i },
  {
    kind: 'overflow',
    pattern:
      /(?:total tokens|tokens in (?:the )?(?:prompt|request|input))\b.{0,30}(?:exceed|more than)|token limit exceeded: ?\d/i,
  },
  { kind: 'overflow', pattern: /input (?:token count|length)\b.{0,80}\bexceeds?/i },
  { kind: 'overflow', pattern: /exceeds? the (?:maximum|max|model'?s?)\b.{0,40}\btokens?\b/i },
  { kind: 'overflow', pattern: /reduce the length of the (?:messages|prompt|input|context)/i },
  { kind: 'overflow', pattern: /(?:n_keep|n_ctx|num_ctx)\b|truncat\w+ not allowed/i },
  { kind: 'overflow', pattern: /maximum prompt length|(?:prompt|input) exceeds max|input length should be \[/i },
  {
    kind: 'overflow',
    pattern: /token limit(?: of| is|:) ?\d|current length is \d+ while limit|must be <= \d+\. given:/i,
  },
  { kind: 'overflow', pattern: /exceed_context_size|context (?:limit|length).{0,20}(?:exceeded|overflow)/i },
  { kind: 'overflow', pattern: /token count.{0,30}exceeds|too large for model with \d+|keep the first \d+ tokens/i },
  { kind: 'quota', pattern: /insufficient[ _](?:quota|balance|credits?|funds)|exceeded your current quota/i },
  { kind: 'quota', pattern: /out of credits?|credit balance|requires more credits|payment required|recharge|arrears/i },
  {
    kind: 'quota',
    pattern:
      /(?:spend(?:ing)?|usage|billing|hard|monthly) limit\b.{0,30}(?:reached|exceeded|hit)|billing[ _]?(?:error|hard)/i,
  },
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
