/** Where Smew keeps things. */
import { isAbsolute, join } from 'node:path';

/** Absolute paths; none of them need exist. */
export interface DataDirs {
  /** Sessions and whatever else cannot be made again. */
  readonly data: string;
  /** `config.yaml` and what the user writes. */
  readonly config: string;
  /** What can be deleted at any time. */
  readonly cache: string;
}

/**
 * `SMEW_HOME` moves everything into one directory; otherwise the XDG variables, otherwise their defaults under `home`.
 * A relative path in a variable counts as unset, as the XDG specification demands: it would move with the working directory.
 */
export function dataDirs(env: Readonly<Record<string, string | undefined>>, home: string): DataDirs {
  const own = absolute(env['SMEW_HOME']);
  if (own !== undefined) return { data: join(own, 'data'), config: own, cache: join(own, 'cache') };
  const under = (name: string, ...fallback: string[]) => join(absolute(env[name]) ?? join(home, ...fallback), 'smew');
  return {
    data: under('XDG_DATA_HOME', '.local', 'share'),
    config: under('XDG_CONFIG_HOME', '.config'),
    cache: under('XDG_CACHE_HOME', '.cache'),
  };
}

const absolute = (path: string | undefined): string | undefined => (path && isAbsolute(path) ? path : undefined);
