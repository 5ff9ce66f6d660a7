/** Where files may be: turns a path as a model writes it into one real path inside the allowed directories. */
import { accessSync, constants, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { nearestPaths } from './nearest.ts';
import { spellings } from './spelling.ts';

/** One file has one place, however its path was written. */
export interface Place {
  /** Absolute, every link followed. */
  readonly absolute: string;
  /** For the model: relative to the working directory where it lies below, else absolute. Forward slashes. */
  readonly shown: string;
}

export interface Workspace {
  readonly cwd: string;
  /** Real paths of the directories that may be read and written. */
  readonly roots: readonly string[];
  /** A file or directory that exists, inside the roots or the readable data directories. Fails with a text for the model. */
  resolveForRead(path: string): Promise<Result<Place, string>>;
  /** A file that exists, inside the roots. */
  resolveForEdit(path: string): Promise<Result<Place, string>>;
  /** A file that may not exist yet, inside the roots; missing directories above it are the writer's to make. */
  resolveForWrite(path: string): Promise<Result<Place, string>>;
  /** The canonical path as people and rules see it, without a look at what is allowed. Never fails. */
  subject(path: string): string;
  /** How a real absolute path is shown to the model. */
  show(absolute: string): string;
}

export interface WorkspaceOptions {
  /** The working directory, absolute. */
  readonly cwd: string;
  readonly roots: readonly string[];
  /** Directories of our own (kept outputs of tools) that may be read, never written. */
  readonly dataDirs?: readonly string[];
  /** What `~` stands for. */
  readonly home?: string;
}

interface Found {
  readonly absolute: string;
  readonly exists: boolean;
}

export function createWorkspace(options: WorkspaceOptions): Workspace {
  const cwd = realOrSame(options.cwd);
  const roots = options.roots.map(realOrSame);
  const readable = [...roots, ...(options.dataDirs ?? []).map(realOrSame)];
  const show = (absolute: string) => shownFrom(cwd, absolute);
  const place = (absolute: string): Place => ({ absolute, shown: show(absolute) });

  /** The first spelling that exists, else the last: what the model most likely meant. */
  const find = (path: string): Result<Found, string> => {
    if (path.trim() === '')
      return fail('The path is empty. Give a file or directory, relative to the working directory.');
    if (path.includes('\0')) return fail('The path holds a NUL character. Write it again without.');
    let last: Result<Found, string> = fail('');
    for (const spelling of spellings(path, options.home)) {
      last = follow(resolveKeepingLinks(cwd, spelling));
      if (last.ok && last.value.exists) return last;
    }
    return last;
  };

  const outside = async (path: string, absolute: string): Promise<string> => {
    const hint = didYouMean((await nearestPaths({ wanted: absolute, start: cwd })).map(show));
    const via = absolute === resolve(cwd, path) ? '' : ` (it is ${absolute})`;
    return `"${path}" is outside the workspace${via}.${hint} Allowed: ${roots.join(', ')}. The user can allow another directory with --add-dir.`;
  };

  const missing = async (path: string, absolute: string): Promise<string> => {
    const start = roots.find((root) => isInside(root, absolute)) ?? cwd;
    const near = (await nearestPaths({ wanted: absolute, start })).map(show);
    const parent = deepestExisting(dirname(absolute));
    const where = parent === dirname(absolute) ? '' : ` The directory ${show(parent)} is there, what follows is not.`;
    const advice = near.length > 0 ? didYouMean(near) : ' Nothing of a similar name was found: use list or glob.';
    return `There is no "${path}".${where}${advice}`;
  };

  const within = async (
    path: string,
    allowed: readonly string[],
    isNeeded: boolean,
  ): Promise<Result<Place, string>> => {
    const found = find(path);
    if (!found.ok) return found;
    const { absolute, exists } = found.value;
    if (!allowed.some((root) => isInside(root, absolute))) return fail(await outside(path, absolute));
    if (isNeeded && !exists) return fail(await missing(path, absolute));
    return ok(place(absolute));
  };

  return {
    cwd,
    roots,
    resolveForRead: (path) => within(path, readable, true),
    resolveForEdit: (path) => within(path, roots, true),
    resolveForWrite: (path) => within(path, roots, false),
    subject: (path) => {
      const found = find(path);
      return found.ok ? show(found.value.absolute) : path;
    },
    show,
  };
}

/** Why a file or directory that is there cannot be searched; undefined where it can. */
export function unreadable({ absolute, shown }: Place): string | undefined {
  const access = attemptSync(() => accessSync(absolute, constants.R_OK), codeOf);
  return access.ok ? undefined : `${shown} cannot be searched: permission denied by the system.`;
}

/** True when `path` is `root` or lies below it. Both absolute and real. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

const didYouMean = (near: readonly string[]): string => (near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '');

function shownFrom(cwd: string, absolute: string): string {
  if (!isInside(cwd, absolute)) return absolute;
  return relative(cwd, absolute) || '.';
}

/** Joins without folding `..`: after a link, `..` is the target's parent, which only the file system knows. */
const resolveKeepingLinks = (cwd: string, path: string): string => (isAbsolute(path) ? path : `${cwd}/${path}`);

const realOrSame = (path: string): string => {
  const real = attemptSync(() => realpathSync.native(path), codeOf);
  return real.ok ? real.value : resolve(path);
};

function deepestExisting(path: string): string {
  let current = path;
  while (current !== dirname(current) && !attemptSync(() => lstatSync(current), codeOf).ok) current = dirname(current);
  return current;
}

const linksAtMost = 40;

/** Follows every link of the part that exists, links to nothing included, and appends the part that does not. */
function follow(path: string): Result<Found, string> {
  let current = path;
  let rest: string[] = [];
  for (let links = 0; links <= linksAtMost; ) {
    const real = attemptSync(
      () => realpathSync.native(current),
      (cause) => cause,
    );
    if (real.ok && !rest.includes('..'))
      return ok({ absolute: resolve(real.value, ...rest), exists: rest.length === 0 });
    if (real.ok) {
      // `missing/..` folds away, and what is left may be a link again.
      current = resolve(real.value, ...rest);
      rest = [];
      links++;
      continue;
    }
    if (codeOf(real.fault) !== 'ENOENT') return fail(whyNot(path, real.fault));
    const link = attemptSync(() => readlinkSync(current), codeOf);
    if (link.ok) {
      current = resolveKeepingLinks(dirname(current), link.value);
      links++;
    } else {
      rest = [basename(current), ...rest];
      current = dirname(current);
    }
  }
  return fail(`"${path}" runs in a circle of symbolic links. Look at it with: ls -l`);
}

function whyNot(path: string, cause: unknown): string {
  switch (codeOf(cause)) {
    case 'ELOOP':
      return `"${path}" runs in a circle of symbolic links. Look at it with: ls -l`;
    case 'ENOTDIR':
      return `"${path}" goes through something that is a file, not a directory.`;
    case 'EACCES':
    case 'EPERM':
      return `"${path}" cannot be reached: permission denied by the system.`;
    case 'ENAMETOOLONG':
      return `The path is too long for the file system (${path.length} characters).`;
    default:
      return `"${path}" cannot be reached: ${messageOf(cause)}.`;
  }
}
