/** What a command that has run was made of and what it proves, for its result. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { attemptSync, codeOf } from '../../base/attempt.ts';
import type { ParseLine } from '../code/shell-line/parse.ts';
import type { Report } from '../shell/report.ts';

export interface Told {
  /** For the model; empty where there is nothing to say. */
  readonly remark: string;
  readonly data: Record<string, unknown>;
}

/** The parser of a session: made with its first command. */
export type Reader = (cwd: string, command: string) => (report: Report) => Promise<Told>;

/** Parses at once, so that it costs no time beside the command; judges when the command's report is there. */
export function commandReader(): Reader {
  let parser: Promise<ParseLine> | undefined;
  return (cwd, command) => {
    parser ??= import('../code/shell-line/parse.ts').then(({ lineParser }) => lineParser());
    const made = parser;
    const parsing = made.then((parse) => parse(command));
    return async (report) => {
      const [{ readLine }, { maskedRemark }] = await Promise.all([
        import('../code/line-reading.ts'),
        import('../code/remark.ts'),
      ]);
      const line = await parsing;
      const parse: ParseLine = async (source) => (source === command ? line : await (await made)(source));
      const hasEnded = report.state !== 'running' && report.stoppedBy === undefined;
      const exitCode = hasEnded ? report.exitCode : undefined;
      const seen = { exitCode, pipeStatus: report.pipeStatus, output: report.text, isCut: report.isCut };
      const { commands, checks, changes, isPartial } = await readLine(command, seen, {
        parse,
        scriptsIn: (folder) => scriptsOf(resolve(cwd, folder)),
      });
      const data = {
        commands,
        ...(checks.length === 0 ? {} : { checks }),
        ...(changes ? { changesFiles: true } : {}),
        ...(isPartial ? { isPartlyRead: true } : {}),
      };
      return { remark: maskedRemark({ commands, checks, changes, isPartial }, exitCode), data };
    };
  };
}

/** Of the package.json in this folder; none where there is none that can be read. */
function scriptsOf(folder: string): Record<string, string> {
  const read = attemptSync((): unknown => JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')), codeOf);
  if (!read.ok || typeof read.value !== 'object' || read.value === null || !('scripts' in read.value)) return {};
  const { scripts } = read.value;
  if (typeof scripts !== 'object' || scripts === null) return {};
  return Object.fromEntries(
    Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
