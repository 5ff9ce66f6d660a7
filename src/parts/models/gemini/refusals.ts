/** Failures that Gemini tells inside a good answer. */
import { isObject, listOf, loose, textOf } from '../loose.ts';

/** The service could not read what the model said. */
const unreadWords: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
]);

/** Without `alt=sse` a stream is one list of responses. */
export const responsesIn = (chunk: unknown): readonly unknown[] => (Array.isArray(chunk) ? chunk : [chunk]);

/** The response that carries an error. */
export const errorIn = (chunk: unknown): unknown =>
  responsesIn(chunk).find((response) => isObject(loose<'error'>(response).error));

type CandidateField = 'finishReason' | 'finishMessage';

/** What the model said, as far as it is quoted; undefined where it was read. */
export function unreadCall(chunk: unknown): string | undefined {
  for (const response of responsesIn(chunk)) {
    for (const candidate of listOf(loose<'candidates'>(response).candidates)) {
      const { finishReason: word, finishMessage: message } = loose<CandidateField>(candidate);
      if (unreadWords.has(textOf(word))) return textOf(message).replace(/^malformed function call:\s*/i, '');
    }
  }
  return undefined;
}
