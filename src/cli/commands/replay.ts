/** `smew replay SESSION`: a recorded session through today's code. */
import { replayStored } from '../../session/replay/stored.ts';
import { type CommandIo, failWith, print, tell } from '../command-io.ts';
import type { Invocation } from '../invocation.ts';

type ReplayInvocation = Extract<Invocation, { command: 'replay' }>;

/** Exit code 0 where nothing differs, else 1. */
export async function runReplay(invocation: ReplayInvocation, io: CommandIo): Promise<number> {
  const replayed = await replayStored(io.world, invocation);
  if (!replayed.ok) return await failWith(replayed.fault, io);
  const { report, notices } = replayed.value;
  tell(notices, io);
  const { events, replayed: reached, differences } = report;
  const code = differences.length === 0 ? 0 : 1;
  if (invocation.isJson) {
    return Math.max(code, await print(JSON.stringify(report, undefined, 2), io));
  }
  const lines = differences.map(({ seq, path, recorded, replayed: now }) => {
    const where = path ? `event ${seq}, ${path}` : `event ${seq}`;
    return `${where}\n  recorded: ${recorded}\n  replayed: ${now}`;
  });
  const verdict =
    differences.length === 0
      ? `${reached} of ${events} events replayed, all the same`
      : `${differences.length} differ; ${reached} of ${events} events replayed`;
  return Math.max(code, await print([...lines, verdict].join('\n'), io));
}
