/** What servers said last time, for a start at which one is too busy to say it again. Can be deleted at any time. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { attempt } from '../../../base/attempt.ts';
import { shownUrl } from '../baseUrl.ts';
import { isObject } from '../loose.ts';
import type { ServedFacts } from './server.ts';

export interface WindowMemory {
  recall(root: string, modelId: string): Promise<ServedFacts | undefined>;
  keep(root: string, modelId: string, facts: ServedFacts): Promise<void>;
}

/** Nothing that goes wrong here matters: the server is asked again. */
export function windowMemory(file: string): WindowMemory {
  const read = async (): Promise<Record<string, ServedFacts>> => {
    const text = await attempt(
      async () => JSON.parse(await readFile(file, 'utf8')) as unknown,
      () => undefined,
    );
    // Written below, and by nobody else.
    return text.ok && isObject(text.value) ? (text.value as Record<string, ServedFacts>) : {};
  };
  const keyOf = (root: string, modelId: string) => `${shownUrl(root)} ${modelId}`;
  return {
    recall: async (root, modelId) => (await read())[keyOf(root, modelId)],
    keep: async (root, modelId, facts) => {
      const known = await read();
      const key = keyOf(root, modelId);
      if (JSON.stringify(known[key]) === JSON.stringify(facts)) return;
      await attempt(
        async () => {
          await mkdir(dirname(file), { recursive: true });
          const aside = `${file}.${process.pid}.tmp`;
          await writeFile(aside, JSON.stringify({ ...known, [key]: facts }));
          await rename(aside, file);
        },
        () => undefined,
      );
    },
  };
}
