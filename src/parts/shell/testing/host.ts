/** Runs one command as a session does, until it is killed: for tests of what is left behind. */
import { Shells } from '../shells.ts';

const command = process.argv[2] ?? 'true';
process.stdout.write('ready\n');
await new Shells({ env: process.env }).run({
  command,
  cwd: '/',
  limitMs: 60_000,
  signal: new AbortController().signal,
  spillPath: `/tmp/smew-test-host-${process.pid}`,
});
