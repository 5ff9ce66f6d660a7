/** The settings in force: defaults < user file < project file < environment < flags. */
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { Mode } from '../../protocol/permission.ts';
import { type Checked, checkLayer } from './check.ts';
import { envLayer, flagLayer } from './env.ts';
import { isTree, type Layer, type LayerName, type Origin, valueAt } from './layer.ts';
import { mergeLayers } from './merge.ts';
import { restrainProject } from './project.ts';
import { readRegular } from './read.ts';
import { Config, type Settings } from './settings.ts';
import { readYaml } from './yaml.ts';

export interface ConfigSources {
  /** `<configDir>/config.yaml`; it need not be there. */
  readonly userFile: string;
  /** `<workspace>/.smew/config.yaml`. Give it only when the folder is trusted. */
  readonly projectFile?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: Settings;
  /** Reads a mode by any of its names; the permissions part knows them. */
  readonly parseMode: (text: string) => Result<Mode, Fault>;
}

export interface LoadedConfig {
  readonly config: Config;
  /** By dotted path (`limits.steps`), for every value that is not a default. See `originOf`. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** What was ignored, and why; one line each. */
  readonly notices: readonly string[];
}

/** Fails on a file that cannot be read, on YAML that is broken and on a value of the wrong kind. */
export async function loadConfig(sources: ConfigSources): Promise<Result<LoadedConfig, Fault>> {
  const { userFile, projectFile, env, flags, parseMode } = sources;
  const checked: Checked[] = [];
  for (const read of [
    () => fileLayer(userFile, 'user'),
    () => (projectFile === undefined ? undefined : fileLayer(projectFile, 'project')),
    () => ok(envLayer(env)),
    () => ok(flagLayer(flags)),
  ]) {
    const layer = await read();
    if (!layer) continue;
    const one = layer.ok ? check(layer.value, parseMode) : layer;
    if (!one.ok) return one;
    checked.push(one.value);
  }
  const allowed = checked.map((one) => (one.layer.name === 'project' ? restrainProject(one, userMode(checked)) : one));
  const { value, origins } = mergeLayers(allowed.map(({ layer }) => layer));
  return ok({ config: Config.parse(value), origins, notices: allowed.flatMap(({ notices }) => notices) });
}

/** Where the value at a dotted path comes from. */
export const originOf = ({ origins }: Pick<LoadedConfig, 'origins'>, path: string): Origin =>
  origins.get(path) ?? { layer: 'default', place: 'default' };

/** The mode that the user chose anywhere; a project must not go beyond it. */
const userMode = (checked: readonly Checked[]): Mode => {
  const users = checked.map(({ layer }) => layer).filter(({ name }) => name !== 'project');
  return Config.parse(mergeLayers(users).value).permissions.mode;
};

function check(layer: Layer, parseMode: ConfigSources['parseMode']): Result<Checked, Fault> {
  const path = ['permissions', 'mode'];
  const text = valueAt(layer.value, path);
  const { permissions } = layer.value;
  if (typeof text !== 'string' || !isTree(permissions)) return checkLayer(layer);
  const mode = parseMode(text);
  if (!mode.ok) return fail(fault('usage', `${layer.place(path)}: ${mode.fault.message}`));
  return checkLayer({ ...layer, value: { ...layer.value, permissions: { ...permissions, mode: mode.value } } });
}

/** Undefined where there is no such file, or nothing in it. */
async function fileLayer(file: string, name: LayerName): Promise<Result<Layer, Fault> | undefined> {
  const text = await readRegular(file);
  if (text.ok) return text.value.trim() === '' ? undefined : readYaml(text.value, file, name);
  const { code, why } = text.fault;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  return fail(fault('storage', `${file} cannot be read: ${why}. Correct or remove it.`));
}
