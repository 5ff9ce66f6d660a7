/** Takes ignored files out of what was found: a glob that is given to ripgrep lets in what ignore files keep out. */
import { scopeFlags } from './files.ts';
import { filterGlobs } from './patterns.ts';
import type { Query, SearchDeps } from './query.ts';
import { runRipgrep } from './ripgrep.ts';

export interface Forgotten {
  /** There are only ignored files. */
  readonly isAllIgnored: boolean;
  /** Absolute paths of ignored files with matches. */
  readonly ignored: readonly string[];
}

/** Lists the tree anew only where that can have happened and something was found. */
export async function forgetIgnored(query: Query, deps: SearchDeps, program: string): Promise<Forgotten> {
  const { filter, obeysIgnore, cwd, target } = query;
  const letsIn = filter !== undefined && filterGlobs(filter, cwd).some((glob) => !glob.startsWith('!'));
  const found = new Set(deps.hits.files().map(({ path }) => path));
  if (!letsIn || obeysIgnore === 'no' || found.size === 0) return { isAllIgnored: false, ignored: [] };
  let files = 0;
  const { end } = await runRipgrep({
    program,
    args: ['--files', '--null', ...scopeFlags('yes'), '--', target],
    cwd,
    signal: deps.signal,
    timeoutMs: deps.timeoutMs,
    separator: 0,
    onRecord: (record) => {
      files++;
      found.delete(record.toString('utf8'));
      return found.size > 0;
    },
  });
  // Of a listing that was cut short nothing can be said.
  if (end === 'timeout' || end === 'aborted') return { isAllIgnored: false, ignored: [] };
  for (const path of found) deps.hits.forget(path, 0);
  return { isAllIgnored: files === 0, ignored: [...found].sort() };
}
