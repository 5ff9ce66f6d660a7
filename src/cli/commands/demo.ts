/** `smew demo`: the main job on a scratch repository, with the configured model or with recorded replies. */
import { openSession } from '../../session/assemble.ts';
import { prepareDemo } from '../../session/demo/prepare.ts';
import type { Session } from '../../session/session.ts';
import { reportFault, runHeadless } from '../../surfaces/headless/headless.ts';
import { terminalText } from '../../surfaces/headless/terminal-text.ts';
import type { CommandIo, Terminal } from '../command-io.ts';
import type { Invocation } from '../invocation.ts';
import { hasColour } from './run.ts';

type DemoInvocation = Extract<Invocation, { command: 'demo' }>;

export async function runDemo(invocation: DemoInvocation, { world, terminal }: CommandIo): Promise<number> {
  const { format, verbosity, setting } = invocation;
  const style = { format, verbosity, hasColour: hasColour(terminal, world.env), isStored: false };
  const demo = await prepareDemo(world, setting);
  if (!demo.ok) return await reportFault(demo.fault, style, terminal);
  const { directory, task, hasModel } = demo.value;
  const session = await openSession(demo.value.world, {
    overrides: demo.value.overrides,
    start: { from: 'new' },
    isStored: true,
  });
  if (!session.ok) return await reportFault(session.fault, style, terminal);
  const code = await runHeadless({
    session: session.value,
    task,
    notices: [
      hasModel
        ? `Model: ${session.value.model}`
        : 'No model is configured: the replies of the model are recorded ones from the package. All else is real: the loop, the tools, the edit, the test runs.',
      `Scratch repository: ${directory}`,
      `Task: ${task}`,
    ],
    style,
    io: terminal,
  });
  await session.value.close();
  await demo.value.close();
  if (format === 'text' && code === 0) await tell(terminal, diffOf(session.value));
  return code;
}

/** The edits as the tools recorded them. */
function diffOf({ past }: Session): string {
  const diffs = past().flatMap(({ event }) => {
    const data = event.type === 'answered' ? event.result.data : undefined;
    return typeof data?.['diff'] === 'string' ? [`${data['path']}\n${data['diff']}`] : [];
  });
  return terminalText(diffs.join('\n'));
}

const tell = (terminal: Terminal, text: string): Promise<void> =>
  new Promise((resolve) => terminal.err.write(text === '' ? '' : `\n${text}\n`, () => resolve()));
