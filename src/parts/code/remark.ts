/** One line for the model where a line's exit code is not that of a check in it. */
import type { LineReading, ReadCheck } from './line-reading.ts';

/** More would drown the output. */
const remarksAtMost = 2;

/** Empty where there is nothing to say: no check, or its status is the line's. */
export function maskedRemark({ checks }: LineReading, exitCode: number | undefined): string {
  if (exitCode === undefined) return '';
  const remarks = checks.flatMap((check) => remarkOn(check, exitCode)).slice(0, remarksAtMost);
  return remarks.length === 0 ? '' : `[${remarks.join(' ')}]`;
}

function remarkOn(check: ReadCheck, exitCode: number): string[] {
  const name = `\`${shortName(check.command)}\``;
  if (typeof check.status === 'number')
    return (check.status === 0) === (exitCode === 0) || check.outcome === 'not run'
      ? []
      : [`${name} itself ended with exit code ${check.status}; the line ended with ${exitCode}.`];
  if (check.status === 'failed') return exitCode === 0 ? [`${name} itself failed; the line ended with 0.`] : [];
  if (check.status === 'not run') return [];
  if (check.outcome === 'failed')
    return exitCode === 0 ? [`${name} failed, by its output; exit code 0 is not its own.`] : [];
  if (check.outcome === 'unknown')
    return [`${whose(check, exitCode)}the status of ${name} is unknown: ${advice(check)}.`];
  return [];
}

function whose({ mask: own }: ReadCheck, exitCode: number): string {
  const mask = own?.within ?? own;
  const by = mask?.by === undefined ? '' : `\`${shortName(mask.by)}\``;
  switch (mask?.kind) {
    case 'pipe':
    case 'cut off':
    case 'after':
      return `Exit code ${exitCode} is that of ${by}; `;
    case 'or':
      return `Exit code ${exitCode} may be that of ${by} behind ||; `;
    case 'and':
      return `Exit code ${exitCode} may be that of ${by}; `;
    default:
      return '';
  }
}

function advice({ mask }: ReadCheck): string {
  switch (mask?.kind) {
    case 'pipe':
    case 'cut off':
      return mask.within ? 'run it alone, without the pipe' : 'run it without the pipe';
    case 'after':
      return 'run it alone or last';
    case 'or':
      return 'run it without ||';
    case 'background':
      return 'run it without &';
    default:
      return 'run it alone';
  }
}

const shortName = (command: string): string =>
  command.length > 60 ? `${command.slice(0, 59).toWellFormed()}…` : command;
