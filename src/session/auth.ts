/** Keeps a user's key for a provider. */
import { fail, type Result } from '../base/result.ts';
import { storeKeys } from '../parts/models/keys.ts';
import { readModelName } from '../parts/models/provider.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import { keysDirectory } from './model-desk.ts';
import { settle } from './settings.ts';
import type { Overrides, World } from './world.ts';

/** `text` holds the key, or several on lines of their own. Returns the file in which it now is. */
export async function keepKey(
  world: World,
  overrides: Overrides,
  { provider, text }: { readonly provider: string; readonly text: string },
): Promise<Result<string, Fault>> {
  const settled = await settle(world, overrides);
  if (!settled.ok) return settled;
  const named = readModelName(`${provider}/any`, settled.value.config.provider);
  if (!named.ok) return named;
  const keys = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (keys.length === 0) return fail(fault('usage', `No key came in. Pipe it: smew auth ${provider} < key.txt`));
  if (keys.some((key) => /[^\x21-\x7e]/.test(key))) {
    return fail(fault('usage', 'What came in holds a blank or another character that no key has. Nothing was kept.'));
  }
  return await storeKeys(keysDirectory(settled.value), named.value.provider, keys);
}
