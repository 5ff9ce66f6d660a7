/** What it costs to start at all. */
import { measure, median, ownRuntime } from './process-tree.ts';
import { environment, launcher } from './program.ts';

export interface StartUp {
  readonly runs: number;
  readonly bareMs: number;
  readonly versionMs: number;
  /** The version's time as a multiple of the bare runtime's. */
  readonly ratio: number;
}

export async function startUp(folder: string, runs: number): Promise<StartUp> {
  const runtime = ownRuntime(folder);
  const env = environment(folder, 'http://127.0.0.1:9/v1');
  const timed = async (...args: string[]) => (await measure({ runtime, args, cwd: folder, env }, 'time')).wallMs;
  const bare: number[] = [];
  const version: number[] = [];
  for (let index = 0; index < runs; index++) {
    bare.push(await timed('-e', '0'));
    version.push(await timed(launcher, '--version'));
  }
  return { runs, bareMs: median(bare), versionMs: median(version), ratio: median(version) / median(bare) };
}
