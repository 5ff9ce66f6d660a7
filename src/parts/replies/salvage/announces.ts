/** Whether a text ends by saying that something will be done, and then nothing was. */
import { languages, leads } from './announce-words.ts';
import { lastParagraphStart } from './paragraph.ts';

/** The last sentence when it announces an action or promises more behind its colon; undefined for a finished text. */
export function announcement(text: string): string | undefined {
  const trimmed = text.trimEnd();
  const last = lastSentenceOf(trimmed);
  if (last === '' || /[?\uff1f][*_")\s]*$/.test(last)) return undefined;
  // A text that ends in code was finished by it.
  if (/(?:```|~~~)$/.test(trimmed)) return undefined;
  if (/[:\uff1a][*_\s]*$/.test(last)) return last;
  return isAction(last) ? last : undefined;
}

/** Whether a sentence says that its speaker is about to do something. */
export function isAction(sentence: string): boolean {
  const core = withoutLeads(sentence);
  return languages.some(
    ({ announces, excuses }) => (announces.test(sentence) || announces.test(core)) && !excuses.test(sentence),
  );
}

function withoutLeads(sentence: string): string {
  let core = sentence;
  for (let count = 0; count < 6; count++) {
    const shorter = leads.reduce((text, lead) => text.replace(lead, ''), core);
    if (shorter === core) break;
    core = shorter;
  }
  return core;
}

/** Without list marks, headings and emphasis; apostrophes straight. At most 400 units are looked at. */
export function lastSentenceOf(text: string): string {
  const tail = text.slice(-1_200);
  const paragraph = tail.slice(lastParagraphStart(tail));
  const line = paragraph.slice(paragraph.lastIndexOf('\n') + 1);
  const plain = line
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\*\*|__/g, '')
    .replace(/^\s*(?:[-*+>]|#{1,6}|\d{1,3}[.)])\s+/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const sentences = plain
    .split(/(?<=[.!?\u2026][)"']?)\s+(?=[^a-z\s])|(?<=[\u3002\uff01\uff1f])/)
    .filter((part) => part.trim() !== '');
  return (sentences.at(-1) ?? '').trim().slice(0, 400);
}
