/** Every flag of the program as data: parsing, help and error messages all read this one table. */
import type { Mode } from '../protocol/permission.ts';
import type { OutputFormat } from '../surfaces/headless/printer.ts';

interface Described {
  /** One letter. */
  readonly short?: string;
  /** Other long names that mean the same. */
  readonly also?: readonly string[];
  readonly help: string;
  /** The value's name in help. */
  readonly value?: string;
}

export type Flag = Described &
  (
    | { readonly takes: 'nothing' | 'text' | 'optional' | 'texts' | 'patterns' | 'count' | 'amount' | 'duration' }
    | {
        readonly takes: 'choice';
        readonly choices: readonly string[];
        /** Other spellings of a choice. */
        readonly spellings?: Readonly<Record<string, string>>;
      }
  );

const modes = ['default', 'accept-edits', 'plan', 'auto', 'bypass'] as const satisfies readonly Mode[];
const formats = ['text', 'json', 'stream-json'] as const satisfies readonly OutputFormat[];

/** Keyed by the flag's first long name. */
export const flags = {
  print: { short: 'p', takes: 'optional', value: 'TASK', help: 'run headless: the answer on stdout' },
  task: { short: 't', takes: 'texts', value: 'TASK', help: 'the task, where it is not an argument' },
  model: { short: 'm', takes: 'text', value: 'PROVIDER/MODEL', help: 'the model to use' },
  tier: { takes: 'text', value: 'NAME', help: 'the model of this tier; tiers are set in the config' },
  effort: { takes: 'text', value: 'LEVEL', help: 'how long the model thinks: a level that it knows' },
  continue: { short: 'c', takes: 'nothing', help: 'go on with the latest session of this folder' },
  resume: {
    short: 'r',
    takes: 'optional',
    value: 'SESSION',
    help: 'go on with a session: id, start of an id, or name',
  },
  fork: { takes: 'nothing', help: 'with -c or -r: go on in a copy' },
  name: { takes: 'text', value: 'NAME', help: 'name the session' },
  'output-format': { takes: 'choice', choices: formats, value: 'FORMAT', help: 'text, json or stream-json' },
  'max-steps': { also: ['max-turns'], takes: 'count', value: 'N', help: 'replies of the model before the run stops' },
  'max-time': { takes: 'duration', value: 'TIME', help: 'working time before the run stops: 90s, 10m, 2h' },
  'max-cost': { takes: 'amount', value: 'DOLLARS', help: 'what the run may cost before it stops' },
  'max-tokens': { takes: 'count', value: 'N', help: 'tokens, in and out, before the run stops' },
  'permission-mode': {
    also: ['mode'],
    takes: 'choice',
    choices: modes,
    spellings: { acceptEdits: 'accept-edits', bypassPermissions: 'bypass', 'read-only': 'plan' },
    value: 'MODE',
    help: 'default, accept-edits, plan, auto or bypass',
  },
  yolo: {
    also: ['dangerously-skip-permissions'],
    takes: 'nothing',
    help: 'the same as --permission-mode bypass: nothing is asked',
  },
  'allowed-tools': {
    also: ['allowedTools'],
    takes: 'patterns',
    value: 'LIST',
    help: 'what runs without asking, by comma: read,bash(npm test)',
  },
  cd: { short: 'C', also: ['cwd'], takes: 'text', value: 'DIR', help: 'work in this directory' },
  'add-dir': { takes: 'texts', value: 'DIR', help: 'a further directory that tools may use (repeatable)' },
  'append-system-prompt': { takes: 'text', value: 'TEXT', help: 'add this to the system prompt' },
  image: { takes: 'texts', value: 'FILE', help: 'show an image to the model (repeatable)' },
  'no-session': { takes: 'nothing', help: 'keep nothing of this run on disk' },
  trust: { takes: 'nothing', help: 'for this run, heed the instructions and settings of this folder' },
  list: { takes: 'nothing', help: 'show the trusted folders' },
  remove: { takes: 'nothing', help: 'take trust back from the folder' },
  quiet: { short: 'q', takes: 'nothing', help: 'no progress, only the answer and failures' },
  verbose: { short: 'v', takes: 'nothing', help: 'more progress: what the model says between calls' },
  repairs: { takes: 'nothing', help: 'what was done to the replies, step by step' },
  'live-tools': { takes: 'nothing', help: 'run the tools anew instead of using their recorded results' },
  all: { takes: 'nothing', help: 'of every folder, not only of this one' },
  json: { takes: 'nothing', help: 'as JSON' },
  format: { takes: 'choice', choices: ['markdown', 'json'], value: 'FORMAT', help: 'markdown (default) or json' },
  output: { short: 'o', takes: 'text', value: 'FILE', help: 'write to this file' },
  help: { short: 'h', takes: 'nothing', help: 'show this help' },
  version: { short: 'V', takes: 'nothing', help: 'show the version' },
} as const satisfies Readonly<Record<string, Flag>>;

export type FlagName = keyof typeof flags;

type ValueOf<F> = F extends { takes: 'nothing' }
  ? true
  : F extends { takes: 'text' }
    ? string
    : F extends { takes: 'optional' }
      ? string | true
      : F extends { takes: 'texts' | 'patterns' }
        ? readonly string[]
        : F extends { takes: 'choice'; choices: readonly (infer Choice)[] }
          ? Choice
          : number;

/** What was given, by the flag's first long name; an absent flag has no key. Counts are numbers, durations milliseconds. */
export type FlagValues = { readonly [Name in FlagName]?: ValueOf<(typeof flags)[Name]> };
export type FlagValue = NonNullable<FlagValues[FlagName]>;

/** The names of all flags, in the table's order. */
export const flagNames = Object.keys(flags) as readonly FlagName[]; // the table's own keys
