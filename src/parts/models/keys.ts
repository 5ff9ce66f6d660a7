/** Keys that are kept in files or given by a command: read once a run, never from a project's own config. */
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { attempt, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import type { ReadKeys } from './credentials.ts';

export interface KeyPlaces {
  /** `provider.<name>.apiKeyFile`; `~/` is the home. */
  readonly apiKeyFile?: string | undefined;
  /** `provider.<name>.apiKeyCommand`, a line for `sh`. */
  readonly apiKeyCommand?: string | undefined;
}

export interface KeyReaderOptions {
  /** Directory of the user's own key files: one a provider, a key a line, mode 0600. */
  readonly directory: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads a provider's keys; a second call gives what the first one read. */
export type KeyReader = (provider: string, places: KeyPlaces | undefined) => Promise<Result<ReadKeys, Fault>>;

export const keyFile = (directory: string, provider: string): string => join(directory, provider);

/** How long a command may take that asks a password store, or a person, for the key. Milliseconds. */
const commandMs = 30_000;

export function keyReader(options: KeyReaderOptions): KeyReader {
  const known = new Map<string, Promise<Result<ReadKeys, Fault>>>();
  return (provider, places) => {
    const before = known.get(provider);
    if (before) return before;
    const reading = readAll(provider, places ?? {}, options);
    known.set(provider, reading);
    return reading;
  };
}

async function readAll(
  provider: string,
  { apiKeyFile, apiKeyCommand }: KeyPlaces,
  { directory, home, env }: KeyReaderOptions,
): Promise<Result<ReadKeys, Fault>> {
  const setting = `provider.${provider}`;
  const path = apiKeyFile?.replace(/^~(?=\/)/, home);
  if (path !== undefined && !isAbsolute(path))
    return fail(fault('usage', `${setting}.apiKeyFile: "${apiKeyFile}" is relative. Write an absolute path, or ~/...`));
  const file = path === undefined ? ok([]) : await readKeyFile(path);
  if (!file.ok) return file;
  if (path !== undefined && file.value === undefined)
    return fail(fault('usage', `${setting}.apiKeyFile: there is no ${path}. Create it, or correct the setting.`));
  const said = apiKeyCommand === undefined ? ok([]) : await runCommand(`${setting}.apiKeyCommand`, apiKeyCommand, env);
  if (!said.ok) return said;
  // A name from the command line must not lead out of the directory.
  const kept = /^\w[\w.-]*$/.test(provider) ? await readKeyFile(keyFile(directory, provider)) : ok([]);
  if (!kept.ok) return kept;
  return ok({ configured: [...(file.value ?? []), ...said.value], kept: kept.value ?? [] });
}

/** Undefined where there is no such file. Refuses one that others can read. */
async function readKeyFile(path: string): Promise<Result<readonly string[] | undefined, Fault>> {
  const found = await attempt(
    async () => ({ mode: (await stat(path)).mode & 0o777, text: await readFile(path, 'utf8') }),
    (cause) => cause,
  );
  if (!found.ok) {
    if (codeOf(found.fault) === 'ENOENT' || codeOf(found.fault) === 'ENOTDIR') return ok(undefined);
    return fail(fault('usage', `The key file ${path} cannot be read: ${messageOf(found.fault)}.`));
  }
  const { mode, text } = found.value;
  if ((mode & 0o077) !== 0) {
    const message = `The key file ${path} has mode ${mode.toString(8)}, so that others can read it. Only you may: chmod 600 ${path}`;
    return fail(fault('usage', message));
  }
  return ok(linesOf(text));
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

async function runCommand(
  setting: string,
  command: string,
  env: KeyReaderOptions['env'],
): Promise<Result<readonly string[], Fault>> {
  const { execFile } = await import('node:child_process');
  const ended = await new Promise<{ error: Error | null; stdout: string; stderr: string }>((resolve) => {
    execFile('sh', ['-c', command], { env, timeout: commandMs, maxBuffer: 65_536 }, (error, stdout, stderr) =>
      resolve({ error, stdout, stderr }),
    );
  });
  const keys = linesOf(ended.stdout);
  if (ended.error === null && keys.length > 0) return ok(keys);
  const said = ended.stderr.trim().split('\n').at(-1)?.slice(0, 200);
  const why =
    ended.error === null ? 'it printed nothing' : said || `it failed: ${messageOf(ended.error).split('\n')[0]}`;
  return fail(fault('unauthorised', `${setting} gave no key: ${why}. Run the command by hand and correct it.`));
}

/** Keeps keys for a provider, readable by the user alone. Returns the file's path. */
export async function storeKeys(
  directory: string,
  provider: string,
  keys: readonly string[],
): Promise<Result<string, Fault>> {
  const path = keyFile(directory, provider);
  return await attempt(
    async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, `${keys.join('\n')}\n`, { mode: 0o600 });
      // An older file keeps its mode when it is written again.
      await chmod(path, 0o600);
      return path;
    },
    (cause) => fault('storage', `Cannot write ${path}: ${messageOf(cause)}.`),
  );
}
