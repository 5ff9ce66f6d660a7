/** Settings from environment variables and flags, as layers. */
import type { Layer, Path, Tree } from './layer.ts';
import { withoutEmpty } from './layer.ts';
import type { Settings } from './settings.ts';

const variables: readonly { name: string; path: readonly string[]; isNumber?: true }[] = [
  { name: 'SMEW_MODEL', path: ['model'] },
  { name: 'SMEW_TIER', path: ['tier'] },
  { name: 'SMEW_EFFORT', path: ['effort'] },
  { name: 'SMEW_TEMPERATURE', path: ['temperature'], isNumber: true },
  { name: 'SMEW_MAX_OUTPUT_TOKENS', path: ['maxOutputTokens'], isNumber: true },
  { name: 'SMEW_UNKNOWN_WINDOW', path: ['window', 'unknownTokens'], isNumber: true },
  { name: 'SMEW_MAX_STEPS', path: ['limits', 'steps'], isNumber: true },
  { name: 'SMEW_TURN_SECONDS', path: ['limits', 'turnSeconds'], isNumber: true },
  { name: 'SMEW_PERMISSION_MODE', path: ['permissions', 'mode'] },
];

const flags: Readonly<Record<string, string>> = {
  model: '--model',
  tier: '--tier',
  effort: '--effort',
  'limits.steps': '--max-steps',
  'limits.cost': '--max-cost',
  'limits.tokens': '--max-tokens',
  'permissions.mode': '--permission-mode',
  'permissions.allow': '--allowed-tools',
  addDirs: '--add-dir',
};

/** An empty variable counts as not set. A number that is none stays text, for the check to refuse it. */
export function envLayer(env: Readonly<Record<string, string | undefined>>): Layer {
  let value: Tree = {};
  for (const { name, path, isNumber } of variables) {
    const text = env[name]?.trim();
    if (!text) continue;
    const number = Number(text);
    value = withValue(value, path, isNumber && Number.isFinite(number) ? number : text);
  }
  const place = (path: Path) =>
    variables.find((entry) => entry.path.join('.') === path.join('.'))?.name ?? 'environment';
  return { name: 'env', value, place };
}

export const flagLayer = (settings: Settings): Layer => ({
  name: 'flag',
  value: withoutEmpty(settings),
  place: (path) => flags[path.filter((key) => typeof key === 'string').join('.')] ?? 'command line',
});

function withValue(tree: Tree, [head = '', ...rest]: readonly string[], value: unknown): Tree {
  if (rest.length === 0) return { ...tree, [head]: value };
  const inner = tree[head];
  return { ...tree, [head]: withValue(typeof inner === 'object' ? (inner as Tree) : {}, rest, value) }; // groups only hold groups
}
