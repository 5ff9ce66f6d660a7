/** `smew debug reply`: recorded replies on standard input, one JSON line each; what a run would make of them on standard output. */
import { createInterface } from 'node:readline';
import { readCase } from '../../session/debug/case.ts';
import { explainReply } from '../../session/debug/reply.ts';
import { type CommandIo, print } from '../command-io.ts';

/** Exit code 2 where a line could not be read; the others are answered all the same. */
export async function runDebugReply(io: CommandIo): Promise<number> {
  let code = 0;
  for await (const line of createInterface({ input: io.terminal.in, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const answer = await answerTo(line);
    if ('error' in answer) code = 2;
    code = Math.max(code, await print(JSON.stringify(answer), io));
  }
  return code;
}

async function answerTo(line: string): Promise<object> {
  const read = readCase(line);
  if (!read.ok) return { error: `The line ${read.fault}` };
  const explained = await explainReply(read.value);
  return explained.ok ? explained.value : { id: read.value.id, error: explained.fault };
}
