/** Goes through a line in every way that it may have gone, as far as its exit code depends on it. */
import type { Node, Sequence, Simple } from '../shell-line/tree.ts';
import { builtin, withoutLast } from './builtins.ts';
import { onlySubstitution } from './masks.ts';
import { any, assume, type Path, type Value } from './path.ts';

/** More ways than this are given up: undefined. */
const pathsAtMost = 200;

export function walk(sequence: Sequence, start: Path): Path[] | undefined {
  const ways = { areTooMany: false };
  const paths = inSequence(sequence, start, { isTested: false, ways });
  return ways.areTooMany || paths.length > pathsAtMost ? undefined : paths;
}

interface Context {
  /** A failure ends nothing here, whatever `set -e` says. */
  readonly isTested: boolean;
  /** Set once a way had to be left out. */
  readonly ways: { areTooMany: boolean };
}

/** Each path that is not over goes on; never many more than the cap. */
function onward(paths: readonly Path[], { ways }: Context, next: (path: Path) => Path[]): Path[] {
  const after: Path[] = [];
  for (const path of paths) {
    after.push(...(path.isOver ? [path] : next(path)));
    ways.areTooMany ||= after.length > pathsAtMost;
    if (ways.areTooMany) break;
  }
  return after;
}

function inSequence({ items }: Sequence, start: Path, context: Context): Path[] {
  return items.reduce<Path[]>(
    (paths, { node, isBackground }) =>
      onward(paths, context, (path) =>
        isBackground ? [{ ...withoutLast(path), last: { code: 0 }, pipe: [{ code: 0 }] }] : inNode(node, path, context),
      ),
    [start],
  );
}

function inNode(node: Node, path: Path, context: Context): Path[] {
  switch (node.kind) {
    case 'simple':
      return checked(inSimple(node, path, context), context);
    case 'pipeline':
      return inPipeline(node, path, context);
    case 'and-or': {
      const left = inNode(node.left, path, { ...context, isTested: true });
      const goesOnAt = node.operator === '&&';
      return onward(left, context, (one) => [
        ...assume(one, one.last, goesOnAt).flatMap((next) => inNode(node.right, next, context)),
        ...assume(one, one.last, !goesOnAt),
      ]);
    }
    case 'sequence':
      return inSequence(node, path, context);
    case 'group':
      return inSequence(node.body, path, context);
    case 'subshell':
      return checked(
        subshell(node.body, path, context).map((one) => ({ ...one, pipe: [one.last] })),
        context,
      );
    case 'if':
      return inIf(node, path, context);
    case 'loop':
    case 'unknown':
      return loop(path, hasExit(node));
    case 'case': {
      const none = { ...path, last: { code: 0 }, pipe: undefined };
      return [none, ...node.branches.flatMap((branch) => inSequence(branch, path, context))];
    }
    case 'function':
      return [{ ...path, last: { code: 0 } }];
    default:
      return node satisfies never;
  }
}

/** Under `set -e` a failure ends the shell. */
function checked(paths: readonly Path[], context: Context): Path[] {
  if (context.isTested) return [...paths];
  return onward(paths, context, (path) => {
    if (!path.hasErrexit) return [path];
    const failed = assume(path, path.last, false).map((one) => ({ ...one, isOver: true }));
    return [...assume(path, path.last, true), ...failed];
  });
}

function inSimple(simple: Simple, path: Path, context: Context): Path[] {
  const only = onlySubstitution(simple);
  if (only)
    return subshell(only, path, { ...context, isTested: true }).map((one) => ({
      ...one,
      marks: path.marks,
      pipe: [one.last],
    }));
  const known = builtin(path, simple);
  if (known) {
    const result = 'code' in known.last && !known.isOver ? known.last.code : 'free';
    return [{ ...known, results: new Map(path.results).set(simple, result) }];
  }
  const last: Value = { of: simple };
  const isOver = simple.words[0]?.value === 'exec';
  return [{ ...withoutLast(path), results: ran(path, simple), last, pipe: [last], isOver }];
}

const ran = (path: Path, simple: Simple) =>
  path.results.has(simple) ? path.results : new Map(path.results).set(simple, 'free' as const);

/** What changes the shell inside of it is gone afterwards. */
function subshell(sequence: Sequence, path: Path, context: Context): Path[] {
  const { hasErrexit, hasPipefail, variables } = path;
  return inSequence(sequence, path, context).map((one) => ({
    ...one,
    hasErrexit,
    hasPipefail,
    variables,
    isOver: false,
  }));
}

function inPipeline({ stages, isNegated }: Extract<Node, { kind: 'pipeline' }>, path: Path, context: Context): Path[] {
  const [only] = stages;
  if (stages.length === 1 && only) {
    const paths = inNode(only, path, { ...context, isTested: isNegated || context.isTested });
    return paths.map((one) => (one.isOver ? one : { ...one, last: { not: one.last } }));
  }
  let staged: { path: Path; values: Value[] }[] = [{ path, values: [] }];
  for (const stage of stages) {
    context.ways.areTooMany ||= staged.length > pathsAtMost;
    staged = staged.slice(0, pathsAtMost).flatMap(({ path: before, values }) =>
      subshell(oneItem(stage), { ...before, last: path.last, pipe: path.pipe }, { ...context, isTested: true }).map(
        (after) => ({
          // What a stage prints is another's input.
          path: { ...withoutLast(after), marks: withoutLast(path).marks },
          values: [...values, after.last],
        }),
      ),
    );
  }
  const done = staged.map(({ path: one, values }): Path => {
    const status = one.hasPipefail ? { lastFailed: values } : (values.at(-1) ?? any);
    return { ...one, pipe: values, last: isNegated ? { not: status } : status };
  });
  return checked(done, { ...context, isTested: isNegated || context.isTested });
}

const oneItem = (node: Node): Sequence => ({
  kind: 'sequence',
  span: node.span,
  items: [{ node, isBackground: false }],
});

function inIf(node: Extract<Node, { kind: 'if' }>, path: Path, context: Context): Path[] {
  const conditions = inSequence(node.condition, path, { ...context, isTested: true });
  return onward(conditions, context, (one) => [
    ...assume(one, one.last, true).flatMap((next) => inSequence(node.body, next, context)),
    ...assume(one, one.last, false).flatMap((next) =>
      node.otherwise ? inSequence(node.otherwise, next, context) : [{ ...next, last: { code: 0 } }],
    ),
  ]);
}

/** Not followed: it may end in any way, and end the shell where there is an `exit` in it or `set -e` before it. */
function loop(path: Path, mayExit: boolean): Path[] {
  const after: Path = { ...withoutLast(path), last: any, pipe: undefined, variables: new Map() };
  return mayExit || path.hasErrexit ? [after, { ...after, isOver: true }] : [after];
}

/** Anywhere in it, by the text: what is not understood may hold one too. */
export function hasExit(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('value' in value && value.value === 'exit') return true;
  if ('kind' in value && value.kind === 'unknown') return true;
  return Object.values(value).some(hasExit);
}
