/** Lines of plain words, which are most: read without the parser. */
import type { Line, Word } from './tree.ts';

/** Letters that never mean anything to a shell, in words divided by blanks. `=` only behind the first word. */
const plainWords = /^[ \t]*[\w@%+:,./-]+(?:[ \t]+[\w@%+:,./=^-]+)*[ \t]*\n?$/;
/** Words that begin or end something; `time` and `!` belong to the pipeline. */
const reserved =
  /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|coproc|time|in|declare|typeset|export|readonly|local)$/;

/** The line's tree, or undefined where it needs the parser. Costs microseconds. */
export function parsePlain(source: string): Line | undefined {
  if (source.length > 4000 || !plainWords.test(source)) return undefined;
  const words = [...source.matchAll(/[^ \t\n]+/g)].map(({ 0: text, index }): Word => {
    return { span: { start: index, end: index + text.length }, source: text, value: text, substitutions: [] };
  });
  const first = words[0];
  const last = words.at(-1);
  if (!first || !last || reserved.test(first.source)) return undefined;
  const span = { start: first.span.start, end: last.span.end };
  const simple = { kind: 'simple' as const, span, words, assignments: [], redirections: [] };
  return {
    source,
    body: { kind: 'sequence', span, items: [{ node: simple, isBackground: false }] },
    hasErrors: false,
  };
}
