/** The tools of a session, wired to its workspace. */
import { join } from 'node:path';
import { bashTool } from '../parts/tools/bash.ts';
import { editTool } from '../parts/tools/edit.ts';
import { globTool } from '../parts/tools/glob.ts';
import { grepTool } from '../parts/tools/grep.ts';
import { listTool } from '../parts/tools/list.ts';
import { readTool } from '../parts/tools/read.ts';
import { ripgrepFinder } from '../parts/tools/search/ripgrep.ts';
import { createSeenFiles } from '../parts/tools/seen.ts';
import { todoTool } from '../parts/tools/todo.ts';
import type { Tool } from '../parts/tools/tool.ts';
import { createWorkspace } from '../parts/tools/workspace.ts';
import { writeTool } from '../parts/tools/write.ts';
import type { Recorded } from '../protocol/event.ts';
import type { Settled } from './settings.ts';
import type { World } from './world.ts';

export interface ToolsetOptions {
  /** Where outputs go that are too long for the model. */
  readonly spillDir: string;
  /** What a resumed session has seen. */
  readonly past: readonly Recorded[];
}

/** In the order in which the model is told of them. */
export function sessionTools(world: World, settled: Settled, { spillDir, past }: ToolsetOptions): Tool[] {
  const { cwd, project, config } = settled;
  const roots = [project.root, ...config.addDirs];
  const workspace = createWorkspace({ cwd, roots, dataDirs: [spillDir], home: world.home });
  const findRipgrep = ripgrepFinder(world.env['PATH']);
  const seen = createSeenFiles(past.flatMap(({ event }) => (event.type === 'answered' ? [event.result] : [])));
  return [
    readTool({ workspace, seen }),
    listTool({ workspace }),
    globTool({ workspace, findRipgrep }),
    grepTool({ workspace, findRipgrep }),
    editTool({ workspace, seen }),
    writeTool({ workspace, seen }),
    bashTool({
      cwd,
      env: world.env,
      spillDir,
      defaultTimeoutMs: config.limits.bashSeconds * 1000,
      maxTimeoutMs: config.limits.bashMaxSeconds * 1000,
    }),
    todoTool(),
  ];
}

export const spillDirOf = (dataDir: string, sessionId: string): string => join(dataDir, 'unkept', `${sessionId}.spill`);
