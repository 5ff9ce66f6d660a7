/** `smew run`, `smew -p`, `smew "task"`: one task without a person. */
import { fstatSync } from 'node:fs';
import { attemptSync, messageOf } from '../../base/attempt.ts';
import { ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { Image } from '../../protocol/message.ts';
import { openSession } from '../../session/assemble.ts';
import { obeySlash, readSlash, type Slash } from '../../session/commands/slash.ts';
import { reportFault, runHeadless } from '../../surfaces/headless/headless.ts';
import { type CommandIo, failWith, print, type Terminal } from '../command-io.ts';
import type { RunInvocation } from '../invocation.ts';
import { canHoldInput, type FullTask, joinInput, patienceMs, readInput } from '../stdin.ts';

export async function runTask(invocation: RunInvocation, { world, terminal }: CommandIo): Promise<number> {
  const style = {
    format: invocation.format,
    verbosity: invocation.verbosity,
    hasColour: hasColour(terminal, world.env),
    isStored: invocation.isStored,
  };
  const refuse = (failed: Fault) => reportFault(failed, style, terminal);
  const task = await fullTask(invocation, terminal);
  if (!task.ok) return await refuse(task.fault);
  const slash = readSlash(task.value.task);
  if (slash) return await obey(slash, invocation, { world, terminal });
  const images = await imagesOf(invocation.images, world.cwd);
  if (!images.ok) return await refuse(images.fault);
  const session = await openSession(world, {
    overrides: invocation.setting,
    start: invocation.start,
    isStored: invocation.isStored,
    hasImages: images.value.length > 0,
    ...(invocation.name === undefined ? {} : { name: invocation.name }),
  });
  if (!session.ok) return await refuse(session.fault);
  const code = await runHeadless({
    session: session.value,
    task: task.value.task,
    images: images.value,
    notices: task.value.notices,
    style,
    io: terminal,
  });
  await session.value.close();
  return code;
}

/** `smew -c "/compact"`: a word for the session itself. Nothing is asked of a model. */
async function obey(slash: Slash, { setting, start }: RunInvocation, io: CommandIo): Promise<number> {
  if (start.from === 'new') {
    return await failWith(fault('usage', `/${slash.name} is for a session that exists: add -c or -r SESSION.`), io);
  }
  const overrides = slash.name === 'model' ? { ...setting, model: slash.model } : setting;
  const session = await openSession(io.world, { overrides, start, isStored: true });
  if (!session.ok) return await failWith(session.fault, io);
  const done = obeySlash(slash, session.value);
  await session.value.close();
  return done.ok ? await print(done.value, io) : await failWith(done.fault, io);
}

/** Colours where a person looks, unless they said no. See no-color.org. */
export const hasColour = ({ err }: Terminal, env: CommandIo['world']['env']): boolean =>
  err.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';

async function fullTask({ task, input }: RunInvocation, terminal: Terminal): Promise<Result<FullTask, Fault>> {
  if (input === 'none' || !hasInput(terminal)) return joinInput(task, undefined);
  const piped = await readInput(terminal.in, input === 'extra' ? patienceMs : undefined);
  return piped.ok ? joinInput(task, piped.value) : piped;
}

/** False also where standard input is closed. */
function hasInput({ in: input }: Terminal): boolean {
  const stats = attemptSync(() => fstatSync(input.fd ?? 0), messageOf);
  return stats.ok && canHoldInput(stats.value);
}

async function imagesOf(files: readonly string[], cwd: string): Promise<Result<Image[], Fault>> {
  if (files.length === 0) return ok([]);
  const { readImages } = await import('../images.ts');
  return await readImages(files, cwd);
}
