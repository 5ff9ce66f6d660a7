/** Changes one setting in the user's config file and leaves the rest as it was written, comments included. */
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { attempt, messageOf } from '../../base/attempt.ts';
import { fail, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { checkLayer } from './check.ts';
import { readRegular } from './read.ts';
import { readYaml } from './yaml.ts';

export interface Change {
  /** `provider.ollama.baseUrl`, `models.openai/gpt-5.1.contextTokens`. */
  readonly path: string;
  /** As YAML: `5`, `true`, `[a, b]`, or a text. */
  readonly value: string;
}

/** Refuses what the file could not be read with afterwards: a setting that does not exist, a value of the wrong kind. */
export async function setInFile(file: string, { path, value }: Change): Promise<Result<void, Fault>> {
  const read = await readRegular(file);
  if (!read.ok && read.fault.code !== 'ENOENT')
    return fail(fault('storage', `${file} cannot be read: ${read.fault.why}.`));
  const before = read.ok ? read.value : '';
  const valid = await readYaml(before, file, 'user');
  if (!valid.ok) return valid;
  const { parseDocument } = (await import('yaml')).default;
  const document = parseDocument(before);
  document.setIn(keysOf(path), parseDocument(value).toJS());
  const after = String(document);
  const layer = await readYaml(after, file, 'user');
  if (!layer.ok) return layer;
  const checked = checkLayer(layer.value);
  if (!checked.ok) return fail(fault('usage', checked.fault.message.replace(/^.*?: /, `${path} is not set: `)));
  // What was unknown before is no fault of this change; lines may have moved.
  const earlier = checkLayer(valid.value);
  const known = new Set(earlier.ok ? earlier.value.notices.map(withoutPlace) : []);
  const unknown = checked.value.notices.map(withoutPlace).find((notice) => !known.has(notice));
  if (unknown !== undefined) return fail(fault('usage', unknown.replace('; it is ignored', '')));
  return await save(file, after);
}

const withoutPlace = (notice: string): string => notice.replace(/^.*?: /, '');

/** Names of models hold dots themselves. */
function keysOf(path: string): string[] {
  const parts = path.split('.');
  if (parts[0] !== 'models' || parts.length < 3) return parts;
  const tail = parts.at(-2) === 'price' ? 2 : 1;
  return ['models', parts.slice(1, -tail).join('.'), ...parts.slice(-tail)];
}

/** It may hold keys, so only the user may read it. */
const save = (file: string, text: string): Promise<Result<void, Fault>> =>
  attempt(
    async () => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const aside = `${file}.${process.pid}.tmp`;
      await writeFile(aside, text, { mode: 0o600 });
      await chmod(aside, 0o600);
      await rename(aside, file);
    },
    (cause) => fault('storage', `Cannot write ${file}: ${messageOf(cause)}.`),
  );
