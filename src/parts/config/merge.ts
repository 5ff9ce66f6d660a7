/** Layers on top of each other: a later value wins, lists grow. */
import { isTree, type Layer, type Origin, type Path, type Tree } from './layer.ts';

export interface Merged {
  readonly value: Tree;
  /** By dotted path, for every value that some layer sets. */
  readonly origins: ReadonlyMap<string, Origin>;
}

export function mergeLayers(layers: readonly Layer[]): Merged {
  const origins = new Map<string, Origin>();
  let value: Tree = {};
  for (const layer of layers) {
    value = mergeTrees(value, layer.value);
    for (const path of leaves(layer.value, [])) {
      origins.set(path.join('.'), { layer: layer.name, place: layer.place(path) });
    }
  }
  return { value, origins };
}

function mergeTrees(below: Tree, above: Tree): Tree {
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, mergeValues(own(below, key), own(above, key))]));
}

/** A list on the command line adds to the user's own: nobody wants to say their usual rules again. */
function mergeValues(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  if (isTree(below) && isTree(above)) return mergeTrees(below, above);
  if (Array.isArray(below) && Array.isArray(above)) return [...new Set([...below, ...above])];
  return above;
}

const own = (tree: Tree, key: string): unknown => (Object.hasOwn(tree, key) ? tree[key] : undefined);

const leaves = (tree: Tree, at: Path): Path[] =>
  Object.entries(tree).flatMap(([key, value]) => (isTree(value) ? leaves(value, [...at, key]) : [[...at, key]]));
