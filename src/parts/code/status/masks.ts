/** Which commands a line has, and what stands between each and the line's exit code. */
import type { Item, Node, Sequence, Simple, Word } from '../shell-line/tree.ts';
import type { Mask } from './outcome.ts';

export interface Masked {
  readonly command: Simple;
  /** Undefined for a command alone. */
  readonly mask: Mask | undefined;
  /** It runs in a place through which no path is followed: nothing can be said of its status. */
  readonly isHidden: boolean;
}

type Place = Omit<Masked, 'command'>;

/** In the order in which they are written. */
export function commandsOf(sequence: Sequence): Masked[] {
  return inSequence(sequence, { mask: undefined, isHidden: false });
}

function inSequence({ items }: Sequence, place: Place): Masked[] {
  return items.flatMap((item, index) => inNode(item.node, placeOf(item, items.slice(index + 1), place)));
}

function placeOf({ isBackground }: Item, later: readonly Item[], place: Place): Place {
  if (isBackground) return { mask: { kind: 'background' }, isHidden: true };
  const last = later.findLast(({ node }) => node.kind !== 'function');
  return last ? { ...place, mask: { kind: 'after', by: nameOf(last.node) } } : place;
}

const hidden = (kind: Mask['kind']): Place => ({ mask: { kind }, isHidden: true });

function inNode(node: Node, place: Place): Masked[] {
  switch (node.kind) {
    case 'simple':
      return [{ command: node, ...place }, ...inWords(node, place)];
    case 'pipeline':
      return node.stages.flatMap((stage, index) => {
        const last = node.stages.at(-1);
        const isLast = index === node.stages.length - 1;
        return inNode(stage, isLast || !last ? place : { ...place, mask: pipeMask(nameOf(last), place.mask) });
      });
    case 'and-or':
      return inAndOr(node, place);
    case 'sequence':
      return inSequence(node, place);
    case 'subshell':
    case 'group':
      return inSequence(node.body, place);
    case 'if': {
      const branch: Place = { ...place, mask: place.mask ?? { kind: 'branch' } };
      const condition = inSequence(node.condition, { ...place, mask: { kind: 'condition' } });
      const branches = [node.body, ...(node.otherwise ? [node.otherwise] : [])];
      return [...condition, ...branches.flatMap((body) => inSequence(body, branch))];
    }
    case 'loop':
      return [...(node.condition ? [node.condition] : []), node.body].flatMap((body) =>
        inSequence(body, hidden('loop')),
      );
    case 'case':
      return node.branches.flatMap((body) => inSequence(body, { ...place, mask: place.mask ?? { kind: 'branch' } }));
    case 'function':
      return inSequence(node.body, hidden('function'));
    case 'unknown':
      return [];
    default:
      return node satisfies never;
  }
}

const pipeMask = (by: string, around: Mask | undefined): Mask =>
  around && (around.kind === 'after' || around.kind === 'or')
    ? { kind: 'pipe', by, within: around }
    : { kind: 'pipe', by };

function inAndOr({ left, operator, right }: Extract<Node, { kind: 'and-or' }>, place: Place): Masked[] {
  const kind = operator === '&&' ? 'and' : 'or';
  const first = inNode(left, { ...place, mask: place.mask ?? { kind, by: nameOf(right) } });
  return [...first, ...inNode(right, { ...place, mask: place.mask ?? { kind: 'and', by: nameOf(left) } })];
}

/** An assignment alone takes over the status of its substitution. */
function inWords(simple: Simple, place: Place): Masked[] {
  const only = onlySubstitution(simple);
  if (only) return inSequence(only, place);
  const values = simple.assignments.flatMap(({ value }) => (value ? [value] : []));
  const targets = simple.redirections.flatMap(({ target }) => (target ? [target] : []));
  const words: Word[] = [...values, ...simple.words, ...targets];
  return words
    .flatMap(({ substitutions }) => substitutions)
    .flatMap((body) => inSequence(body, hidden('substitution')));
}

export function onlySubstitution({ words, assignments, redirections }: Simple): Sequence | undefined {
  const substitutions = assignments.flatMap(({ value }) => value?.substitutions ?? []);
  return words.length === 0 && redirections.length === 0 && substitutions.length === 1 ? substitutions[0] : undefined;
}

/** The command that gives a construct its status, as a person would name it. */
export function nameOf(node: Node): string {
  switch (node.kind) {
    case 'simple':
      return node.words[0]?.source ?? node.assignments[0]?.name ?? 'a redirection';
    case 'pipeline':
      return lastName(node.stages);
    case 'and-or':
      return nameOf(node.right);
    case 'sequence':
      return lastName(node.items.map((item) => item.node));
    case 'subshell':
    case 'group':
      return nameOf(node.body);
    case 'if':
    case 'loop':
    case 'case':
    case 'function':
      return node.kind;
    case 'unknown':
      return 'something else';
    default:
      return node satisfies never;
  }
}

function lastName(nodes: readonly Node[]): string {
  const last = nodes.at(-1);
  return last ? nameOf(last) : 'nothing';
}
