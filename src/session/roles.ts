/** Which model plays which part: named by flag, tier, session or config; every role falls back to the main model. */
import { fail, ok, type Result } from '../base/result.ts';
import type { LayerName } from '../parts/config/layer.ts';
import { originOf } from '../parts/config/load.ts';
import type { RoleName } from '../parts/config/model-settings.ts';
import type { Config } from '../parts/config/settings.ts';
import type { Recorded } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Settled } from './settings.ts';

type Named = Pick<Settled, 'config' | 'origins'>;

const layers: readonly LayerName[] = ['default', 'user', 'project', 'env', 'flag'];

/**
 * The main model as `provider/model`; undefined where nobody names one. A flag wins; then a continued session keeps its
 * model, whatever the config says by now; then `model` or `tier`, whichever was set nearer to the run; then `roles.main`.
 */
export function mainModel(settled: Named, past: readonly Recorded[]): Result<string | undefined, Fault> {
  const { config } = settled;
  const rankOf = (path: 'model' | 'tier') => layers.indexOf(originOf(settled, path).layer);
  const isTiered = config.tier !== undefined && rankOf('tier') > rankOf('model');
  const isFlag = Math.max(rankOf('model'), rankOf('tier')) === layers.indexOf('flag');
  const last = past.findLast(({ event }) => event.type === 'opened')?.event;
  if (last?.type === 'opened' && !isFlag) return ok(last.model);
  if (isTiered) return tierModel(config, config.tier);
  const named = config.model ?? config.roles.main;
  return named === undefined ? ok(undefined) : namedModel(config, named);
}

/** The model of a role; `main`, which is given, where the role has none of its own. */
export function modelForRole(config: Config, role: RoleName, main: string): Result<string, Fault> {
  const named = role === 'main' ? undefined : config.roles[role];
  return named === undefined ? ok(main) : namedModel(config, named);
}

/** A name without a slash may be a tier; where it is none, opening the model tells how a model is written. */
const namedModel = (config: Config, named: string): Result<string, Fault> =>
  named.includes('/') || !Object.hasOwn(config.tiers, named) ? ok(named) : tierModel(config, named);

/** A tier may name another tier. */
function tierModel({ tiers }: Config, tier = ''): Result<string, Fault> {
  const passed = new Set([tier]);
  let model = Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
  while (model !== undefined && Object.hasOwn(tiers, model)) {
    if (passed.has(model)) return fail(circle([...passed, model]));
    passed.add(model);
    model = tiers[model];
  }
  if (model !== undefined) return ok(model);
  const known = Object.keys(tiers);
  const hint = known.length > 0 ? `Known are: ${known.join(', ')}.` : 'The config names none.';
  return fail(
    fault('usage', `There is no tier "${tier}". ${hint} Add it to the config as: tiers: {${tier}: provider/model}`),
  );
}

const circle = (tiers: readonly string[]): Fault =>
  fault(
    'usage',
    `The tiers go round in a circle: ${tiers.join(' -> ')}. Name a model, as provider/model, in one of them.`,
  );
