/** How the built program is started: as a user would, in a home of its own. */
import { join, resolve } from 'node:path';

export const launcher = resolve(import.meta.dirname, '../bin/smew.js');

/** Nothing of the developer's own settings, keys and proxies. `url` is the model server's, `/v1` included. */
export function environment(folder: string, url: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: join(folder, 'home'),
    SMEW_HOME: join(folder, 'smew'),
    LANG: 'C.UTF-8',
    OPENAI_BASE_URL: url,
    OPENAI_API_KEY: 'sk-mock',
  };
}
