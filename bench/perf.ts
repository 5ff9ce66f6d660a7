/**
 * What Smew costs: `npm run bench:perf [-- --runs 9 --steps 2000]`. Needs the built program and Linux. Prints a table with
 * the goals, then the same as one line of JSON; exit code 1 where a goal is missed.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { longSession } from './long-session.ts';
import { smallTask } from './small-task.ts';
import { startUp } from './start-up.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '9' }, steps: { type: 'string', default: '2000' } },
});
const inMemory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const start = await inFolder(tmpdir(), (folder) => startUp(folder, Number(values.runs) * 2));
const small = await inFolder(tmpdir(), (folder) => smallTask(folder, Number(values.runs)));
const long = await inFolder(inMemory, (folder) => longSession(folder, Number(values.steps)));

const rows = [
  { what: 'small task, wall s', measured: small.wallS, goal: 0.45 },
  { what: 'small task, CPU s', measured: small.cpuS, goal: 0.4 },
  { what: 'small task, peak PSS MB', measured: small.peakPssMb, goal: 75 },
  { what: 'first request, bytes', measured: small.firstRequestBytes, goal: 6500 },
  { what: '--version / bare runtime', measured: start.ratio, goal: 1.3 },
  { what: 'own work, step 10, ms', measured: long.stepTenMs, goal: 5 },
  { what: `own work, step ${long.steps}, ms`, measured: long.stepLastMs, goal: 5 },
  { what: `step ${long.steps} / step 10`, measured: long.ratio, goal: 1.2 },
];
for (const { what, measured, goal } of rows) {
  const shown = measured >= 100 ? measured.toFixed(0) : measured.toFixed(2);
  console.log(`${what.padEnd(28)}${shown.padStart(9)}  goal ${goal}${measured > goal ? '  MISSED' : ''}`);
}
console.log(JSON.stringify({ node: process.version, start, small, long }));
if (rows.some(({ measured, goal }) => measured > goal)) process.exitCode = 1;

async function inFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(parent, 'smew-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
