/** Changes a setting in the user's own config file. */
import { ok, type Result } from '../base/result.ts';
import { type Change, setInFile } from '../parts/config/write.ts';
import type { Fault } from '../protocol/fault.ts';
import { placeOf } from './settings.ts';
import type { World } from './world.ts';

/** Returns the file that was written. */
export async function setSetting(world: World, change: Change, cd?: string): Promise<Result<string, Fault>> {
  const place = placeOf(world, cd);
  if (!place.ok) return place;
  const { userConfigFile } = place.value;
  const written = await setInFile(userConfigFile, change);
  return written.ok ? ok(userConfigFile) : written;
}
