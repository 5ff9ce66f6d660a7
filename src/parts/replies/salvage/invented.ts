/** Results of tools that a model wrote itself: what follows them rests on nothing that happened. */

const invented = /^[ \t]*<\|?(?:tool_response|tool_result|tool_output|function_results?|function_response)s?\|?>/m;
const closed = /<\/(?:tool_response|tool_result|tool_output|function_results?|function_response)s?>/;

/** The text up to the first such result outside of code. */
export function cutInvented(text: string): { readonly text: string; readonly isInvented: boolean } {
  const match = invented.exec(text);
  if (!match || !closed.test(text.slice(match.index))) return { text, isInvented: false };
  const fences = text.slice(0, match.index).match(/^[ \t]{0,3}(?:```|~~~)/gm)?.length ?? 0;
  if (fences % 2 === 1) return { text, isInvented: false };
  return { text: text.slice(0, match.index).trimEnd(), isInvented: true };
}
