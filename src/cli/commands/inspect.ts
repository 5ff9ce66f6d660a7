/** What a run would be made of: context, tools, config, trust. */
import { resolve } from 'node:path';
import { fault } from '../../protocol/fault.ts';
import { setSetting } from '../../session/config-set.ts';
import {
  contextReport,
  distrustFolder,
  settingsReport,
  toolInfos,
  trustedFolders,
  trustFolder,
} from '../../session/inspect.ts';
import { type CommandIo, failWith, print, tell } from '../command-io.ts';
import type { Invocation } from '../invocation.ts';

type InspectInvocation = Extract<
  Invocation,
  { command: 'context' | 'tools list' | 'tools info' | 'config show' | 'config set' | 'config path' | 'trust' }
>;

export async function runInspect(invocation: InspectInvocation, io: CommandIo): Promise<number> {
  const { world } = io;
  switch (invocation.command) {
    case 'context':
      return await context(invocation, io);
    case 'tools list':
    case 'tools info':
      return await tools(invocation, io);
    case 'config show':
    case 'config path':
      return await config(invocation, io);
    case 'config set': {
      const written = await setSetting(world, invocation, invocation.cd);
      if (!written.ok) return await failWith(written.fault, io);
      return await print(`${invocation.path} is set in ${written.value}.`, io);
    }
    case 'trust':
      return await trust(invocation, io);
    default:
      return invocation satisfies never;
  }
}

async function trust({ cd, dir, act }: Of<'trust'>, io: CommandIo): Promise<number> {
  if (act === 'list') {
    const folders = await trustedFolders(io.world);
    if (!folders.ok) return await failWith(folders.fault, io);
    return await print(folders.value.length > 0 ? folders.value.join('\n') : 'No folder is trusted.', io);
  }
  const folder = dir === undefined ? cd : resolve(io.world.cwd, dir);
  const changed = act === 'give' ? await trustFolder(io.world, folder) : await distrustFolder(io.world, folder);
  if (!changed.ok) return await failWith(changed.fault, io);
  return await print(`${changed.value} is ${act === 'give' ? 'trusted' : 'not trusted any more'}.`, io);
}

async function context({ setting, isJson }: Of<'context'>, io: CommandIo): Promise<number> {
  const report = await contextReport(io.world, setting);
  if (!report.ok) return await failWith(report.fault, io);
  tell(report.value.notices, io);
  return await print(isJson ? json(report.value.rows) : report.value.text, io);
}

async function config(invocation: Of<'config show' | 'config path'>, io: CommandIo): Promise<number> {
  const report = await settingsReport(io.world, placeOf(invocation));
  if (!report.ok) return await failWith(report.fault, io);
  tell(report.value.notices, io);
  if (invocation.command === 'config path') return await print(report.value.files.join('\n'), io);
  return await print(invocation.isJson ? json(report.value.rows) : table(report.value.rows), io);
}

type Of<Command extends InspectInvocation['command']> = Extract<InspectInvocation, { command: Command }>;

type ToolsInvocation = Extract<InspectInvocation, { command: `tools ${string}` }>;

async function tools(invocation: ToolsInvocation, io: CommandIo): Promise<number> {
  const infos = await toolInfos(io.world, placeOf(invocation));
  if (!infos.ok) return await failWith(infos.fault, io);
  if (invocation.command === 'tools list') {
    if (invocation.isJson) return await print(json(infos.value), io);
    return await print(
      infos.value.map((tool) => `${tool.name.padEnd(8)}${tool.effect.padEnd(10)}${tool.description}`).join('\n'),
      io,
    );
  }
  const tool = infos.value.find(({ name }) => name === invocation.tool);
  if (!tool) {
    const names = infos.value.map(({ name }) => name).join(', ');
    return await failWith(fault('usage', `There is no tool "${invocation.tool}". The tools are: ${names}.`), io);
  }
  if (invocation.isJson) return await print(json(tool), io);
  return await print(`${tool.name} (${tool.effect})\n\n${tool.description}\n\n${json(tool.parameters)}`, io);
}

const placeOf = ({ cd }: { readonly cd?: string }) => (cd === undefined ? {} : { cd });

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

const table = (rows: readonly { readonly path: string; readonly value: string; readonly place: string }[]): string =>
  rows.map(({ path, value, place }) => `${path.padEnd(26)}  ${value.padEnd(26)}  ${place}`).join('\n');
