/** The ways in which models write paths: quotes, `~`, `file://`, a backslash before a space, a line number behind. */
import { fileURLToPath } from 'node:url';
import { attemptSync, messageOf } from '../../base/attempt.ts';

/**
 * The readings of a path, the most literal first: one that exists wins, so a file that truly has quotes in its name can
 * be reached. The last is what a new file would be called.
 */
export function spellings(path: string, home?: string): string[] {
  const plain = unwrap(path.trim());
  const local = fromUrl(plain);
  const slashed = slashesOf(local);
  const readings = [path, plain, local, withoutLine(slashed), slashed].map((reading) => fromHome(reading, home));
  return [...new Set(readings)].filter((reading) => reading !== '');
}

const pairs: readonly string[] = ['""', "''", '``', '<>'];

function unwrap(path: string): string {
  const isWrapped = path.length > 2 && pairs.includes(`${path[0]}${path.at(-1)}`);
  return isWrapped ? unwrap(path.slice(1, -1).trim()) : path;
}

function fromUrl(path: string): string {
  if (!/^file:\/\//i.test(path)) return path;
  const local = attemptSync(() => fileURLToPath(path), messageOf);
  return local.ok ? local.value : path.replace(/^file:\/\//i, '');
}

/** `a\ b.txt` is a shell's word for `a b.txt`; any other backslash is another system's slash. */
const slashesOf = (path: string): string => path.replace(/\\([ ()[\]'"&$])/g, '$1').replaceAll('\\', '/');

/** `a.ts:12` and `a.ts:12:5`, as compilers and grep print them. */
const withoutLine = (path: string): string => path.replace(/(:\d+){1,2}:?$/, '');

function fromHome(path: string, home: string | undefined): string {
  if (home === undefined) return path;
  return path.replace(/^(~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home);
}
