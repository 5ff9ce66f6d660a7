/** The tools of a session, wired to its workspace. */
import { join } from 'node:path';
import { secretNames, withoutNames } from '../parts/shell/secrets.ts';
import { Shells } from '../parts/shell/shells.ts';
import { bashTool } from '../parts/tools/bash.ts';
import { editTool } from '../parts/tools/edit.ts';
import { globTool } from '../parts/tools/glob.ts';
import { grepTool } from '../parts/tools/grep.ts';
import { listTool } from '../parts/tools/list.ts';
import { readTool } from '../parts/tools/read.ts';
import { ripgrepFinder } from '../parts/tools/search/ripgrep.ts';
import { createSeenFiles } from '../parts/tools/seen.ts';
import { shellDirectory } from '../parts/tools/shell-directory.ts';
import { todoTool } from '../parts/tools/todo.ts';
import type { Tool } from '../parts/tools/tool.ts';
import { createWorkspace } from '../parts/tools/workspace.ts';
import { writeTool } from '../parts/tools/write.ts';
import type { Recorded } from '../protocol/event.ts';
import { keyVariables } from './secrets.ts';
import type { Settled } from './settings.ts';
import type { World } from './world.ts';

export interface ToolsetOptions {
  /** Where outputs go that are too long for the model. */
  readonly spillDir: string;
  /** What a resumed session has seen. */
  readonly past: readonly Recorded[];
}

export interface Toolset {
  /** In the order in which the model is told of them. */
  readonly tools: readonly Tool[];
  readonly shells: Shells;
}

export function sessionTools(world: World, settled: Settled, { spillDir, past }: ToolsetOptions): Toolset {
  const { cwd, project, config } = settled;
  const roots = [project.root, ...config.addDirs];
  const workspace = createWorkspace({ cwd, roots, dataDirs: [spillDir], home: world.home });
  const findRipgrep = ripgrepFinder(world.env['PATH']);
  const seen = createSeenFiles(past.flatMap(({ event }) => (event.type === 'answered' ? [event.result] : [])));
  const hiddenVariables = secretNames(world.env, {
    keep: config.bash.keepEnv,
    names: keyVariables(config.provider),
  });
  const shells = new Shells({ env: withoutNames(world.env, hiddenVariables), ownFolder: spillDir });
  const tools = [
    readTool({ workspace, seen }),
    listTool({ workspace }),
    globTool({ workspace, findRipgrep }),
    grepTool({ workspace, findRipgrep, home: world.home }),
    editTool({ workspace, seen }),
    writeTool({ workspace, seen }),
    bashTool({
      shells,
      directory: shellDirectory({ cwd, roots: workspace.roots, last: lastDirectory(past, cwd) }),
      platform: world.platform,
      hiddenVariables,
      spillDir,
      defaultTimeoutMs: config.limits.bashSeconds * 1000,
      maxTimeoutMs: config.limits.bashMaxSeconds * 1000,
    }),
    todoTool(),
  ];
  return { tools, shells };
}

export const spillDirOf = (dataDir: string, sessionId: string): string => join(dataDir, 'unkept', `${sessionId}.spill`);

/** Where the last command of a resumed session left the shell; undefined when the session has moved since. */
function lastDirectory(past: readonly Recorded[], cwd: string): string | undefined {
  const opened = past.findLast(({ event }) => event.type === 'opened')?.event;
  if (opened?.type !== 'opened' || opened.cwd !== cwd) return undefined;
  const last = past.findLast(
    ({ event }) => event.type === 'answered' && event.result.data?.['cwd'] !== undefined,
  )?.event;
  const directory = last?.type === 'answered' ? last.result.data?.['cwd'] : undefined;
  return typeof directory === 'string' ? directory : undefined;
}
