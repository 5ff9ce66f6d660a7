/** From the parser's nodes to the tree of our own. */
import type { HereDocument } from './here-documents.ts';
import { flatten, type Operand, regroup } from './operands.ts';
import type { SyntaxNode } from './syntax.ts';
import type { Assignment, Item, Node, Redirection, Sequence, Simple, Span, Unknown, Word } from './tree.ts';
import { literalOf } from './words.ts';

export interface Reading {
  /** As it was typed; the parser's own has no bodies of here-documents. */
  readonly source: string;
  readonly documents: readonly HereDocument[];
  /** How much deeper it may go. */
  readonly levels: number;
  /** Parses a further text, for what runs inside of a here-document. */
  parse(source: string): Sequence;
  /** Told whenever something is not understood. */
  failed(): void;
}

const separators = new Set([';', '&', '\n', ';;', ';&', ';;&', 'comment']);

const spanOf = ({ startIndex, endIndex }: SyntaxNode): Span => ({ start: startIndex, end: endIndex });

/** Statements in a row, with their separators. */
export function sequenceOf(nodes: readonly SyntaxNode[], reading: Reading): Sequence {
  const items: Item[] = [];
  for (const node of nodes) {
    const last = items.at(-1);
    if (node.type === '&' && last) items[items.length - 1] = { ...last, isBackground: true };
    else if (!separators.has(node.type)) items.push({ node: statementOf(node, reading), isBackground: false });
  }
  const first = nodes[0];
  const end = nodes.at(-1);
  return { kind: 'sequence', span: { start: first?.startIndex ?? 0, end: end?.endIndex ?? 0 }, items };
}

function statementOf(node: SyntaxNode, reading: Reading): Node {
  if (reading.levels <= 0) return unknown(node, reading, 'depth');
  const flat = flatten(node, reading.levels);
  if (!flat) return unknown(node, reading, 'depth');
  return regroup(flat, (operand) => operandOf(operand, { ...reading, levels: reading.levels - 1 }));
}

function unknown(node: SyntaxNode, { failed, source }: Reading, reason: Unknown['reason']): Unknown {
  failed();
  const span = spanOf(node);
  return { kind: 'unknown', span, source: source.slice(span.start, span.end), reason };
}

function operandOf({ node, redirects }: Operand, reading: Reading): Node {
  const redirections = redirects.map((redirect) => redirectionOf(redirect, reading));
  if (!node) {
    const span = redirections[0]?.span ?? { start: 0, end: 0 };
    return { kind: 'simple', span, words: [], assignments: [], redirections };
  }
  const converted = commandOf(node, reading);
  if (redirections.length === 0) return converted;
  if (!('redirections' in converted))
    return { kind: 'group', span: converted.span, body: oneItem(converted), redirections };
  return { ...converted, redirections: [...converted.redirections, ...redirections] };
}

const oneItem = (node: Node): Sequence => ({
  kind: 'sequence',
  span: node.span,
  items: [{ node, isBackground: false }],
});

function commandOf(node: SyntaxNode, reading: Reading): Node {
  const span = spanOf(node);
  switch (node.type) {
    case 'command':
    case 'variable_assignment':
    case 'variable_assignments':
    case 'declaration_command':
    case 'unset_command':
    case 'test_command':
      return simpleOf(node, reading);
    case 'subshell':
    case 'compound_statement':
      if (node.children[0]?.type === '((') return simpleOf(node, reading);
      return {
        kind: node.type === 'subshell' ? 'subshell' : 'group',
        span,
        body: inside(node, reading),
        redirections: [],
      };
    case 'if_statement':
      return ifOf(node, reading);
    case 'for_statement':
    case 'c_style_for_statement':
    case 'while_statement':
      return loopOf(node, reading);
    case 'case_statement':
      return caseOf(node, reading);
    case 'function_definition': {
      const body = node.children.filter(({ type }) => type === 'compound_statement' || type === 'subshell');
      const name = node.children.find(({ type }) => type === 'word')?.text ?? '';
      return { kind: 'function', span, name, body: sequenceOf(body, reading) };
    }
    case 'list':
    case 'pipeline':
    case 'redirected_statement':
    case 'negated_command':
      return statementOf(node, reading);
    default:
      return unknown(node, reading, 'syntax');
  }
}

const brackets = new Set(['(', ')', '{', '}', 'do', 'done']);

/** What stands between brackets; a bracket that the parser had to invent is told. */
function inside({ children }: SyntaxNode, reading: Reading): Sequence {
  if (children.some(({ isMissing }) => isMissing)) reading.failed();
  return sequenceOf(
    children.filter(({ type }) => !brackets.has(type)),
    reading,
  );
}

function ifOf(node: SyntaxNode, reading: Reading): Node {
  const parts = node.children.filter(({ type }) => type !== 'if' && type !== 'elif' && type !== 'fi');
  const then = parts.findIndex(({ type }) => type === 'then');
  const branches = parts.slice(then + 1);
  const firstElse = branches.findIndex(({ type }) => type === 'elif_clause' || type === 'else_clause');
  const body = firstElse < 0 ? branches : branches.slice(0, firstElse);
  const others = firstElse < 0 ? [] : branches.slice(firstElse);
  if (node.children.some(({ isMissing }) => isMissing)) reading.failed();
  return {
    kind: 'if',
    span: spanOf(node),
    condition: sequenceOf(parts.slice(0, Math.max(0, then)), reading),
    body: sequenceOf(body, reading),
    otherwise: otherwiseOf(others, reading),
    redirections: [],
  };
}

function otherwiseOf(clauses: readonly SyntaxNode[], reading: Reading): Sequence | undefined {
  const [first, ...rest] = clauses;
  if (!first) return undefined;
  if (first.type === 'else_clause')
    return sequenceOf(
      first.children.filter(({ type }) => type !== 'else'),
      reading,
    );
  if (reading.levels <= 0) return oneItem(unknown(first, reading, 'depth'));
  const deeper = { ...reading, levels: reading.levels - 1 };
  const nested = ifOf(first, deeper);
  const otherwise = otherwiseOf(rest, deeper);
  return oneItem(nested.kind === 'if' && otherwise ? { ...nested, otherwise } : nested);
}

const loopWords = new Set(['for', 'select', 'in', 'while', 'until', ';', '\n', '((', '))', 'variable_name']);

function loopOf(node: SyntaxNode, reading: Reading): Node {
  const body = node.children.find(({ type }) => type === 'do_group' || type === 'compound_statement');
  const head = node.children.filter((child) => child !== body && !loopWords.has(child.type));
  const isWhile = node.type === 'while_statement';
  return {
    kind: 'loop',
    span: spanOf(node),
    condition: isWhile ? sequenceOf(head, reading) : undefined,
    words: isWhile ? [] : head.map((word) => wordOf(word, reading)),
    body: body ? inside(body, reading) : sequenceOf([], reading),
    redirections: [],
  };
}

function caseOf(node: SyntaxNode, reading: Reading): Node {
  const items = node.children.filter(({ type }) => type === 'case_item');
  const words = node.children.filter(
    ({ type }) => type !== 'case_item' && !['case', 'in', 'esac', '\n', ';'].includes(type),
  );
  const branches = items.map(({ children }) => {
    const closing = children.findIndex(({ type }) => type === ')');
    return sequenceOf(children.slice(closing + 1), reading);
  });
  return {
    kind: 'case',
    span: spanOf(node),
    words: words.map((word) => wordOf(word, reading)),
    branches,
    redirections: [],
  };
}

function simpleOf(node: SyntaxNode, reading: Reading): Simple {
  const isAssignment = node.type === 'variable_assignment';
  const children = isAssignment ? [node] : node.children;
  const isWords = node.type === 'declaration_command' || node.type === 'command' || node.type === 'unset_command';
  if (node.type === 'test_command' || node.type === 'compound_statement') return testOf(node, reading);
  const redirects = children.filter(({ type }) => type.endsWith('_redirect'));
  const assignments = children.filter(({ type }) => type === 'variable_assignment');
  const words = isWords ? children.filter((child) => !redirects.includes(child) && !assignments.includes(child)) : [];
  if (node.children.some(({ isMissing, type, children: [only] }) => isMissing || type === 'ERROR' || only?.isMissing))
    reading.failed();
  if (reserved.test(words[0]?.text ?? '')) reading.failed();
  return {
    kind: 'simple',
    span: spanOf(node),
    words: words.map((word) => wordOf(word, reading)),
    assignments: assignments.map((assignment) => assignmentOf(assignment, reading)),
    redirections: redirects.map((redirect) => redirectionOf(redirect, reading)),
  };
}

/** Where the grammar takes one of these for a program, it has lost its way. */
const reserved = /^(?:[{}!]|if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select)$/;

/** `[ ... ]`, `[[ ... ]]`, `(( ... ))`: the opening bracket is the name. */
function testOf(node: SyntaxNode, reading: Reading): Simple {
  const span = spanOf(node);
  const name = node.children[0]?.type ?? '[';
  const start = { start: span.start, end: span.start + name.length };
  const opening: Word = { span: start, source: name, value: name, substitutions: [] };
  const rest = { ...wordOf(node, reading), value: undefined };
  return { kind: 'simple', span, words: [opening, rest], assignments: [], redirections: [] };
}

function assignmentOf(node: SyntaxNode, reading: Reading): Assignment {
  const equals = node.children.findIndex(({ type }) => type === '=' || type === '+=');
  const value = node.children[equals + 1];
  return { name: node.children[0]?.text ?? '', value: value ? wordOf(value, reading) : undefined };
}

function wordOf(node: SyntaxNode, reading: Reading): Word {
  const span = spanOf(node);
  const source = reading.source.slice(span.start, span.end);
  return { span, source, value: literalOf(node), substitutions: substitutionsIn(node, reading) };
}

const substitutionTypes = new Set(['command_substitution', 'process_substitution']);
const substitutionMarks = new Set(['$(', '`', ')', '<(', '>(', '$(<']);

function substitutionsIn(node: SyntaxNode, reading: Reading): Sequence[] {
  if (node.children.length === 0) return [];
  if (reading.levels <= 0) return [oneItem(unknown(node, reading, 'depth'))];
  const deeper = { ...reading, levels: reading.levels - 1 };
  if (!substitutionTypes.has(node.type)) return node.children.flatMap((child) => substitutionsIn(child, deeper));
  if (node.children.some(({ isMissing }) => isMissing)) reading.failed();
  const statements = node.children.filter(({ type }) => !substitutionMarks.has(type) && !type.endsWith('_redirect'));
  return [sequenceOf(statements, deeper)];
}

function redirectionOf(node: SyntaxNode, reading: Reading): Redirection {
  const span = spanOf(node);
  const descriptor = node.children.find(({ type }) => type === 'file_descriptor')?.text;
  const operator = node.children.find(({ isNamed }) => !isNamed);
  const target = node.children.find(({ isNamed, type }) => isNamed && type !== 'file_descriptor');
  const document = reading.documents.find(({ at }) => at === operator?.startIndex);
  if (node.children.some(({ type }) => type === 'ERROR')) reading.failed();
  return {
    span,
    operator: document ? '<<' : (operator?.type ?? ''),
    descriptor: descriptor === undefined ? undefined : Number(descriptor),
    target: document ? bodyOf(document, reading) : target && wordOf(target, reading),
  };
}

/** What the program reads from a here-document. */
function bodyOf({ body, isQuoted }: HereDocument, { source, parse, levels }: Reading): Word {
  const text = source.slice(body.start, body.end).replace(/[^\n]*$/, '');
  const isLiteral = isQuoted || !/[$`\\]/.test(text);
  const runs = !isQuoted && /\$\(|`/.test(text) && levels > 0;
  const quoted = runs ? parse(`: "${text.replaceAll('"', "'")}"`) : undefined;
  const [item] = quoted?.items ?? [];
  const substitutions = item?.node.kind === 'simple' ? item.node.words.flatMap((word) => word.substitutions) : [];
  return { span: body, source: text, value: isLiteral ? text : undefined, substitutions };
}

/** Reads one line below a root of the parser. */
export function readRoot(root: SyntaxNode, reading: Reading): Sequence {
  return sequenceOf(root.children, reading);
}
