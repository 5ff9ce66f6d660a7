/** What can be set about models: services, tiers, roles, and facts that the user knows better. */
import * as z from 'zod/mini';

const says = (text: string) => z.describe<string>(text);
const text = (description: string) => z.optional(z.string().check(z.minLength(1), says(description)));
const tokens = (description: string) => z.optional(z.int().check(z.minimum(1), z.describe(description)));
const dollars = z.number().check(z.minimum(0), z.describe('US dollars for a million tokens.'));
const optionalSwitch = (description: string) => z.optional(z.boolean().check(z.describe(description)));

export const Provider = z.strictObject({
  baseUrl: text('Address of the service up to and without the path of the call, https://host/v1 for one.'),
  apiKey: text('The key itself. apiKeyEnv, apiKeyFile or apiKeyCommand keep it out of the file.'),
  apiKeys: z.optional(z.array(z.string()).check(z.describe('Several keys, used in turn.'))),
  apiKeyEnv: z.optional(
    z
      .union([z.string(), z.array(z.string())])
      .check(z.describe('Name of the environment variable that holds the key, or several names.')),
  ),
  apiKeyFile: text('File that holds the key, one a line, readable by you alone.'),
  apiKeyCommand: text('Command that prints the key: pass show openai.'),
  headers: z.optional(z.record(z.string(), z.string()).check(z.describe('Extra headers of every request.'))),
  wire: text('The protocol that the service speaks, where it is not the usual one of this provider.'),
  server: z.optional(
    z
      .enum(['ollama', 'lmstudio', 'llamacpp', 'vllm'])
      .check(z.describe('What kind of server it is, so that it can be asked for its window.')),
  ),
  sdk: text(
    'Package of the AI SDK, installed beside this file, or path of a module, where no wire speaks the protocol.',
  ),
  keepAlive: z.optional(
    z
      .union([z.string(), z.number()])
      .check(z.describe('How long Ollama keeps the model loaded: 30m, or seconds; negative for ever.')),
  ),
  stream: optionalSwitch('False asks for whole replies instead of streams.'),
  capField: z.optional(
    z
      .enum(['max_tokens', 'max_completion_tokens'])
      .check(z.describe('The name of the output cap, where it is not the usual one.')),
  ),
});
export type Provider = z.infer<typeof Provider>;

/** Of one model, by `provider/model`. */
export const ModelSettings = z.strictObject({
  contextTokens: tokens('The window, prompt and reply together.'),
  maxOutputTokens: tokens('The longest reply that it allows.'),
  price: z.optional(
    z.strictObject({
      input: dollars,
      output: dollars,
      cached: z.optional(dollars),
      cacheWrite: z.optional(dollars),
    }),
  ),
  efforts: z.optional(z.array(z.string()).check(z.describe('Words for --effort that it understands.'))),
  seesImages: optionalSwitch('Whether it can be shown images.'),
  callsTools: optionalSwitch('Whether it can call tools.'),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

const role = (description: string) => text(`${description} As provider/model, or a tier.`);

/** Each role that is not set is played by `main`. */
export const RoleSettings = z.strictObject({
  main: role('Works on the task.'),
  small: role('Names sessions and does other small things.'),
  planner: role('Makes plans.'),
  editor: role('Writes the changes.'),
  reviewer: role('Reads the changes.'),
  critic: role('Doubts the result.'),
  judge: role('Decides whether a goal is reached.'),
  summarizer: role('Shortens what has been said.'),
  subagent: role('Works on parts of the task.'),
  escalation: role('Is asked where the main model gets stuck.'),
});
export type RoleName = keyof z.infer<typeof RoleSettings>;

export const WindowSettings = z.strictObject({
  unknownTokens: z._default(
    z.int().check(z.minimum(1024), z.describe('The window that is assumed for a model that nobody knows.')),
    32_768,
  ),
  reserveTokens: z._default(
    z.int().check(z.minimum(256), z.describe('Room that must be left beside the prompt; at most half of the window.')),
    8192,
  ),
});
