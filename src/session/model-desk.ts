/** What opening models needs; one for a session, so that a key is asked for once. */
import { join } from 'node:path';
import type { Http } from '../parts/models/http.ts';
import { type KeyReader, keyReader } from '../parts/models/keys.ts';
import { type WindowMemory, windowMemory } from '../parts/models/windows/memory.ts';
import type { Place, Settled } from './settings.ts';
import type { World } from './world.ts';

export interface ModelDesk {
  readonly world: World;
  readonly settled: Settled;
  readonly http: Http;
  readonly readKeys: KeyReader;
  readonly memory: WindowMemory;
}

export const keysDirectory = ({ dirs }: Pick<Place, 'dirs'>): string => join(dirs.config, 'keys');

export function modelDesk(world: World, settled: Settled, http: Http): ModelDesk {
  const { env, home } = world;
  return {
    world,
    settled,
    http,
    readKeys: keyReader({ directory: keysDirectory(settled), home, env }),
    memory: windowMemory(join(settled.dirs.cache, 'windows.json')),
  };
}
