/** Lines printed by `echo` after a command (`echo "exit $?"`, `&& echo ok || echo failed`) tell which way a line went. */
import type { Seen } from './outcome.ts';
import { assumeCode, type Mark, type Path, type Value } from './path.ts';

/** The path with what its marks tell; empty where the output speaks against it. */
export function marksFit(path: Path, { output, isCut }: Seen, source: string): Path[] {
  if (output === undefined || path.marks.length === 0) return [path];
  const lines = output
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  // What runs on in the background may print behind the last line.
  const isOrdered = !/&\s*(?:\n|$)|[^&>|]&(?![&>\d])/.test(source);
  return path.marks.reduce<Path[]>(
    (paths, mark) => {
      if (mark.isLast && isOrdered) return paths.flatMap((one) => fits(one, mark, lines.slice(-1)));
      return isCut ? paths : paths.flatMap((one) => fits(one, mark, lines));
    },
    [path],
  );
}

function fits(path: Path, { parts }: Mark, lines: readonly string[]): Path[] {
  const pattern = parts
    .map((part) => (typeof part === 'string' ? escaped(part) : '(\\d{1,3})'))
    .join('')
    .trimEnd();
  const whole = new RegExp(`^${pattern}$`);
  const found = lines.filter((line) => whole.test(line));
  const [only] = found;
  const values = parts.filter((part): part is Value => typeof part !== 'string');
  if (only !== undefined && found.length === 1) {
    const codes = whole.exec(only)?.slice(1).map(Number) ?? [];
    return values.reduce<Path[]>(
      (paths, value, index) => paths.flatMap((one) => assumeCode(one, value, codes[index] ?? 0)),
      [path],
    );
  }
  // The line before it may not have been ended, so that it begins in the middle.
  return found.length > 0 || lines.some((line) => new RegExp(`${pattern}$`).test(line)) ? [path] : [];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
