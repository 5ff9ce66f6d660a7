/** Puts `|`, `&&`, `||`, `!` and redirections back in order: the grammar hangs a redirection on all that stands before it. */
import type { SyntaxNode } from './syntax.ts';
import type { Node, Span } from './tree.ts';

export type Operator = '|' | '|&' | '&&' | '||';

/** One command with what belongs to it, before its conversion. */
export interface Operand {
  /** Undefined for redirections without a command. */
  readonly node: SyntaxNode | undefined;
  readonly redirects: readonly SyntaxNode[];
  readonly isNegated: boolean;
}

export interface Flat {
  readonly operands: readonly Operand[];
  /** One fewer than operands. */
  readonly operators: readonly Operator[];
}

const isOperator = (type: string): type is Operator => type === '|' || type === '|&' || type === '&&' || type === '||';

/** Undefined where it is nested deeper than `levels`. */
export function flatten(node: SyntaxNode, levels: number): Flat | undefined {
  if (levels <= 0) return undefined;
  switch (node.type) {
    case 'list':
    case 'pipeline':
      return flattenChain(node, levels);
    case 'negated_command': {
      const inner = node.children.find(({ type }) => type !== '!');
      const flat = inner && flatten(inner, levels - 1);
      const [first, ...rest] = flat?.operands ?? [];
      if (!flat || !first) return undefined;
      return { ...flat, operands: [{ ...first, isNegated: !first.isNegated }, ...rest] };
    }
    case 'redirected_statement': {
      const redirects = node.children.filter(({ type }) => type.endsWith('_redirect'));
      const body = node.children.find(({ type }) => !type.endsWith('_redirect'));
      if (!body) return { operands: [{ node: undefined, redirects, isNegated: false }], operators: [] };
      const flat = flatten(body, levels - 1);
      const last = flat?.operands.at(-1);
      if (!flat || !last) return undefined;
      const redirected = { ...last, redirects: [...last.redirects, ...redirects] };
      return { ...flat, operands: [...flat.operands.slice(0, -1), redirected] };
    }
    default:
      return { operands: [{ node, redirects: [], isNegated: false }], operators: [] };
  }
}

function flattenChain(node: SyntaxNode, levels: number): Flat | undefined {
  const operands: Operand[] = [];
  const operators: Operator[] = [];
  for (const child of node.children) {
    if (isOperator(child.type)) operators.push(child.type);
    else if (child.type !== 'comment') {
      const flat = flatten(child, levels - 1);
      if (!flat) return undefined;
      operands.push(...flat.operands);
      operators.push(...flat.operators);
    }
  }
  return operands.length === operators.length + 1 ? { operands, operators } : undefined;
}

/** Pipes bind tighter than `&&` and `||`, which have the same rank and bind to the left. */
export function regroup({ operands, operators }: Flat, convert: (operand: Operand) => Node): Node {
  let left: Node | undefined;
  let joint: '&&' | '||' = '&&';
  let stages: Node[] = [];
  let isNegated = false;
  operands.forEach((operand, index) => {
    if (stages.length === 0) isNegated = operand.isNegated;
    stages.push(convert(operand));
    const next = operators[index];
    if (next === '|' || next === '|&') return;
    const right = pipelineOf(stages, isNegated);
    left = left ? { kind: 'and-or', span: around(left, right), left, operator: joint, right } : right;
    if (next !== undefined) joint = next;
    stages = [];
  });
  return left ?? { kind: 'unknown', span: { start: 0, end: 0 }, source: '', reason: 'syntax' };
}

function pipelineOf(stages: readonly Node[], isNegated: boolean): Node {
  const [first] = stages;
  const last = stages.at(-1);
  if (first && last === first && !isNegated) return first;
  const span = first && last ? around(first, last) : { start: 0, end: 0 };
  return { kind: 'pipeline', span, stages, isNegated };
}

const around = (first: Node, last: Node): Span => ({ start: first.span.start, end: last.span.end });
