/** The small task as a whole process: four requests on loopback, a real file, a real shell. */
import { join } from 'node:path';
import { type ScriptedServer, startScriptedServer } from '../src/parts/models/scripted/server.ts';
import type { ScriptedTurn } from '../src/parts/models/scripted/turn.ts';
import { type Cost, measure, median, ownRuntime } from './process-tree.ts';
import { environment, launcher } from './program.ts';
import { isMended, makeRepository, prompt, rightLine, wrongLine } from './task.ts';

export interface SmallTask {
  readonly runs: number;
  readonly wallS: number;
  readonly cpuS: number;
  readonly peakPssMb: number;
  readonly requests: number;
  readonly firstRequestBytes: number;
  readonly allRequestBytes: number;
}

const turns: readonly ScriptedTurn[] = [
  { text: 'First I read the file.', calls: [{ op: 'read', path: 'calc.sh' }] },
  { text: 'The operator is wrong.', calls: [{ op: 'edit', path: 'calc.sh', old: wrongLine, new: rightLine }] },
  { text: 'Now the test.', calls: [{ op: 'bash', command: 'sh ./test.sh' }] },
  { text: 'Mended: add() subtracted. The test passes now.' },
];

/** Runs it `runs` times for time and as often for memory, after one run that fills the caches. Throws where a run failed. */
export async function smallTask(folder: string, runs: number): Promise<SmallTask> {
  await once(folder, 'time');
  const timed: Cost[] = [];
  const watched: Cost[] = [];
  let server: ScriptedServer | undefined;
  for (let index = 0; index < runs; index++) {
    const run = await once(folder, 'time');
    timed.push(run.cost);
    server = run.server;
    watched.push((await once(folder, 'memory')).cost);
  }
  const bytes = server?.requests.map(({ raw }) => raw.length) ?? [];
  return {
    runs,
    wallS: median(timed.map(({ wallMs }) => wallMs)) / 1000,
    cpuS: median(timed.map(({ cpuMs }) => cpuMs)) / 1000,
    peakPssMb: median(watched.map(({ peakPssMb }) => peakPssMb)),
    requests: bytes.length,
    firstRequestBytes: bytes[0] ?? 0,
    allRequestBytes: bytes.reduce((sum, size) => sum + size, 0),
  };
}

async function once(folder: string, watches: 'time' | 'memory') {
  const repository = join(folder, 'repository');
  makeRepository(repository);
  const server = await startScriptedServer({ turns });
  const args = [launcher, 'run', prompt, '-m', 'openai/mock-model', '--permission-mode', 'bypass'];
  const cost = await measure(
    { runtime: ownRuntime(folder), args, cwd: repository, env: environment(folder, server.url) },
    watches,
  );
  await server.close();
  if (cost.exitCode !== 0 || !isMended(repository))
    throw new Error(`The small task failed with exit code ${cost.exitCode}:\n${cost.stdout}\n${cost.stderr}`);
  return { cost, server };
}
