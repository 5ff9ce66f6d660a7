/** One place that settings come from. */

export type LayerName = 'default' | 'user' | 'project' | 'env' | 'flag';

/** Settings as they were read, not checked yet. */
export interface Tree {
  readonly [key: string]: unknown;
}

export type Path = readonly (string | number)[];

export interface Layer {
  readonly name: LayerName;
  readonly value: Tree;
  /** Where the value at `path` stands: `FILE, line 3`, a variable's or a flag's name. */
  place(path: Path): string;
}

/** Where a value in force comes from. */
export interface Origin {
  readonly layer: LayerName;
  readonly place: string;
}

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Without the keys that hold nothing: `limits:` with its lines commented out sets nothing. */
export function withoutEmpty(tree: Tree): Tree {
  const kept = Object.entries(tree)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => [key, isTree(value) ? withoutEmpty(value) : value] as const);
  return Object.fromEntries(kept);
}

/** Without the value at `path`. */
export function without(tree: Tree, [head, ...rest]: Path): Tree {
  if (head === undefined || !Object.hasOwn(tree, head)) return tree;
  const inner = tree[head];
  const others = Object.entries(tree).filter(([key]) => key !== String(head));
  if (rest.length === 0 || !isTree(inner)) return Object.fromEntries(others);
  return Object.fromEntries([...others, [String(head), without(inner, rest)]]);
}

/** The value at `path`, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key]; // hasOwn has just found the key
  }
  return here;
}
