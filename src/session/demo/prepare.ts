/** Gets everything for the demo ready: the repository, and a model that answers. */
import { join } from 'node:path';
import { ok, type Result } from '../../base/result.ts';
import type { Fault } from '../../protocol/fault.ts';
import { settle } from '../settings.ts';
import type { Overrides, World } from '../world.ts';
import { demoReplies } from './replies.ts';
import { makeDemoRepository } from './repository.ts';

export interface Demo {
  readonly directory: string;
  readonly task: string;
  readonly world: World;
  readonly overrides: Overrides;
  /** False: the replies come from the package and not from a model. */
  readonly hasModel: boolean;
  readonly close: () => Promise<void>;
}

/** Commands that the model may run in the scratch repository; everything else is refused. */
const allowedTools = ['bash(node test/postage.test.js)', 'bash(npm test *)', 'bash(git diff *)', 'bash(git status *)'];

export async function prepareDemo(world: World, overrides: Overrides): Promise<Result<Demo, Fault>> {
  const settled = await settle(world, overrides);
  if (!settled.ok) return settled;
  const repository = await makeDemoRepository();
  if (!repository.ok) return repository;
  const directory = repository.value;
  const common = { ...overrides, cd: directory, mode: 'accept-edits', allowedTools, isTrusted: true } as const;
  const task =
    'The test fails: run `node test/postage.test.js`, find the cause in src/postage.js, fix it and run the test again.';
  if (settled.value.config.model !== undefined) {
    return ok({ directory, task, world, overrides: common, hasModel: true, close: async () => {} });
  }
  const { startScriptedServer } = await import('../../parts/models/scripted/server.ts');
  const server = await startScriptedServer({ turns: demoReplies });
  return ok({
    directory,
    task,
    world: {
      ...world,
      // Its own home: no config of the user's can send these requests anywhere else.
      env: {
        ...world.env,
        SMEW_HOME: join(`${directory}.home`),
        OPENAI_BASE_URL: server.url,
        OPENAI_API_KEY: 'none',
        // The recorded model is in no catalogue, and nobody need hear of it.
        SMEW_UNKNOWN_WINDOW: '128000',
      },
    },
    overrides: { ...common, model: 'openai/recorded' },
    hasModel: false,
    close: () => server.close(),
  });
}
