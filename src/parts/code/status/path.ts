/** One way through a line that it may have gone, and the questions that decide between ways. */
import type { Simple } from '../shell-line/tree.ts';

/** What a status depends on. */
export type Value =
  /** The command's own. */
  | { readonly of: Simple }
  | { readonly code: number }
  /** 0 becomes 1, all else 0. */
  | { readonly not: Value }
  /** Of a pipeline under `pipefail`: of the last stage that failed. */
  | { readonly lastFailed: readonly Value[] }
  /** Anything: nothing follows from it. */
  | { readonly any: true };

/** 0, another code, `failed`, or `free` where nothing is known. */
export type Result = number | 'failed' | 'free';

export interface Path {
  /** Commands that ran, with what must be true of their statuses. */
  readonly results: ReadonlyMap<Simple, Result>;
  readonly last: Value;
  /** Of the pipeline that ran last; undefined where that is not followed. */
  readonly pipe: readonly Value[] | undefined;
  /** Variables that hold a status. */
  readonly variables: ReadonlyMap<string, Value>;
  /** Lines that must be in the output. */
  readonly marks: readonly Mark[];
  readonly hasErrexit: boolean;
  readonly hasPipefail: boolean;
  /** The shell has ended with `last`. */
  readonly isOver: boolean;
}

/** A line printed by `echo`: parts of text and statuses in turn. */
export interface Mark {
  readonly parts: readonly (string | Value)[];
  /** Nothing ran after it. */
  readonly isLast: boolean;
}

export const firstPath: Path = {
  results: new Map(),
  last: { code: 0 },
  pipe: undefined,
  variables: new Map(),
  marks: [],
  hasErrexit: false,
  hasPipefail: false,
  isOver: false,
};

export const any: Value = { any: true };

/** The paths on which the value is 0, or on which it is not; empty where that cannot be. */
export function assume(path: Path, value: Value, isZero: boolean): Path[] {
  if ('any' in value) return [path];
  if ('code' in value) return (value.code === 0) === isZero ? [path] : [];
  if ('not' in value) return assume(path, value.not, !isZero);
  if ('of' in value) return settle(path, value.of, isZero ? 0 : 'failed');
  if (isZero)
    return value.lastFailed.reduce((paths, stage) => paths.flatMap((one) => assume(one, stage, true)), [path]);
  return value.lastFailed.flatMap((_, index) => failingAt(path, value.lastFailed, { index, code: undefined }));
}

/** The paths on which the value is exactly this. */
export function assumeCode(path: Path, value: Value, code: number): Path[] {
  if ('any' in value) return [path];
  if ('code' in value) return value.code === code ? [path] : [];
  if ('not' in value) return code > 1 ? [] : assume(path, value.not, code === 1);
  if ('of' in value) return settle(path, value.of, code);
  if (code === 0) return assume(path, value, true);
  return value.lastFailed.flatMap((_, index) => failingAt(path, value.lastFailed, { index, code }));
}

interface Failing {
  readonly index: number;
  readonly code: number | undefined;
}

/** The stage at `index` failed, and none behind it. */
function failingAt(path: Path, stages: readonly Value[], { index, code }: Failing): Path[] {
  const stage = stages[index] ?? any;
  const failed = code === undefined ? assume(path, stage, false) : assumeCode(path, stage, code);
  return stages.slice(index + 1).reduce((paths, later) => paths.flatMap((one) => assume(one, later, true)), failed);
}

/** Builtins that know one way to fail. */
const failsWithOne: ReadonlySet<string | undefined> = new Set(['cd', 'pushd', 'popd']);

function settle(path: Path, command: Simple, result: number | 'failed'): Path[] {
  if (typeof result === 'number' && result > 1 && failsWithOne.has(command.words[0]?.value)) return [];
  const known = path.results.get(command) ?? 'free';
  if (known === result) return [path];
  if (known === 'free' || (known === 'failed' && result !== 0))
    return [{ ...path, results: new Map(path.results).set(command, result) }];
  return typeof known === 'number' && known !== 0 && result === 'failed' ? [path] : [];
}
