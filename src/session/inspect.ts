/** What a session would be made of: its tools and its first request, without a model and without a journal. */

import { resolve } from 'node:path';
import { List } from '../base/list.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { originOf } from '../parts/config/load.ts';
import { trustList } from '../parts/config/trust.ts';
import { type ContextRow, describeContext } from '../parts/context/describe.ts';
import { formatContext } from '../parts/context/format.ts';
import { shownUrl } from '../parts/models/baseUrl.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { ToolSpec } from '../protocol/model.ts';
import type { Effect } from '../protocol/permission.ts';
import { freshPrompt } from './opening.ts';
import { withoutSecrets } from './secrets.ts';
import { placeOf, settle, trustFileOf } from './settings.ts';
import { sessionTools, spillDirOf } from './toolset.ts';
import type { Overrides, World } from './world.ts';

export interface ToolInfo extends ToolSpec {
  readonly effect: Effect;
}

export async function toolInfos(world: World, overrides: Overrides): Promise<Result<ToolInfo[], Fault>> {
  const settled = await settle(world, overrides);
  if (!settled.ok) return settled;
  const { tools } = sessionTools(world, settled.value, {
    spillDir: spillDirOf(settled.value.dirs.cache, 'none'),
    past: [],
  });
  return ok(tools.map(({ spec, effect }) => ({ ...spec, effect })));
}

export interface ContextReport {
  readonly rows: readonly ContextRow[];
  readonly text: string;
  readonly notices: readonly string[];
}

/** What the first request of a fresh session holds, by fragment. */
export async function contextReport(world: World, overrides: Overrides): Promise<Result<ContextReport, Fault>> {
  const settled = await settle(world, overrides);
  if (!settled.ok) return settled;
  const { tools } = sessionTools(world, settled.value, {
    spillDir: spillDirOf(settled.value.dirs.cache, 'none'),
    past: [],
  });
  const { system, notices } = freshPrompt(world, settled.value, overrides.appendSystemPrompt);
  const rows = describeContext({ system, tools: tools.map(({ spec }) => spec), messages: List.of() });
  return ok({ rows, text: formatContext(rows), notices: [...settled.value.notices, ...notices] });
}

export interface SettingRow {
  /** Dotted path in the config file. */
  readonly path: string;
  readonly value: string;
  /** Where the value comes from: a file and line, a variable, a flag, or `default`. */
  readonly place: string;
}

export interface SettingsReport {
  readonly rows: readonly SettingRow[];
  /** The config files that are looked for, the user's first. */
  readonly files: readonly string[];
  readonly notices: readonly string[];
}

/** Every setting in force, with its origin; keys are not shown. */
export async function settingsReport(world: World, overrides: Overrides): Promise<Result<SettingsReport, Fault>> {
  const settled = await settle(world, overrides);
  if (!settled.ok) return settled;
  const rows = leaves(settled.value.config, []).map(([path, value]) => ({
    path,
    value: /\.(?:apiKeys?|headers\..*)$/.test(path)
      ? '[key]'
      : withoutSecrets(JSON.stringify(path.endsWith('.baseUrl') ? shownUrl(String(value)) : value), world),
    place: originOf(settled.value, path).place,
  }));
  const { userConfigFile, projectConfigFile, notices } = settled.value;
  return ok({ rows, files: [userConfigFile, projectConfigFile], notices });
}

function leaves(value: unknown, path: readonly string[]): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path.join('.'), value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

/** Trusts the project around `directory` from now on; returns its root. */
export async function trustFolder(world: World, directory?: string): Promise<Result<string, Fault>> {
  const place = placeOf(world, directory);
  if (!place.ok) return place;
  const { project, trustFile } = place.value;
  const trusted = await trustList(trustFile).trust(project.root);
  return trusted.ok ? ok(project.root) : trusted;
}

/** Takes trust back from the project around `directory`, which may be gone; returns what was trusted. */
export async function distrustFolder(world: World, directory = '.'): Promise<Result<string, Fault>> {
  const place = placeOf(world, directory);
  const path = place.ok ? place.value.project.root : resolve(world.cwd, directory);
  const taken = await trustList(trustFileOf(world)).distrust(path);
  if (!taken.ok) return taken;
  if (taken.value) return ok(path);
  return fail(fault('usage', `${path} is not trusted. \`smew trust --list\` shows the folders that are.`));
}

export const trustedFolders = (world: World): Promise<Result<readonly string[], Fault>> =>
  trustList(trustFileOf(world)).folders();
