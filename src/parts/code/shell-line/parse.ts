/** A command line as a tree. Never throws, whatever the line; what was not understood is in the tree as unknown. */
import { attemptSync, messageOf } from '../../../base/attempt.ts';
import { type Reading, readRoot } from './convert.ts';
import type { WithSyntax } from './grammar.ts';
import { blankHereDocuments } from './here-documents.ts';
import { parsePlain } from './plain.ts';
import type { Line, Sequence, Unknown } from './tree.ts';

export type ParseLine = (source: string) => Promise<Line>;

/** Deeper nesting is told as unknown. */
const levelsAtMost = 40;
/** UTF-16 units; what is longer is no line that anybody reads. */
const lengthAtMost = 100_000;

/** The parser is loaded when the first line needs it. One for a session. */
export function lineParser(): ParseLine {
  let loading: Promise<WithSyntax | undefined> | undefined;
  const load = async () => {
    const { loadBash } = await import('./grammar.ts');
    const loaded = await loadBash();
    return loaded.ok ? loaded.value : undefined;
  };
  return async (source) => {
    const plain = parsePlain(source);
    if (plain) return plain;
    if (source.length > lengthAtMost) return unknownLine(source, 'size');
    loading ??= load();
    const withSyntax = await loading;
    return withSyntax ? parseWith(withSyntax, source) : unknownLine(source, 'parser');
  };
}

function parseWith(withSyntax: WithSyntax, source: string): Line {
  let hasErrors = false;
  const failed = () => {
    hasErrors = true;
  };
  const read = (text: string, levels: number): Sequence => {
    const blanked = blankHereDocuments(text);
    const parse = (inner: string) => read(inner, levels - 1);
    const reading: Reading = { source: text, documents: blanked.documents, levels, parse, failed };
    return withSyntax(blanked.source, (root) => readRoot(root, reading)) ?? unknownLine(text, 'parser').body;
  };
  const parsed = attemptSync(() => read(source, levelsAtMost), messageOf);
  return parsed.ok ? { source, body: parsed.value, hasErrors } : unknownLine(source, 'parser');
}

function unknownLine(source: string, reason: Unknown['reason']): Line {
  const span = { start: 0, end: source.length };
  const node: Unknown = { kind: 'unknown', span, source, reason };
  return { source, body: { kind: 'sequence', span, items: [{ node, isBackground: false }] }, hasErrors: true };
}
