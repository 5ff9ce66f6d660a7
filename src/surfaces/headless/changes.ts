/** Which files a run changed, and which commands checked them afterwards. */
import type { Action } from './report.ts';

export interface ChangedFile {
  readonly path: string;
  /** Lines, summed over all changes to the file. */
  readonly added: number;
  readonly removed: number;
}

export interface Ran {
  readonly command: string;
  /** Null where it is not known: a time-out, a signal, a status hidden by a pipe. */
  readonly exitCode: number | null;
  readonly durationMs?: number;
}

/** A run of a test, build, linter or type check. `empty`: it found nothing to check. */
export interface Check extends Ran {
  readonly outcome: 'passed' | 'failed' | 'empty' | 'unknown';
}

/** The change that an action made to a file, by the data of the tools that edit and write. */
export function changeOf({ outcome, data }: Action): ChangedFile | undefined {
  const { path, changes, added, removed } = data;
  if (outcome !== 'ok' || typeof path !== 'string' || changes === 0) return undefined;
  if (typeof added !== 'number' || typeof removed !== 'number') return undefined;
  return { path, added, removed };
}

/** The command that an action ran to its end, by the data of the shell tool. */
export function commandOf({ data, durationMs, denial }: Action): Ran | undefined {
  const { command, exitCode } = data;
  if (typeof command !== 'string' || denial) return undefined;
  const timed = durationMs === undefined ? {} : { durationMs };
  return { command, exitCode: typeof exitCode === 'number' ? exitCode : null, ...timed };
}

/** In the order of their first change. */
export function changedFiles(actions: Iterable<Action>): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const action of actions) {
    const change = changeOf(action);
    if (!change) continue;
    const { path } = change;
    const { added, removed } = files.get(path) ?? { added: 0, removed: 0 };
    files.set(path, { path, added: added + change.added, removed: removed + change.removed });
  }
  return [...files.values()];
}

/** The checks that ran after the last change; none where nothing was changed. A command that ran twice counts as last seen. */
export function checksAfterChange(actions: Iterable<Action>): Check[] {
  let hasChange = false;
  const checks = new Map<string, Check>();
  for (const action of actions) {
    if (changeOf(action) || action.data['changesFiles'] === true) {
      hasChange = true;
      checks.clear();
    }
    if (!hasChange || action.denial) continue;
    for (const check of checksOf(action)) checks.set(check.command, check);
  }
  return [...checks.values()];
}

const outcomes = ['passed', 'failed', 'empty', 'unknown'] as const;

/** By the data of the shell tool, which has read the line. Those that a later command of the same line made stale are left out. */
function checksOf({ data, durationMs }: Action): Check[] {
  const { checks } = data;
  if (!Array.isArray(checks)) return [];
  return checks.flatMap((check: unknown) => {
    const fields = new Map(typeof check === 'object' && check !== null ? Object.entries(check) : []);
    const command = fields.get('command');
    const status = fields.get('status');
    const outcome = outcomes.find((one) => one === fields.get('outcome'));
    if (typeof command !== 'string' || outcome === undefined || fields.get('isStale') === true) return [];
    const timed = durationMs === undefined ? {} : { durationMs };
    return [{ command, outcome, exitCode: typeof status === 'number' ? status : null, ...timed }];
  });
}
