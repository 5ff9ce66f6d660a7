/** Globs as models write them: which directory they start in, and what they match below it. */

export interface SplitGlob {
  /** The literal beginning, up to the first segment with a wildcard; empty, relative or absolute. */
  readonly base: string;
  /** The rest; never empty. A pattern without any slash becomes one that matches at any depth, as in ignore files. */
  readonly rest: string;
  readonly isNegated: boolean;
}

/** `isLiteral` says that a directory with this very name exists, wildcards or not: `app/[id]/page.tsx`. */
export function splitGlob(pattern: string, isLiteral: (path: string) => boolean = () => false): SplitGlob {
  const trimmed = pattern.trim();
  const isNegated = /^![^(]/.test(trimmed);
  const glob = (isNegated ? trimmed.slice(1) : trimmed).replace(/^(\.\/)+/, '');
  const segments = glob.split('/');
  let literal = 0;
  while (literal < segments.length - 1) {
    const upTo = segments.slice(0, literal + 1).join('/');
    if (hasWildcard(segments[literal] ?? '') && !isLiteral(upTo)) break;
    literal++;
  }
  const base = segments.slice(0, literal).join('/');
  const rest = segments.slice(literal).join('/') || '**';
  return {
    base: base === '' && literal > 0 ? '/' : base,
    rest: segments.length === 1 ? `**/${rest}` : rest,
    isNegated,
  };
}

const hasWildcard = (segment: string): boolean => /[*?[\]{}()!]/.test(segment);

export type PathTest = (path: string) => boolean;

export interface MatchOptions {
  readonly isNegated: boolean;
  readonly ignoresCase: boolean;
}

export async function compileGlob(rest: string, { isNegated, ignoresCase }: MatchOptions): Promise<PathTest> {
  const { default: picomatch } = await import('picomatch');
  const test = picomatch(rest, { dot: true, nocase: ignoresCase });
  return isNegated ? (path) => !test(path) : (path) => test(path);
}

/**
 * A file filter of grep as ripgrep's globs: matching at any depth, so that a filter relative to the search's path and
 * one relative to the working directory both work. `*.ts,*.tsx` counts as two.
 */
export function filterGlobs(filter: string, cwd: string): string[] {
  const parts = /[{}]/.test(filter) ? [filter] : filter.split(',');
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '!')
    .map((part) => {
      const isNegated = part.startsWith('!');
      const plain = (isNegated ? part.slice(1) : part).replace(/^(\.\/)+/, '');
      const local = plain.startsWith(`${cwd}/`) ? plain.slice(cwd.length + 1) : plain.replace(/^\/+/, '');
      return `${isNegated ? '!' : ''}${local.startsWith('**/') ? local : `**/${local}`}`;
    });
}
