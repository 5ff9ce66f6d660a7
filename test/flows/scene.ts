/** A repository, a home and a model with a script, for one test. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScriptedServer, startScriptedServer } from '../../src/parts/models/scripted/server.ts';
import type { ScriptedTurn } from '../../src/parts/models/scripted/turn.ts';
import { readJournal } from '../../src/parts/storage/journal.ts';
import type { Recorded } from '../../src/protocol/event.ts';
import { type Run, type RunOptions, type Started, smew, start, temporary } from './program.ts';
import type { FlowWire } from './wires.ts';

export interface Scene {
  readonly dir: string;
  readonly home: string;
  readonly server: ScriptedServer;
  run(args: readonly string[], more?: Partial<RunOptions>): Promise<Run>;
  start(args: readonly string[], more?: Partial<RunOptions>): Started;
  /** The longest journal of the home. */
  journal(): Promise<readonly Recorded[]>;
}

/** Everything is gone afterwards. Without a wire the program speaks chat completions. */
export async function scene(
  turns: readonly ScriptedTurn[],
  play: (scene: Scene) => Promise<void>,
  wire?: FlowWire,
): Promise<void> {
  using repository = temporary();
  using home = temporary('smew-home-');
  execFileSync('git', ['init', '--quiet'], { cwd: repository.path });
  const server = await startScriptedServer({ turns });
  const reached = wire ? { env: wire.env(server.url) } : { url: server.url, env: {} };
  const options = { cwd: repository.path, home: home.path, ...reached };
  if (wire?.config) writeConfig(home.path, wire.config);
  try {
    await play({
      dir: repository.path,
      home: home.path,
      server: asked(server),
      run: (args, more = {}) => smew(args, { ...options, ...more, env: { ...options.env, ...more.env } }),
      start: (args, more = {}) => start(args, { ...options, ...more, env: { ...options.env, ...more.env } }),
      journal: () => longestJournal(home.path),
    });
  } finally {
    await server.close();
  }
}

/** Without the questions about windows, which local servers are asked before the first request. */
const asked = (server: ScriptedServer): ScriptedServer => ({
  url: server.url,
  get requests() {
    return server.requests.filter(({ path }) => !/\/(?:api\/(?:show|ps|tags|version)|props|models)$/.test(path));
  },
  close: server.close,
});

function writeConfig(home: string, text: string): void {
  const directory = join(home, 'smew');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'config.yaml'), text);
}

/** Empty where there is none. A run that was killed before its first word leaves one with an opening only. */
export async function longestJournal(home: string): Promise<readonly Recorded[]> {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  const pasts = await Promise.all(
    files.map(async (file) => {
      const read = await readJournal(join(home, file));
      if (!read.ok) throw new Error(read.fault.message);
      return read.value.past;
    }),
  );
  return pasts.toSorted((one, other) => other.length - one.length)[0] ?? [];
}
