/**
 * What a project's own config may not say, trusted or not: a cloned repository must not be able to send the user's key
 * to another address or another provider, to grant itself permissions or folders, to see secrets, to lift a cap on costs,
 * or to switch a guard off.
 */
import { Mode } from '../../protocol/permission.ts';
import type { Checked } from './check.ts';
import { isTree, type Path, valueAt, without } from './layer.ts';

const userOnly: readonly Path[] = [
  ['provider'],
  ['models'],
  ['permissions', 'allow'],
  ['addDirs'],
  ['network', 'caFile'],
  ['network', 'certFile'],
  ['network', 'keyFile'],
  ['limits', 'cost'],
  ['limits', 'tokens'],
  ['limits', 'sessionCost'],
  ['limits', 'sessionTokens'],
  ['limits', 'dayCost'],
  ['fallback'],
  ['bash'],
  ['policies'],
  ['replies'],
];

/** From the mode that allows least to the one that allows most. */
const ascending: readonly Mode[] = ['plan', 'default', 'accept-edits', 'auto', 'bypass'];

/** Drops what only the user may set, each with a notice. `userMode` is the mode without the project's word. */
export function restrainProject({ layer, notices }: Checked, userMode: Mode): Checked {
  const asked = Mode.safeParse(valueAt(layer.value, ['permissions', 'mode']));
  const isHigher = asked.success && ascending.indexOf(asked.data) > ascending.indexOf(userMode);
  const dropped = [...userOnly, ...(isHigher ? [['permissions', 'mode']] : [])].filter(
    (path) => valueAt(layer.value, path) !== undefined,
  );
  return {
    layer: { ...layer, value: dropped.reduce(without, layer.value) },
    notices: [...notices, ...dropped.map((path) => `${layer.place(path)}: ${why(path, layer.value)}`)],
  };
}

function why(path: Path, value: unknown): string {
  if (path.at(-1) === 'mode') {
    return `a project may not raise the permission mode (to "${valueAt(value, path)}"); it is ignored. Set it in your own config or with --permission-mode.`;
  }
  const entry = valueAt(value, path);
  const names = path[0] === 'provider' && isTree(entry) ? ` (${Object.keys(entry).join(', ')})` : '';
  return `only your own config may set "${path.join('.')}"${names}; it is ignored.`;
}
