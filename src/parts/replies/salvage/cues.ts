/** Words around a call that say it is shown and not meant: data, in the languages that models answer in most. */

import { isAction, lastSentenceOf } from './announces.ts';
import { isQuoting, presents } from './introduced.ts';
import { lastParagraphStart } from './paragraph.ts';

/** Whoever writes these is explaining. */
const strong = new RegExp(
  [
    String.raw`\b(?:examples?|for instance|looks? like(?=\s*:?\s*$)|like (?:this|so)|syntax|instead of|such as|pseudo\w*)\b|\be\.g\.`,
    String.raw`\b(?:would|could|might|can|may|should|must) (?:\w+ )?(?:emit|call|write|output|produce|look|be|print|send|use|have|respond|reply|answer|generate|return|run)\b`,
    String.raw`\byou(?:'d)? (?:can|could|would|should|may|might|need|must|have to|want|write|use|call|see|get|paste)\b|\byour\b`,
    String.raw`\b(?:do not|don't|never|must not|cannot|can't|won't|will not|not going to) (?:\w+ )?(?:run|execute|use|call|write|emit|do)\b`,
    String.raw`\b(?:use|type|emit|say|emits|says|means)\s*:?\s*$|\b(?:here(?:'s| is) (?:how|what|the (?:format|json|xml|markup|text|raw)))\b`,
    String.raw`\b(?:beispiel\w*|zum beispiel|z\. ?b\.|sieht (?:\w+ )?so aus|w\u00fcrde|k\u00f6nnte|statt|so etwas)\b`,
    String.raw`\b(?:ejemplo|se ve as\u00ed|podr\u00edas?|puedes|en lugar de|sintaxis)\b`,
    String.raw`\b(?:exemple|ressemble|pourrait|pouvez|au lieu de|syntaxe)\b|comme (?:ceci|suit)`,
    '\u4f8b\u5982|\u6bd4\u5982|\u793a\u4f8b|\u4f8b\u5b50|\u5982\u4e0b\u6240\u793a|\u683c\u5f0f|\u8bed\u6cd5|\u4f60\u53ef\u4ee5|\u60a8\u53ef\u4ee5|\u770b\u8d77\u6765',
    '\u4f8b\u3048\u3070|\u305f\u3068\u3048\u3070|\u4f8b:|\u4f8b\uff1a|\u69cb\u6587|\u5f62\u5f0f|\u306e\u3088\u3046\u306b',
  ].join('|'),
  'i',
);

/** Those who write these are mostly explaining, unless they just said that they will act. */
const weak =
  /\b(?:format(?:s|ted)?|schema|template|sample|snippet|documentation|docs|readme|markup|prompt|transcript|quoted?|emits?|emitted|leak(?:ed|s)?|wrote|tags?|tokens?|explain\w*|describe[sd]?|(?:the|a) (?:model|assistant|parser|server|harness|llm)|models|previous(?:ly)?|earlier|user|request(?:ed)?|Format|Vorlage|formato|Schema)\b/i;

const firstPerson =
  /(?:^|[\s.!?:;,(])(?:I(?:'ll|\u2019ll| will|'m| am| need| have| should| want| must)|let me|let's|now|next|first|then|okay|ok|ich|lass(?:en|t)?|jetzt|voy|d\u00e9jame|ahora|je vais|laissez|maintenant)(?:$|[\s,])|\u6211|\u8ba9\u6211|\u73b0\u5728|\u79c1|\u307e\u305a|\u6b21\u306b|\u3057\u307e\u3059/i;

/** How much before a call is read: its last paragraph, and not more of it than this. */
const nearby = 400;

/** Whether the paragraph before a call presents it as something to look at. `isPlain`: it is JSON without a mark of its own. */
export function isShown(before: string, isPlain: boolean): boolean {
  const paragraph = lastParagraph(before);
  const last = lastSentenceOf(paragraph);
  // Who has just said that he will act does so, whatever words stand around it.
  if (isAction(last) && !isQuoting(last)) return false;
  if (strong.test(paragraph) || presents(last, isPlain)) return true;
  return weak.test(paragraph) && !firstPerson.test(paragraph);
}

/** Whether what follows a call speaks about it: the sentence goes on, or calls it what it is. */
export function isSpokenOf(after: string): boolean {
  const text = after.trim();
  if (text.length > 600 || /^#{1,6} /m.test(text)) return true;
  if (/^[\p{Ll},;:)\].]/u.test(text)) return true;
  const paragraph = text.slice(0, nearby).split(/\n\s*\n/)[0] ?? '';
  const points =
    /^(?:this|that|these|those|it|the)\b[^.]{0,60}\b(?:is|are|was|shows?|means?|illustrates?|demonstrates?|represents?)\b/i;
  return strong.test(paragraph) || weak.test(paragraph) || points.test(paragraph);
}

/** Whether a question to the user stands right before a call: then the answer is not ours to give. */
export const isAsked = (before: string): boolean => /[?\uff1f]\s*$/.test(before);

function lastParagraph(before: string): string {
  const text = before.slice(-nearby - 200);
  return text.slice(lastParagraphStart(text)).trim().slice(-nearby);
}
