/** Where a run works, whether that folder is trusted, and the settings in force there. */
import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { attemptSync, messageOf } from '../base/attempt.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type LoadedConfig, loadConfig } from '../parts/config/load.ts';
import type { Settings } from '../parts/config/settings.ts';
import { trustList } from '../parts/config/trust.ts';
import { parseMode } from '../parts/permissions/mode.ts';
import { type DataDirs, dataDirs } from '../parts/storage/dirs.ts';
import { type Project, projectAt } from '../parts/storage/project.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Overrides, World } from './world.ts';

export interface Place {
  /** Real path of the working directory. */
  readonly cwd: string;
  /** Its root is the real path of the git top level, or of the working directory. */
  readonly project: Project;
  readonly dirs: DataDirs;
  readonly userConfigFile: string;
  readonly projectConfigFile: string;
  readonly trustFile: string;
}

export interface Settled extends Place, LoadedConfig {
  readonly isTrusted: boolean;
}

/** Finds the place to work in. Fails where it is no directory. */
export function placeOf(world: World, cd = '.'): Result<Place, Fault> {
  const wanted = resolve(world.cwd, cd);
  const found = attemptSync(
    () => {
      const cwd = realpathSync(wanted);
      if (!statSync(cwd).isDirectory()) throw new Error('it is not a directory');
      return cwd;
    },
    (cause) => fault('usage', `Cannot work in ${wanted}: ${messageOf(cause)}. Name an existing directory with -C.`),
  );
  if (!found.ok) return found;
  const dirs = dataDirs(world.env, world.home);
  const project = projectAt(dirs.data, found.value);
  if (!project.ok) return project;
  return ok({
    cwd: found.value,
    project: project.value,
    dirs,
    userConfigFile: join(dirs.config, 'config.yaml'),
    projectConfigFile: join(project.value.root, '.smew', 'config.yaml'),
    trustFile: trustFileOf(world),
  });
}

/** Where the trusted folders are listed. */
export const trustFileOf = ({ env, home }: World): string => join(dataDirs(env, home).data, 'trusted.json');

/** Reads the settings for one run. Fails on config that cannot be read or understood. */
export async function settle(world: World, overrides: Overrides): Promise<Result<Settled, Fault>> {
  const place = placeOf(world, overrides.cd);
  if (!place.ok) return place;
  const dirs = checkAddDirs(overrides.addDirs ?? [], world.cwd);
  if (!dirs.ok) return dirs;
  const { project, userConfigFile, projectConfigFile, trustFile } = place.value;
  const isTrusted = overrides.isTrusted === true || (await trustList(trustFile).isTrusted(project.root));
  const loaded = await loadConfig({
    userFile: userConfigFile,
    ...(isTrusted ? { projectFile: projectConfigFile } : {}),
    env: world.env,
    flags: flagSettings(overrides, world.cwd),
    parseMode,
  });
  return loaded.ok ? ok({ ...place.value, ...loaded.value, isTrusted }) : loaded;
}

/** A directory that was mistyped would else be missed only when the model is refused it. */
function checkAddDirs(addDirs: readonly string[], startedIn: string): Result<void, Fault> {
  for (const dir of addDirs) {
    const path = resolve(startedIn, dir);
    const stats = attemptSync(() => statSync(path), messageOf);
    if (stats.ok && stats.value.isDirectory()) continue;
    const why = stats.ok ? 'it is no directory' : stats.fault;
    return fail(fault('usage', `Cannot use --add-dir ${dir}: ${why}. Name an existing directory.`));
  }
  return ok(undefined);
}

/** The config file's words for what the flags say. */
function flagSettings(flags: Overrides, startedIn: string): Settings {
  const { model, tier, effort, addDirs = [], maxSteps, maxTimeMs, maxCost, maxTokens, mode, allowedTools = [] } = flags;
  return {
    ...(model === undefined ? {} : { model }),
    ...(tier === undefined ? {} : { tier }),
    ...(effort === undefined ? {} : { effort }),
    ...(addDirs.length === 0 ? {} : { addDirs: addDirs.map((dir) => resolve(startedIn, dir)) }),
    limits: {
      ...(maxSteps === undefined ? {} : { steps: maxSteps }),
      ...(maxTimeMs === undefined ? {} : { turnSeconds: maxTimeMs / 1000 }),
      ...(maxCost === undefined ? {} : { cost: maxCost }),
      ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    },
    permissions: {
      ...(mode === undefined ? {} : { mode }),
      ...(allowedTools.length === 0 ? {} : { allow: [...allowedTools] }),
    },
  };
}
