/** Which files a run changed, and which commands checked them afterwards. */
import type { Action } from './report.ts';

export interface ChangedFile {
  readonly path: string;
  /** Lines, summed over all changes to the file. */
  readonly added: number;
  readonly removed: number;
}

export interface Check {
  readonly command: string;
  /** Null where the command ended without one (time-out, signal). */
  readonly exitCode: number | null;
  readonly durationMs?: number;
}

/** The change that an action made to a file, by the data of the tools that edit and write. */
export function changeOf({ outcome, data }: Action): ChangedFile | undefined {
  const { path, changes, added, removed } = data;
  if (outcome !== 'ok' || typeof path !== 'string' || changes === 0) return undefined;
  if (typeof added !== 'number' || typeof removed !== 'number') return undefined;
  return { path, added, removed };
}

/** The command that an action ran to its end, by the data of the shell tool. */
export function commandOf({ data, durationMs, denial }: Action): Check | undefined {
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
    if (changeOf(action)) {
      hasChange = true;
      checks.clear();
    }
    const ran = hasChange ? commandOf(action) : undefined;
    if (ran && isCheck(ran.command)) checks.set(ran.command, ran);
  }
  return [...checks.values()];
}

/** What may stand before the program: `npx`, `uv run`, variables. */
const runners =
  /^(?:(?:[A-Za-z_]\w*=\S*|sudo|time|env|command|npx|bunx|pnpx|(?:pnpm|yarn|npm) exec(?: --)?|(?:uv|poetry|pipenv|pdm|bundle|hatch) (?:run|exec)|timeout \S+)\s+)+/;

/** Program and first word of a command that tests, builds, checks types or lints. */
const checks = [
  /^(?:\S*\/)?(?:vitest|jest|mocha|ava|tap|tsc|eslint|biome|oxlint|pytest|tox|nox|ruff|mypy|pyright|flake8|pylint|rspec|rubocop|phpunit|phpstan|ctest|shellcheck|golangci-lint|staticcheck)\b/,
  /^(?:npm|pnpm|yarn|bun) (?:run |run-script )?(?:\S*:)?(?:t|test|check|lint|build|typecheck|type-check|verify|ci|e2e|unit)(?::\S*)?\b/,
  /^(?:deno) (?:test|check|lint)\b/,
  /^node (?:\S+ )*(?:--test\b|--check\b|-c\b|\S*test\S*\.[cm]?[jt]s\b)/,
  /^(?:python[\d.]*|pypy3?) (?:-\S+ )*(?:-m (?:pytest|unittest|doctest|mypy|compileall|py_compile)\b|\S*test\S*\.py\b)/,
  /^cargo (?:\+\S+ )?(?:test|t|check|c|build|b|clippy|nextest)\b/,
  /^go (?:test|vet|build)\b/,
  /^(?:make|just|task|rake|ninja|bazel|mix|gradle|\.\/gradlew|mvn|\.\/mvnw|dotnet|swift|zig|cmake|stack|cabal|sbt)\b.*\b(?:test|tests|check|build|verify|lint|compile|package)\b/,
  /^(?:make|ninja)$/,
  /^(?:bash|sh|zsh) -n\b/,
  /^(?:(?:ba|z)?sh )?(?:\S*\/)?\S*(?:test|check|lint|verify)\S*\.sh\b/,
];

/** The body of a here-document is data, and so is a separator between quotes. */
const heredoc = /<<-?\s*(["']?)(\w+)\1[\s\S]*?^\s*\2$/gm;
const quoted = /"[^"]*"|'[^']*'/g;

/** Whether a command line runs a test, a build, a type check or a linter, in any of its commands. */
export function isCheck(commandLine: string): boolean {
  const plain = commandLine.replace(heredoc, '').replace(quoted, (text) => text.replace(/[;&|\n]/g, ' '));
  return plain.split(/&&|\|\||[;|\n]/).some((part) => {
    const command = part.trim().replace(runners, '');
    return checks.some((check) => check.test(command));
  });
}
