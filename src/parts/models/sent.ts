/** What of calls and results goes back to a model, in the shapes that the strictest servers take. */
import type { ToolCall, ToolResult } from '../../protocol/message.ts';
import { isObject } from './loose.ts';

/** Arguments as an object; what the model sent instead of one is shown to it inside an object. */
export const sentInput = ({ input, unreadable }: ToolCall): object =>
  unreadable === undefined && isObject(input) ? input : { unreadable: input };

/** Some servers take an empty result for a missing one. */
export const sentResult = ({ text }: ToolResult): string => text || '(no output)';

/**
 * An id or a name in the characters that OpenAI and Anthropic allow. Others are written as `_` and their code, so that two
 * stay two; what is longer than `length` characters keeps its start and gets a checksum.
 */
export function plainName(name: string, length: number): string {
  const plain = name.replace(/[^\w-]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}`) || '_';
  return plain.length <= length ? plain : `${plain.slice(0, length - 9)}_${checksum(plain)}`;
}

/** FNV-1a in eight hexadecimal digits. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
