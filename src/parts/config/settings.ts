/** Everything that can be set, in one schema: type, check, defaults, help and docs come from here. */
import * as z from 'zod/mini';
import { Mode } from '../../protocol/permission.ts';
import { ModelSettings, Provider, RoleSettings, WindowSettings } from './model-settings.ts';

const says = (text: string) => z.describe<string>(text);
const text = (description: string) => z.optional(z.string().check(z.minLength(1), says(description)));
const count = (description: string, value: number) =>
  z._default(z.int().check(z.minimum(1), z.describe(description)), value);
/** A timer of Node cannot hold more than 2^31 ms; a longer one would ring at once. */
const secondsAtMost = 2_000_000;
const seconds = (description: string, value: number, least = 0.1) =>
  z._default(z.number().check(z.minimum(least), z.maximum(secondsAtMost), z.describe(description)), value);
const dollars = (description: string) =>
  z.optional(z.number().check(z.minimum(0), z.describe(`${description} In US dollars; no cap where it is not set.`)));
const tokens = (description: string) =>
  z.optional(z.int().check(z.minimum(1), z.describe(`${description} No cap where it is not set.`)));
const list = (description: string) => z._default(z.array(z.string()).check(z.describe(description)), []);

export const LimitSettings = z.strictObject({
  steps: count('Replies of the model in one turn.', 250),
  nudges: count('Nudges of all policies together in one turn.', 20),
  turnSeconds: seconds('Working time of one turn, without the time a person takes to answer; 0 for no limit.', 0, 0),
  toolSeconds: seconds('Time for a tool call that states no limit of its own.', 120),
  bashSeconds: seconds('Time for a shell command that states no limit of its own.', 120),
  bashMaxSeconds: seconds('The longest time that a shell command may ask for.', 600),
  cost: dollars('Cost of one turn.'),
  tokens: tokens('Tokens of one turn, in and out together.'),
  sessionCost: dollars('Cost of one session.'),
  sessionTokens: tokens('Tokens of one session, in and out together.'),
  dayCost: dollars('Cost of one day, over all sessions.'),
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
  caFile: text('File of further authorities that TLS connections trust, PEM.'),
  certFile: text('File of your own certificate, for servers that ask for one, PEM.'),
  keyFile: text('File of the key of that certificate, PEM.'),
  usesSystemStore: z._default(
    z.boolean().check(z.describe('Whether TLS connections also trust what the operating system trusts.')),
    false,
  ),
  retries: z._default(z.int().check(z.minimum(0), z.describe('Repetitions of a request that failed in passing.')), 5),
});

export const Config = z.strictObject({
  model: text('The model as provider/name; the name may hold slashes.'),
  tier: text('The tier to work with, where no model is named.'),
  tiers: z._default(
    z
      .record(z.string(), z.string().check(z.describe('The model of this tier as provider/model.')))
      .check(z.describe('Models by tier: fast, strong.')),
    {},
  ),
  roles: z.prefault(RoleSettings, {}),
  provider: z._default(z.record(z.string(), Provider).check(z.describe('Services by name.')), {}),
  models: z._default(z.record(z.string(), ModelSettings).check(z.describe('Facts by provider/model.')), {}),
  window: z.prefault(WindowSettings, {}),
  maxOutputTokens: z.optional(z.int().check(z.minimum(1), z.describe('The longest reply, in tokens.'))),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2), z.describe('Randomness of the replies.'))),
  effort: text('How much the model thinks, in a word that it knows: low, medium, high.'),
  fallback: list(
    'Models that are asked in turn when the one before fails for a reason of its provider: provider/model.',
  ),
  limits: z.prefault(LimitSettings, {}),
  permissions: z.prefault(PermissionSettings, {}),
  bash: z.prefault(BashSettings, {}),
  policies: z.prefault(z.strictObject({ off: list('Policies that are switched off, by their ids.') }), {}),
  network: z.prefault(NetworkSettings, {}),
  replies: z.prefault(
    z.strictObject({
      disabled: list(
        'Steps of reading replies that are switched off by their ids: salvage, resample, whole, or a mend as sessions show --repairs names it.',
      ),
    }),
    {},
  ),
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
