/** Everything that can be set, in one schema: type, check, defaults, help and docs come from here. */
import * as z from 'zod/mini';
import { Mode } from '../../protocol/permission.ts';

const says = (text: string) => z.describe<string>(text);
const text = (description: string) => z.optional(z.string().check(z.minLength(1), says(description)));
const count = (description: string, value: number) =>
  z._default(z.int().check(z.minimum(1), z.describe(description)), value);
/** A timer of Node cannot hold more than 2^31 ms; a longer one would ring at once. */
const secondsAtMost = 2_000_000;
const seconds = (description: string, value: number, least = 0.1) =>
  z._default(z.number().check(z.minimum(least), z.maximum(secondsAtMost), z.describe(description)), value);
const list = (description: string) => z._default(z.array(z.string()).check(z.describe(description)), []);

export const Provider = z.strictObject({
  baseUrl: text('Address of the service up to and without the path of the call, https://host/v1 for one.'),
  apiKey: text('The key itself. apiKeyEnv keeps it out of the file.'),
  apiKeyEnv: text('Name of the environment variable that holds the key.'),
  headers: z.optional(z.record(z.string(), z.string()).check(z.describe('Extra headers of every request.'))),
  wire: text('The protocol that the service speaks, where it is not the usual one of this provider.'),
});
export type Provider = z.infer<typeof Provider>;

export const LimitSettings = z.strictObject({
  steps: count('Replies of the model in one turn.', 250),
  nudges: count('Nudges of all policies together in one turn.', 20),
  turnSeconds: seconds('Working time of one turn, without the time a person takes to answer; 0 for no limit.', 0, 0),
  toolSeconds: seconds('Time for a tool call that states no limit of its own.', 120),
  bashSeconds: seconds('Time for a shell command that states no limit of its own.', 120),
  bashMaxSeconds: seconds('The longest time that a shell command may ask for.', 600),
  graceSeconds: seconds('Time that a stopped model or tool gets to come back before it is left behind.', 2, 0),
});

export const PermissionSettings = z.strictObject({
  mode: z._default(Mode.check(z.describe('What runs without asking.')), 'default'),
  allow: list('Rules for calls that need no question: edit, bash, bash(npm test *).'),
});

export const BashSettings = z.strictObject({
  keepEnv: list('Variables that commands may see although their names speak of a secret: GITHUB_TOKEN.'),
});

export const NetworkSettings = z.strictObject({
  connectSeconds: seconds('Time to reach the provider.', 30),
  firstByteSeconds: seconds('Time until the answer begins; local models may first have to load.', 300),
  stallSeconds: seconds('Silence within an answer after which it counts as broken off.', 120),
  retries: z._default(z.int().check(z.minimum(0), z.describe('Repetitions of a request that failed in passing.')), 5),
});

export const Config = z.strictObject({
  model: text('The model as provider/name; the name may hold slashes.'),
  provider: z._default(z.record(z.string(), Provider).check(z.describe('Services by name.')), {}),
  maxOutputTokens: z.optional(z.int().check(z.minimum(1), z.describe('The longest reply, in tokens.'))),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2), z.describe('Randomness of the replies.'))),
  effort: text('How much the model thinks, in a word that it knows: low, medium, high.'),
  limits: z.prefault(LimitSettings, {}),
  permissions: z.prefault(PermissionSettings, {}),
  bash: z.prefault(BashSettings, {}),
  network: z.prefault(NetworkSettings, {}),
  instructions: z.prefault(
    z.strictObject({ maxBytes: count('Bytes of project notes that go into the prompt, all files together.', 16_384) }),
    {},
  ),
  addDirs: list('Folders beside the workspace that tools may use.'),
});
/** Whole: every default is filled in. */
export type Config = z.infer<typeof Config>;
/** What one layer says: any part of it. */
export type Settings = z.input<typeof Config>;

/** The schema as JSON Schema, for docs and messages. */
export const configJsonSchema = (): unknown => z.toJSONSchema(Config, { io: 'input' });
