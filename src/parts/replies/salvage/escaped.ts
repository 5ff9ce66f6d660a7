/** Markup that a template or proxy escaped for HTML: `&lt;invoke name="x"&gt;`. */

export const escapedMarkup = /&lt;(?:\w{1,20}:)?(?:invoke|function|tool_?calls?|function_calls?|\uff5cDSML\uff5c|\|)/i;

/** The text with everything from the first escaped tag of a call on unescaped once. */
export function unescapeTail(text: string): string {
  const start = text.search(escapedMarkup);
  return start < 0
    ? text
    : text.slice(0, start) +
        text.slice(start).replace(/&(lt|gt|quot|#39|apos|amp);/g, (_, name) => characters[name] ?? '');
}

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'", amp: '&' };
