/** Starts the command line. The third door at which a bug is caught. */
import { homedir } from 'node:os';
import { attemptSync, messageOf } from './base/attempt.ts';
import { runProgram } from './cli/program.ts';
import { version } from './version.ts';

const startedIn = attemptSync(() => process.cwd(), messageOf);
const world = {
  env: process.env,
  home: homedir(),
  cwd: startedIn.ok ? startedIn.value : undefined,
  platform: process.platform,
  version,
  clock: { now: () => Date.now() },
  random: () => Math.random(),
};
const terminal = { in: process.stdin, out: process.stdout, err: process.stderr, signals: process };

try {
  process.exitCode = await runProgram(process.argv.slice(2), { world, terminal });
} catch (cause) {
  const details = process.env['SMEW_DEBUG'] && cause instanceof Error ? `\n${cause.stack}` : '';
  process.stderr.write(`smew: a bug in Smew: ${messageOf(cause)} (SMEW_DEBUG=1 shows where)${details}\n`);
  process.exitCode = 1;
}
