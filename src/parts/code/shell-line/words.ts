/** What a word is when the shell has taken its quotes off, where that can be said without running it. */
import type { SyntaxNode } from './syntax.ts';

/** Undefined where the shell would expand something. */
export function literalOf(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'command_name':
    case 'concatenation':
      return joined(node.children.map(literalOf));
    case 'word':
    case 'number':
    case 'file_descriptor':
    case 'variable_name':
    case 'extglob_pattern':
    case 'regex':
      return bare(node.text);
    case 'raw_string':
      return node.text.slice(1, -1);
    case 'string':
      return inQuotes(node);
    case 'test_operator':
      return node.text;
    default:
      return node.isNamed ? undefined : bare(node.text);
  }
}

const joined = (parts: readonly (string | undefined)[]): string | undefined =>
  parts.some((part) => part === undefined) ? undefined : parts.join('');

function bare(text: string): string | undefined {
  if (/^~|(?<!\\)[*?[\]{}$`]/.test(text)) return undefined;
  return text.replace(/\\(\n|[\s\S])/g, (_, letter: string) => (letter === '\n' ? '' : letter));
}

/** Blanks at the edges belong to no child, so the text between the quotes counts. */
function inQuotes({ text, children }: SyntaxNode): string | undefined {
  const isLiteral = children.every(({ type }) => type === '"' || type === 'string_content');
  return isLiteral
    ? text.slice(1, -1).replace(/\\([$`"\\]|\n)/g, (_, letter: string) => (letter === '\n' ? '' : letter))
    : undefined;
}
