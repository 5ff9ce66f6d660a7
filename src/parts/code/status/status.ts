/** The own status of each command of a line, from the line's exit code and what else was seen. Unknown means unknown. */
import type { Line, Node } from '../shell-line/tree.ts';
import { marksFit } from './marks.ts';
import { commandsOf, type Masked } from './masks.ts';
import type { CommandStatus, Seen, Status } from './outcome.ts';
import { assumeCode, firstPath, type Path, type Result } from './path.ts';
import { hasExit, walk } from './walk.ts';

/** In the order in which the commands are written. */
export function statusesOf({ body, hasErrors, source }: Line, seen: Seen): CommandStatus[] {
  const commands = commandsOf(body);
  const isClear = !hasErrors && !hasHiddenExit(body.items.map(({ node }) => node));
  const all = seen.exitCode === undefined || !isClear ? undefined : walk(body, firstPath);
  const paths = all && fitting(all, seen, source);
  return commands.map(({ mask, ...masked }) => ({
    command: masked.command,
    status: statusIn(paths, { ...masked, mask: isClear ? mask : { kind: 'unclear' } }, seen),
  }));
}

/** A function that ends the shell, or a trap at its end: the exit code may be theirs. */
const hasHiddenExit = (nodes: readonly Node[]): boolean =>
  nodes.some(
    (node) =>
      (node.kind === 'function' && hasExit(node)) || (node.kind === 'simple' && node.words[0]?.value === 'trap'),
  );

/** The ways that lead to what was seen. */
function fitting(paths: readonly Path[], seen: Seen, source: string): Path[] {
  const { exitCode = 0, pipeStatus } = seen;
  const byCode = paths.flatMap((path) => assumeCode(path, path.last, exitCode));
  const byPipe = pipeStatus ? byCode.flatMap((path) => withPipe(path, pipeStatus)) : byCode;
  const byCd = byPipe.filter((path) => !hasSilentFailure(path, seen, source));
  const byMarks = byCd.flatMap((path) => marksFit(path, seen, source));
  // A rule that leaves nothing has misread something, so it does not count.
  return [byMarks, byCd, byPipe, byCode].find((rest) => rest.length > 0) ?? [];
}

function withPipe(path: Path, codes: readonly number[]): Path[] {
  const { pipe } = path;
  if (!pipe) return [path];
  if (pipe.length !== codes.length) return [];
  return pipe.reduce<Path[]>(
    (paths, value, index) => paths.flatMap((one) => assumeCode(one, value, codes[index] ?? 0)),
    [path],
  );
}

/** `cd` says why it failed, unless it is told not to. */
function hasSilentFailure({ results }: Path, { output, isCut }: Seen, source: string): boolean {
  if (output === undefined || isCut || /2>|&>|>&/.test(source.replaceAll('2>&1', ''))) return false;
  if (/\bcd: /.test(output)) return false;
  return [...results].some(([{ words }, result]) => words[0]?.value === 'cd' && (result === 1 || result === 'failed'));
}

function statusIn(paths: readonly Path[] | undefined, { command, mask, isHidden }: Masked, seen: Seen): Status {
  const unknown: Status = {
    is: 'unknown',
    mask: mask ?? { kind: seen.exitCode === undefined ? 'not ended' : 'unclear' },
  };
  if (seen.exitCode === undefined && mask === undefined) return unknown;
  if (!paths || paths.length === 0 || isHidden) return unknown;
  const found = new Set<Result | 'not run'>(paths.map(({ results }) => results.get(command) ?? 'not run'));
  const [first, ...rest] = found;
  if (first === undefined || found.has('free')) return unknown;
  // A reader that had enough ends the writer by a signal: that says nothing of the writer.
  if (first === 141 && mask?.kind === 'pipe') return { is: 'unknown', mask: { ...mask, kind: 'cut off' } };
  if (rest.length > 0) return found.has('not run') || found.has(0) ? unknown : { is: 'failed' };
  return ownStatus(first, unknown);
}

function ownStatus(result: Result | 'not run', unknown: Status): Status {
  if (result === 'not run' || result === 'failed') return { is: result };
  return result === 'free' ? unknown : { is: 'exit', code: result };
}
