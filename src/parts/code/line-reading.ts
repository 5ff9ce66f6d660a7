/** A command line that has run, read: its commands with their own statuses, its checks with their outcomes. */
import { join } from 'node:path';
import { changesFiles } from './checks/changes.ts';
import type { CheckKind, Recognised } from './checks/kinds.ts';
import { type Outcome, type Verdict, verdictOf } from './checks/outcome.ts';
import { recognise, type Scripts } from './checks/recognise.ts';
import { scriptRunners } from './checks/table.ts';
import type { Counts } from './checks/words.ts';
import { baseName, unwrapped } from './checks/wrappers.ts';
import type { ParseLine } from './shell-line/parse.ts';
import type { Line, Simple } from './shell-line/tree.ts';
import type { CommandStatus, Mask, Seen, Status } from './status/outcome.ts';
import { statusesOf } from './status/status.ts';

export interface ReadCommand {
  /** As written, cut. */
  readonly command: string;
  /** A number is an exit code. */
  readonly status: number | 'failed' | 'not run' | 'unknown';
  /** What keeps an unknown status from being known. */
  readonly mask?: Mask;
  /** It is sure to be meant to change files. */
  readonly changes?: true;
}

export interface ReadCheck {
  readonly command: string;
  readonly kind: CheckKind;
  /** Whose words its output speaks. */
  readonly family?: string;
  readonly outcome: Outcome;
  readonly by: Verdict['by'];
  readonly status: ReadCommand['status'];
  readonly mask?: Mask;
  readonly counts?: Counts;
  /** A later command of the same line changed files. */
  readonly isStale?: true;
}

export interface LineReading {
  readonly commands: readonly ReadCommand[];
  readonly checks: readonly ReadCheck[];
  /** The line changed files, or is sure to have been meant to. */
  readonly changes: boolean;
  /** Some of it could not be read. */
  readonly isPartial: boolean;
}

export interface ReadOptions {
  readonly parse: ParseLine;
  /** The scripts of the package.json in this folder, relative to where the line began. */
  scriptsIn(directory: string): Scripts;
}

/** Of a longer line the rest is not recorded. */
const commandsAtMost = 30;
const lettersAtMost = 200;

export async function readLine(source: string, seen: Seen, options: ReadOptions): Promise<LineReading> {
  const line = await options.parse(source);
  const found = await opened(line, seen, options);
  const scripts = scriptsFor(found, options);
  const recognised = found.map(({ command }) => recognise(valuesOf(command), scripts));
  const families = recognised.flatMap((check) => (check ? [check.family] : []));
  const changes = found.map(({ command, status }) => status.is !== 'not run' && changesFiles(command));
  const lastChange = changes.lastIndexOf(true);
  const checks = found.flatMap((one, index): ReadCheck[] => {
    const check = recognised[index];
    if (!check) return [];
    const isAlone = families.length === 1 || (check.family !== undefined && !hasTwice(families, check.family));
    const verdict = verdictOf(check, one.status, { seen: one.seen, isAlone, text: one.text });
    return [{ ...checkOf(one, check, verdict), ...(lastChange > index ? { isStale: true as const } : {}) }];
  });
  return {
    commands: found.slice(0, commandsAtMost).map((one, index) => ({
      command: one.text,
      ...shownStatus(one.status),
      ...(changes[index] ? { changes: true as const } : {}),
    })),
    checks: checks.slice(0, commandsAtMost),
    changes: lastChange >= 0 || (line.hasErrors && mayChange(source)),
    isPartial: line.hasErrors || found.length > commandsAtMost,
  };
}

const hasTwice = (families: readonly (string | undefined)[], family: string): boolean =>
  families.filter((other) => other === family || other === undefined).length > 1;

interface Found extends CommandStatus {
  readonly text: string;
  readonly seen: Seen;
}

/** With `sh -c '...'` opened: its line stands in its place. */
async function opened(line: Line, seen: Seen, options: ReadOptions): Promise<Found[]> {
  const found: Found[] = [];
  for (const { command, status } of statusesOf(line, seen)) {
    const script = innerLine(command);
    const own: Found = {
      command,
      status,
      seen,
      text: shortened(line.source.slice(command.span.start, command.span.end)),
    };
    if (script === undefined) found.push(own);
    else {
      const exitCode = status.is === 'exit' ? status.code : undefined;
      const inner = await options.parse(script);
      const innerSeen = { ...seen, exitCode, pipeStatus: undefined };
      found.push(
        ...statusesOf(inner, innerSeen).map((one) => ({
          ...one,
          status: outer(one.status, status),
          seen,
          text: shortened(script.slice(one.command.span.start, one.command.span.end)),
        })),
      );
    }
  }
  return found;
}

/** What is unknown inside is unknown for the reason outside. */
function outer(inner: Status, around: Status): Status {
  if (around.is === 'not run') return around;
  return inner.is === 'unknown' && around.is === 'unknown' && inner.mask.kind === 'not ended' ? around : inner;
}

function innerLine({ words }: Simple): string | undefined {
  const inner = unwrapped(words.map(({ value }) => value));
  if (!/^(?:ba|z|da)?sh$/.test(baseName(inner[0]) ?? '')) return undefined;
  const flag = inner.findIndex((word) => word !== undefined && /^-[a-z]*c$/.test(word));
  return flag > 0 ? inner[flag + 1] : undefined;
}

const valuesOf = ({ words }: Simple) => words.map(({ value }) => value);

function scriptsFor(found: readonly Found[], { scriptsIn }: ReadOptions): Scripts {
  const programs = found.map(({ command }) => unwrapped(valuesOf(command)));
  if (!programs.some(([program]) => scriptRunners.has(program ?? ''))) return {};
  const folders = programs.flatMap(([program, folder]) => (program === 'cd' && folder !== undefined ? [folder] : []));
  return scriptsIn(folders.reduce((path, folder) => (folder.startsWith('/') ? folder : join(path, folder)), '.'));
}

function checkOf({ text, status }: Found, check: Recognised, { outcome, by, counts }: Verdict): ReadCheck {
  return {
    command: text,
    kind: check.kind,
    ...(check.family === undefined ? {} : { family: check.family }),
    outcome,
    by,
    ...shownStatus(status),
    ...(counts === undefined || Object.keys(counts).length === 0 ? {} : { counts }),
  };
}

function shownStatus(status: Status): Pick<ReadCommand, 'status' | 'mask'> {
  if (status.is === 'exit') return { status: status.code };
  return status.is === 'unknown' ? { status: 'unknown', mask: status.mask } : { status: status.is };
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > lettersAtMost ? `${line.slice(0, lettersAtMost - 1).toWellFormed()}…` : line;
}

/** In a line that could not be read. */
const mayChange = (source: string): boolean =>
  /(?:^|[^0-9&>=-])>{1,2}\s*[\w./"'$]|\b(?:sed|perl) -\S*i|\b(?:rm|mv|cp|tee|git) /.test(source);
