/** Tokens of vocabularies where they do harm: in the arguments of a call, and as the name of one. */

const token =
  /<[|\uff5c][^<>\s|\uff5c]{1,40}[|\uff5c]?>|<(?:start_of_turn|end_of_turn|tool_call\|)>|\[\/?(?:TOOL_CALLS|INST|ARGS)\]|<\/s>/g;

/**
 * The special tokens in a call's arguments, each once and at most 5. A server may end or cut a value there: after a write,
 * what is on disk is to be compared with what was asked for, and the result says so.
 */
export function specialTokensIn(input: unknown): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown, depth: number): void => {
    if (depth > 40 || found.size >= 5) return;
    if (typeof value === 'string') for (const [match] of value.matchAll(token)) found.add(match);
    else if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) visit(member, depth + 1);
  };
  visit(input, 0);
  return [...found].slice(0, 5);
}

/** A native call whose name and arguments the server's own parser divided in the wrong place: asked for again, not streamed. */
export const isGarbled = (call: { readonly name: string; readonly arguments: string }): boolean =>
  !/[\p{L}\p{N}]/u.test(call.name) &&
  /\[(?:ARGS|TOOL_CALLS|CALL_ID)\]|<[|\uff5c]|<\/?(?:tool_call|invoke|function)\b/.test(call.arguments);
